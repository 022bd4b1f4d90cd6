import { resolve } from 'node:path';

/**
 * The folder or file that a command line asks for, absolute, or `null`.
 *
 * @param argv the whole command line; `packaged`: without the folder of the app that comes second in a clone
 */
export function openedPath(argv: readonly string[], { packaged, folder }: { readonly packaged: boolean; readonly folder: string }): string | null {
  // Chromium adds switches of its own anywhere.
  const given = argv.slice(1).filter((argument) => !argument.startsWith('-'));
  const path = given[packaged ? 0 : 1];
  return path === undefined || path === '' ? null : resolve(folder, path);
}
