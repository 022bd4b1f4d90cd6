import type { CommitHash } from '../../shared/model/commit';
import type { Stores } from './createStores';
import { latest } from './loadable';
import type { SideChoice } from './sideChoice';

type CompareStores = Pick<Stores, 'compare' | 'workspace' | 'history'>;

/** The chosen checkpoint at a commit; `null` when no checkpoint is chosen. */
function choiceAt({ workspace }: CompareStores, commit: CommitHash): SideChoice | null {
  const { path } = workspace.getState();
  return path === null ? null : { kind: 'revision', repository: null, revision: commit, path };
}

/** The commit and what it was made from. */
export function compareWithParent(stores: CompareStores, { commit, parent }: { readonly commit: CommitHash; readonly parent: CommitHash }): void {
  const [a, b] = [choiceAt(stores, parent), choiceAt(stores, commit)];
  if (a !== null && b !== null) stores.compare.getState().compare(a, b);
}

/** What is in the working tree against a commit. */
export function compareWithWorkTree(stores: CompareStores, commit: CommitHash): void {
  const a = choiceAt(stores, commit);
  const { path } = stores.workspace.getState();
  if (a !== null && path !== null) stores.compare.getState().compare(a, { kind: 'worktree', repository: null, path });
}

/** Two commits, the older one first as far as the history tells. */
export function compareCommits(stores: CompareStores, one: CommitHash, other: CommitHash): void {
  const { list } = stores.history.getState();
  // The newest commit has the first row.
  const isOlder = (list?.rowOf(one) ?? -1) > (list?.rowOf(other) ?? -1);
  const [a, b] = (isOlder ? [one, other] : [other, one]).map((commit) => choiceAt(stores, commit));
  if (a != null && b != null) stores.compare.getState().compare(a, b);
}

/** First parent of a commit; `null` for a first commit, and while that is not known. */
export function parentOf({ history, checkpoint }: Pick<Stores, 'history' | 'checkpoint'>, commit: CommitHash): CommitHash | null {
  const { list } = history.getState();
  const row = list?.rowOf(commit);
  const listed = row === undefined ? undefined : list?.commitAt(row);
  const shown = latest(checkpoint.getState().commit);
  return listed?.parents[0] ?? (shown?.hash === commit ? (shown.parents[0] ?? null) : null);
}
