import type { CommitHash } from '../../../shared/model/commit';
import type { TreeEntry } from '../../git/gitRepository';
import { formatByExtension } from '../checkpoints/guessFormat';
import type { OpenedRepository } from './openedRepository';

/** Files of a commit that are checkpoints by git's attributes or by their extension, in path order; their contents are not looked at. */
export async function checkpointFiles({ git }: Pick<OpenedRepository, 'git'>, commit: CommitHash, signal?: AbortSignal): Promise<readonly TreeEntry[]> {
  const files = (await git.files(commit, signal)).filter((file) => file.kind === 'blob');
  const filters = await git.attributes(
    files.map((file) => file.path),
    ['filter'],
  );
  return files.filter((file) => filters.get(file.path)?.filter === 'theta' || formatByExtension(file.path) !== null);
}
