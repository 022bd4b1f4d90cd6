import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { runWatched } from './runWatched.mjs';

/** What `e2e/playwright.config.ts` takes where it is there; else it takes Playwright's own. */
const SYSTEM_CHROMIUM = '/usr/bin/chromium';
const STALL_MS = 60_000;

/** Path of the Chromium that the end-to-end tests will use, or `null`. */
export function findChromium() {
  const own = chromium.executablePath();
  return [SYSTEM_CHROMIUM, own].find((path) => path !== '' && isProgram(path)) ?? null;
}

/**
 * How a Chromium can be had here, in the order in which to try.
 *
 * @param {{ readonly root: boolean, readonly distribution: string, readonly hasAptGet: boolean }} system `distribution`: the ID of os-release
 * @returns {readonly ('apt-get' | 'playwright')[]}
 */
export function waysToChromium({ root, distribution, hasAptGet }) {
  // Ubuntu's package of that name only installs a snap, which containers cannot run.
  return root && hasAptGet && distribution === 'debian' ? ['apt-get', 'playwright'] : ['playwright'];
}

/**
 * Makes sure that the end-to-end tests have a Chromium.
 *
 * @param {(line: string) => void} log
 * @returns {Promise<string | null>} what is missing and how to get it, `null` when there is a Chromium
 */
export async function installChromium(log) {
  if (findChromium() !== null) return null;
  const root = process.platform !== 'win32' && process.getuid?.() === 0;
  const ways = waysToChromium({ root, distribution: distribution(), hasAptGet: existsSync('/usr/bin/apt-get') });
  for (const way of ways) {
    log(`no Chromium for the end-to-end tests yet: installing one with ${way}`);
    await (way === 'apt-get' ? installWithApt() : installWithPlaywright(root));
    if (findChromium() !== null) return null;
  }
  return [
    'The end-to-end tests need Chromium, and it could not be installed.',
    `Looked for ${SYSTEM_CHROMIUM} and ${chromium.executablePath()}.`,
    'Install it with “apt-get install chromium” (Debian) or “npx playwright install --with-deps chromium”, then run “npm test” again.',
  ].join('\n');
}

async function installWithApt() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-q'], { stdio: 'inherit', env });
  spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { stdio: 'inherit', env });
}

/** @param {boolean} root Playwright may then install the libraries that its browser needs, too */
async function installWithPlaywright(root) {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  const args = [cli, 'install', ...(root && process.platform === 'linux' ? ['--with-deps'] : []), 'chromium'];
  // Its download goes to a cache outside this folder; it prints its progress.
  const outcome = await runWatched(process.execPath, args, { folders: [], stallMs: STALL_MS });
  if (outcome.kind === 'failed') process.stderr.write(outcome.output);
}

function distribution() {
  try {
    return /^ID="?([\w-]+)"?$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
