import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readSmallFile } from '../bytes/readSmallFile';

/** Content of a one-line file without its newline; `null` when it is not there. Names of folders may hold any character but a newline at the end. */
export async function readLineFile(path: string): Promise<string | null> {
  return readSmallFile(path).then(
    (bytes) => bytes.toString('utf8').replace(/[\r\n]+$/, ''),
    () => null,
  );
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Git directory that all work trees share: what `commondir` in a linked work tree's directory names (gitrepository-layout(5)). */
export async function commonDirOf(gitDir: string): Promise<string> {
  const common = await readLineFile(join(gitDir, 'commondir'));
  return common === null || common === '' ? gitDir : resolve(gitDir, common);
}

/**
 * Work tree that belongs to a git directory, when one asks from inside the git directory: the linked work tree that
 * `gitdir` names, `core.worktree` (submodules), or the folder around `.git`. `null`: none, the repository is bare.
 */
export async function workTreeOf(gitDir: string, coreWorkTree: string | null): Promise<string | null> {
  const linked = await readLineFile(join(gitDir, 'gitdir'));
  const candidate =
    linked !== null && linked !== ''
      ? dirname(resolve(gitDir, linked))
      : coreWorkTree !== null && coreWorkTree !== ''
        ? resolve(gitDir, coreWorkTree)
        : basename(gitDir) === '.git'
          ? dirname(gitDir)
          : null;
  return candidate !== null && (await isFolder(candidate)) ? candidate : null;
}
