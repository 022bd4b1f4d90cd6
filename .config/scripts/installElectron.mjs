import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './bundles.mjs';
import { runWatched } from './runWatched.mjs';

export const electronFolder = join(root, 'node_modules', 'electron');

/** A download that stands still for this long is given up; the next start tries again. */
const STALL_MS = 20_000;

/** The Electron program, or `null` where it was not fetched yet (the package brings only what fetches it). */
export function electronProgram() {
  try {
    const path = join(electronFolder, 'dist', readFileSync(join(electronFolder, 'path.txt'), 'utf8'));
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

/**
 * Fetches the Electron program with the package's own script, which checks it against known hashes.
 *
 * @param {{ readonly stallMs?: number, readonly onBytes?: (bytes: number) => void }} [options]
 * @returns {Promise<string | null>} why it could not be had, `null` when it is there
 */
export async function installElectron({ stallMs = STALL_MS, onBytes } = {}) {
  const script = join(electronFolder, 'install.js');
  if (!existsSync(script)) return 'Electron is not among the installed packages';
  const temporary = join(root, '.cache', `electron-${process.pid}`);
  await mkdir(temporary, { recursive: true });
  const proxy = Object.keys(process.env).some((name) => /^https?_proxy$/i.test(name));
  const env = { ...process.env, TMPDIR: temporary, TMP: temporary, TEMP: temporary, ...(proxy ? { ELECTRON_GET_USE_PROXY: '1' } : {}) };
  try {
    const outcome = await runWatched(process.execPath, [script], {
      env,
      stallMs,
      folders: [temporary, join(electronFolder, 'dist')],
      ...(onBytes === undefined ? {} : { onBytes }),
    });
    switch (outcome.kind) {
      case 'done':
        return electronProgram() === null ? 'Electron could not be unpacked' : null;
      case 'stalled':
        return `The download of Electron stood still for ${stallMs / 1000} s`;
      default:
        return `Electron could not be downloaded${cause(outcome.output)}`;
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * What a person can make of the output of a failed download, in brackets.
 *
 * @param {string} output
 */
export function cause(output) {
  const answer = /Response code (\d+)/.exec(output)?.[1];
  if (answer !== undefined) return ` (the server answered ${answer})`;
  if (/ENOSPC/.test(output)) return ' (the disk is full)';
  if (/EACCES|EPERM|EROFS/.test(output)) return ' (no permission to write)';
  if (/checksum|sha256/i.test(output)) return ' (what came was damaged)';
  if (/fetch failed|ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/.test(output)) return ' (no connection to its server)';
  return '';
}
