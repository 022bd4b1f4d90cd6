import type { CommitHash } from '../../shared/model/commit';
import type { Stores } from './createStores';

/** What the menus of commits and branches do. */
export function commitActions({ refs }: Pick<Stores, 'refs'>) {
  const { ask, switchTo } = refs.getState();
  return {
    createBranch: (commit: CommitHash) => ask({ kind: 'branch', commit }),
    createTag: (commit: CommitHash) => ask({ kind: 'tag', commit }),
    switchTo: (name: string) => void switchTo(name),
  };
}
