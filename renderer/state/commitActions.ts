import type { CommitHash } from '../../shared/model/commit';
import { compareCommits, compareWithParent, compareWithWorkTree } from './compareActions';
import type { Stores } from './createStores';

/** What the menus of commits and branches do. */
export function commitActions(stores: Pick<Stores, 'refs' | 'compare' | 'workspace' | 'history'>) {
  const { ask, switchTo } = stores.refs.getState();
  return {
    createBranch: (commit: CommitHash) => ask({ kind: 'branch', commit }),
    createTag: (commit: CommitHash) => ask({ kind: 'tag', commit }),
    switchTo: (name: string) => void switchTo(name),
    compareWithParent: (commit: CommitHash, parent: CommitHash) => compareWithParent(stores, { commit, parent }),
    compareWithWorkTree: (commit: CommitHash) => compareWithWorkTree(stores, commit),
    compareCommits: (one: CommitHash, other: CommitHash) => compareCommits(stores, one, other),
    markToCompare: (commit: CommitHash) => stores.compare.getState().mark(commit),
  };
}
