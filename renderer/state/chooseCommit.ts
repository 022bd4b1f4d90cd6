import type { CommitHash } from '../../shared/model/commit';
import type { Stores } from './createStores';

/** Selects a commit and brings it into view, also when it is selected already but scrolled away. */
export function chooseCommit(stores: Pick<Stores, 'workspace' | 'history'>, commit: CommitHash): void {
  if (stores.workspace.getState().commit === commit) void stores.history.getState().revealCommit(commit);
  else stores.workspace.getState().selectCommit(commit);
}
