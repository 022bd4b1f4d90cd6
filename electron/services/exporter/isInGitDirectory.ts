import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Whether a file there would be git's own: anything named `.git` or in it, and anything in a bare repository (gitrepository-layout(5)). */
export async function isInGitDirectory(path: string): Promise<boolean> {
  if (isGitName(path)) return true;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (isGitName(folder) || (await isBareRepository(folder))) return true;
    if (dirname(folder) === folder) return false;
  }
}

/** Some file systems ignore case. */
function isGitName(path: string): boolean {
  return basename(path).toLowerCase() === '.git';
}

async function isBareRepository(folder: string): Promise<boolean> {
  const exists = (name: string) =>
    stat(join(folder, name)).then(
      () => true,
      () => false,
    );
  return (await exists('HEAD')) && (await exists('objects')) && (await exists('refs'));
}
