import type { WorkChange } from '../../shared/contract/trackRequests';

/** What can be committed as a version of a checkpoint: a file that is there and not in conflict. */
export function isCommittable({ kind }: Pick<WorkChange, 'kind'>): boolean {
  return kind === 'modified' || kind === 'added';
}

/** Changed files that git-theta keeps; it takes over others only when the user says so, one by one. */
export function changedPaths(changes: readonly WorkChange[]): string[] {
  return changes.filter((change) => isCommittable(change) && change.filter === 'theta').map(({ path }) => path);
}

/** Whether git would keep all of the file in its own store when it is added as it is. */
export function isStoredWhole({ kind, filter }: Pick<WorkChange, 'kind' | 'filter'>): boolean {
  return kind !== 'deleted' && filter !== 'theta' && filter !== 'lfs';
}

/** Whether there is something to go back to. Of a file in conflict that would decide the merge for one side. */
export function isDiscardable({ kind }: Pick<WorkChange, 'kind'>): boolean {
  return kind === 'modified' || kind === 'deleted';
}
