import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { throwIfCancelled } from '../../shared/contract/cancelled';
import { CheckpointError } from '../../shared/contract/errors';
import { fileError } from '../bytes/fileError';
import type { GitRepository } from './gitRepository';
import { findGit } from './native/findGit';
import { findNativeGit } from './native/gitVersion';
import { type OpenNativeOptions, openNative } from './native/openNative';

export interface OpenRepositoryOptions {
  /** `auto`: native when a recent git runs on this machine, otherwise isomorphic. */
  readonly backend?: 'auto' | 'native' | 'isomorphic';
  readonly signal?: AbortSignal;
  /** Settings are read once and for all, for a process that lives as long as one command of git; default no. */
  readonly once?: boolean;
}

/**
 * Opens the repository that a path belongs to: any folder or file of its work tree (a linked one and a submodule too), its
 * `.git` folder or anything in it, or a bare repository. Close it after use.
 * @throws not-found (no such path, or no repository around it), permission (git does not trust the folder),
 *   unsupported-repository, cancelled
 */
export async function openRepository(path: string, options: OpenRepositoryOptions = {}): Promise<GitRepository> {
  const { backend = 'auto', signal, once } = options;
  throwIfCancelled(signal);
  const folder = await folderOf(resolve(path));
  if (backend === 'isomorphic') return openBuiltIn(folder);
  const native = await openBeside(folder, { signal, once });
  if (native !== null) {
    return native.opening.catch((error: unknown) => {
      throw CheckpointError.from(error).at({ file: path });
    });
  }
  if (backend === 'auto') return openBuiltIn(folder);
  throw new CheckpointError('not-found', 'There is no git on this machine, or it is older than version 2.24.', {
    hint: 'Install git, or read the repository without it.',
  });
}

/** By this machine's git, which is asked for its version meanwhile; `null`: there is none that will do. */
async function openBeside(folder: string, options: OpenNativeOptions): Promise<{ readonly opening: Promise<GitRepository> } | null> {
  const executable = await findGit();
  if (executable === null) return null;
  const opening = openNative(executable, folder, options);
  // What an old git says counts for nothing.
  opening.catch(() => {});
  if ((await findNativeGit()) !== null) return { opening };
  await opening.then(
    (repository) => repository.close(),
    () => {},
  );
  return null;
}

/** Loaded when it is needed: git starts this program for every add and checkout, and waits for it. */
async function openBuiltIn(folder: string): Promise<GitRepository> {
  const { openIsomorphic } = await import('./isomorphic/openIsomorphic');
  return openIsomorphic(folder);
}

async function folderOf(path: string): Promise<string> {
  const found = await stat(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  return found.isDirectory() ? path : dirname(path);
}
