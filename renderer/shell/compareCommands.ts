import { compareCommits, compareWithParent, compareWithWorkTree, parentOf } from '../state/compareActions';
import { latest } from '../state/loadable';
import type { Shell } from '../state/storesContext';

/** Commands that choose what is compared. */
export function registerCompareCommands({ stores }: Shell): void {
  const { workspace, compare, commands } = stores;
  const { register } = commands.getState();
  const selected = () => (workspace.getState().path === null ? null : workspace.getState().commit);
  const section = 'Compare';

  register({
    id: 'compare.parent',
    title: 'Compare the selected commit with its parent',
    section,
    enabled: () => {
      const commit = selected();
      return commit !== null && parentOf(stores, commit) !== null;
    },
    run: () => {
      const commit = selected();
      const parent = commit === null ? null : parentOf(stores, commit);
      if (commit !== null && parent !== null) compareWithParent(stores, { commit, parent });
    },
  });
  register({
    id: 'compare.worktree',
    title: 'Compare the selected commit with the working tree',
    section,
    enabled: () => selected() !== null && latest(workspace.getState().repository)?.bare === false,
    run: () => {
      const commit = selected();
      if (commit !== null) compareWithWorkTree(stores, commit);
    },
  });
  register({
    id: 'compare.mark',
    title: 'Mark the selected commit to compare it with another',
    section,
    enabled: () => selected() !== null,
    run: () => compare.getState().mark(selected()),
  });
  register({
    id: 'compare.marked',
    title: 'Compare the selected commit with the marked one',
    section,
    enabled: () => compare.getState().marked !== null && selected() !== null && selected() !== compare.getState().marked,
    run: () => {
      const [commit, { marked }] = [selected(), compare.getState()];
      if (commit !== null && marked !== null) compareCommits(stores, commit, marked);
    },
  });
  for (const side of ['a', 'b'] as const) {
    register({
      id: `compare.choose.${side}`,
      title: `Choose side ${side.toUpperCase()} of the comparison`,
      section,
      enabled: () => latest(workspace.getState().repository) !== undefined,
      run: () => {
        workspace.getState().showView('compare');
        compare.getState().pick(side);
      },
    });
  }
  register({
    id: 'compare.swap',
    title: 'Swap the sides of the comparison',
    section,
    enabled: () => workspace.getState().view === 'compare' && (compare.getState().a !== null || compare.getState().b !== null),
    run: () => compare.getState().swap(),
  });
}
