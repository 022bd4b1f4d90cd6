import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import type { OpenedRepository } from '../repositories/openedRepository';

/**
 * Absolute path of a repository path in the work tree. No folder on the way may be a symbolic link: git would not follow it, and it may lead
 * out of the repository.
 * @throws CheckpointError unsupported-repository (bare), invalid-request
 */
export async function workTreePath({ git }: Pick<OpenedRepository, 'git'>, path: string): Promise<string> {
  const root = git.place.workTree;
  if (root === null) throw new CheckpointError('unsupported-repository', 'A bare repository has no files that could be tracked.');
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /^\.git(?:$|[ .:])/i.test(part) || /^git~\d$/i.test(part) || part.includes('\0'))) {
    throw new CheckpointError('invalid-request', `${path} cannot be a path in a repository.`, { place: { file: path } });
  }
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const found = await lstat(join(root, folder)).catch(() => null);
    if (found?.isSymbolicLink() === true) {
      throw new CheckpointError('invalid-request', `${folder} is a symbolic link; git keeps no files behind one.`, { place: { file: path } });
    }
    if (found !== null && !found.isDirectory()) throw new CheckpointError('invalid-request', `${folder} is a file, not a folder.`, { place: { file: path } });
  }
  return join(root, ...parts);
}
