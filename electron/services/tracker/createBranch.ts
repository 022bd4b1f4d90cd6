import type { CommitHash } from '../../../shared/model/commit';
import type { GitWriter } from '../../git/gitWriter';
import { withUndo } from './withUndo';

export interface NewBranch {
  readonly name: string;
  readonly commit: CommitHash;
  /** Whether HEAD is to be on it. */
  readonly switch: boolean;
}

/** Makes a branch and switches to it, or does neither. @throws CheckpointError as createBranch and switchBranch of GitWriter */
export async function createBranch(git: GitWriter, { name, commit, switch: go }: NewBranch, signal?: AbortSignal): Promise<void> {
  await withUndo(async (undo) => {
    await git.createBranch(name, commit);
    undo.add(() => git.deleteBranch(name, commit), `The branch ${name} was made already.`);
    if (go) await git.switchBranch(name, signal);
  });
}
