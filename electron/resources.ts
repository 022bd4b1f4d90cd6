import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the program brings along, by the path that it has from the program's own root. */
export type Resource =
  | 'assets'
  | 'assets/icons/icon.png'
  | 'dist/cli/run.cjs'
  | 'dist/cli/theta.cjs'
  | 'dist/filter/filter.cjs'
  | 'dist/preload/preload.cjs'
  | 'dist/renderer'
  | 'dist/worker/worker.cjs'
  | 'electron/theta.mjs';

/**
 * The folder of the program: the clone, or the inside of the packed archive. It is the nearest one above this code that holds a
 * `package.json`, wherever a bundler has put the code.
 */
function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The program was moved out of its folder.');
    folder = parent;
  }
  return folder;
}

const root = findRoot();

/** Absolute path of something that the program brings along; the same in a clone, from `dist/` and in the packed archive. */
export function resourcePath(resource: Resource): string {
  return join(root, ...resource.split('/'));
}

/** The program's own version, from its package.json. */
export function programVersion(): string {
  const description: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version: unknown = typeof description === 'object' && description !== null ? Reflect.get(description, 'version') : undefined;
  return typeof version === 'string' ? version : 'unknown';
}
