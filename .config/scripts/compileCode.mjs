// What the JavaScript engine makes of the bundles, stored beside them: `electron/loadBundle.ts` takes it instead of compiling them at every start.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import Module from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

/**
 * Compiles every CommonJS file of a folder, as `loadBundle` does, and stores the code under the name that it looks for.
 *
 * @param {string} folder
 */
export async function compileCode(folder) {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cjs'));
  await Promise.all(
    files.map(async (name) => {
      const path = join(folder, name);
      const script = new Script(Module.wrap(await readFile(path, 'utf8')), { filename: path });
      await writeFile(`${path}.${process.versions.v8}.${process.arch}.code`, script.createCachedData());
    }),
  );
}
