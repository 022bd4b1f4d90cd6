import { CheckpointError } from '../../../shared/contract/errors';
import type { GitWriter } from '../../git/gitWriter';

/** Gives the changes of files up, of all or of none. @throws CheckpointError conflict where one is in conflict; as discard of GitWriter */
export async function discardChanges(git: GitWriter, paths: readonly string[], signal?: AbortSignal): Promise<void> {
  await refuseConflicts(git, paths);
  await git.discard(paths, signal);
}

/** Giving up the changes of a file in conflict would decide the merge for one side. */
async function refuseConflicts(git: GitWriter, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (![...(await git.indexEntries(path)).keys()].some((stage) => stage > 0)) continue;
    throw new CheckpointError('conflict', `${path} is in conflict: restoring it would decide the merge for one side.`, {
      place: { file: path },
      hint: 'Decide it with “theta merge”, or give the whole merge up with “git merge --abort”.',
    });
  }
}
