import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The facts about this machine that decide which host can run.
 *
 * @param {{ readonly served: boolean, readonly electronFolder: string }} options
 * @returns {import('./chooseHost.mjs').Situation}
 */
export function findSituation({ served, electronFolder }) {
  const { platform, env } = process;
  const linux = platform === 'linux';
  return {
    served,
    platform,
    display: !linux || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY),
    root: linux && process.getuid?.() === 0,
    sandbox: !linux || hasSetuidHelper(electronFolder) || canMakeNamespaces(),
  };
}

/**
 * Chromium's sandbox needs user namespaces, which some distributions forbid (a kernel setting, AppArmor) and many containers too.
 * Trying it is the only answer that is right everywhere; where `unshare` is missing, Electron itself will say.
 */
function canMakeNamespaces() {
  const { status, error } = spawnSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore', timeout: 5000 });
  return error !== undefined || status === 0;
}

/**
 * The older way: a helper that belongs to root and runs as root.
 *
 * @param {string} electronFolder
 */
function hasSetuidHelper(electronFolder) {
  try {
    const { uid, mode } = statSync(join(electronFolder, 'dist', 'chrome-sandbox'));
    return uid === 0 && (mode & 0o4001) === 0o4001;
  } catch {
    return false;
  }
}
