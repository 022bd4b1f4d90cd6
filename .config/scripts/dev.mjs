// `npm run dev [-- DIR]`: the served host with unminified code; what is saved is built at once. A change of the window reloads the page,
// a change behind it restarts the host on the same address, and the page connects again by itself.
import { randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './bundles.mjs';
import { readStartOptions } from './startOptions.mjs';

/** An editor saves several files at once. */
const SETTLE_MS = 100;

const options = readStartOptions(process.argv.slice(2), { env: process.env, folder: process.env.INIT_CWD ?? process.cwd() });
const secret = () => randomBytes(32).toString('base64url');
const credentials = { token: secret(), session: secret() };
const require = createRequire(import.meta.url);
let generation = 0;

/** @type {import('../../electron/serve').RunningServer | null} */
let server = null;
/** @type {Promise<void>} */
let work = Promise.resolve();

async function serve() {
  const port = server?.port ?? options.port;
  await server?.close();
  server = null;
  // What was built anew is loaded anew.
  for (const file of Object.keys(require.cache)) if (file.startsWith(join(root, 'dist'))) delete require.cache[file];
  /** @type {typeof import('../../electron/serve')} */
  const { startServer } = require(join(root, 'dist', 'cli', 'serve.cjs'));
  server = await startServer({ folder: options.folder, port, credentials });
}

async function update() {
  generation++;
  try {
    const built = await build({ mode: 'development', only: ['cli', 'filter', 'worker', 'renderer'], log: (line) => console.log(line) });
    // The page asks for this file and loads itself again when it changes (see `reloadScript` in bundles.mjs).
    if (built.includes('renderer')) await writeFile(join(root, 'dist', 'renderer', 'generation.txt'), String(generation));
    if (server === null || built.includes('cli') || built.includes('worker')) await serve();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}

work = update();
await work;
const address = () => console.log(server === null ? 'Waiting for the code to build.' : `Theta (development) is at ${server.url}`);
address();

/** @type {NodeJS.Timeout | undefined} */
let timer;
for (const folder of ['electron', 'shared', 'renderer', 'assets']) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const wasDown = server === null;
      work = work.then(update).then(() => {
        if (wasDown) address();
      });
    }, SETTLE_MS);
  });
}
process.once('SIGINT', () => {
  void (server?.close() ?? Promise.resolve()).finally(() => process.exit());
});
