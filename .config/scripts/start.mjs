// `npm start -- [DIR]`: builds what is missing and opens the app, in Electron where that can run, else in a browser.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { root } from './bundles.mjs';
import { canOpenBrowser, chooseHost } from './chooseHost.mjs';
import { electronFolder, electronProgram, installElectron } from './installElectron.mjs';
import { openBrowser } from './openBrowser.mjs';
import { findSituation } from './situation.mjs';
import { readStartOptions, USAGE } from './startOptions.mjs';

/** Electron that ends with an error this soon could not run at all. */
const STARTUP_MS = 10_000;

/**
 * @param {import('./startOptions.mjs').StartOptions} options
 * @returns {Promise<string | null>} why Electron cannot run here; `null` when it ran
 */
async function runElectron(options) {
  if (electronProgram() === null) {
    const terminal = process.stdout.isTTY;
    console.log('Electron is not here yet: downloading it, once (about 120 MB).');
    const failure = await installElectron({ onBytes: (bytes) => terminal && process.stdout.write(`\r${(bytes / 1e6).toFixed(1)} MB `) });
    if (terminal) process.stdout.write('\r\u001b[K');
    if (failure !== null) return failure;
  }
  const program = electronProgram();
  if (program === null) return 'Electron could not be unpacked';
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const started = performance.now();
  const child = spawn(program, [root, ...(options.folder === null ? [] : [options.folder])], { stdio: 'inherit', env });
  /** @type {{ readonly code: number | null, readonly error: Error | null }} */
  const end = await new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, error }));
    child.on('exit', (code) => resolve({ code, error: null }));
  });
  const interrupted = end.error === null && end.code === null && child.signalCode === 'SIGINT';
  if (end.code === 0 || interrupted) return null;
  if (end.error === null && performance.now() - started > STARTUP_MS) process.exit(end.code ?? 1);
  return 'Electron could not be started';
}

/**
 * @param {import('./startOptions.mjs').StartOptions} options
 * @param {string} reason
 * @param {boolean} browser whether one can be opened here
 */
async function runServed(options, reason, browser) {
  /** @type {typeof import('../../electron/serve')} */
  const { startServer, stopRequested, tunnelCommand } = await import(pathToFileURL(join(root, 'dist', 'cli', 'serve.cjs')).href);
  const server = await startServer({ folder: options.folder, port: options.port });
  console.log(`${reason}: Theta runs in the browser, at ${server.url} (Ctrl-C ends it)`);
  if (browser && options.open) openBrowser(server.oneTimeUrl());
  else if (!browser) console.log(`From another machine: ${tunnelCommand(server.port)}`);
  await stopRequested();
  await server.close();
}

async function start() {
  const options = readStartOptions(process.argv.slice(2), { env: process.env, folder: process.env.INIT_CWD ?? process.cwd() });
  if (options.help) return console.log(USAGE);
  const situation = findSituation({ served: options.served, electronFolder });
  const choice = chooseHost(situation);
  await build({ only: choice.kind === 'served' ? ['cli', 'filter', 'worker', 'renderer'] : undefined, log: (line) => console.log(line) });
  const reason = choice.kind === 'served' ? choice.reason : await runElectron(options);
  if (reason !== null) await runServed(options, reason, canOpenBrowser(situation));
}

try {
  await start();
  // Nothing is left to do; a browser that was opened goes on by itself.
  process.exit();
} catch (error) {
  const hint = error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? ` ${error.hint}` : '';
  console.error(`${error instanceof Error ? error.message : error}${hint}`);
  process.exit(1);
}
