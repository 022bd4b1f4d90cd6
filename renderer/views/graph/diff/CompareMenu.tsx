import { GitCompareArrows } from 'lucide-react';
import { Button } from '../../../components/Button';
import { Menu, type MenuItem } from '../../../components/Menu';
import { parentOf } from '../../../state/compareActions';
import { latest } from '../../../state/loadable';
import type { SideChoice } from '../../../state/sideChoice';
import { useStore, useStores } from '../../../state/storesContext';

/** Compares the graph that is shown with that of the parent, the working tree, or anything else. */
export function CompareMenu() {
  const stores = useStores();
  const { workspace, graph, graphDiff, compare } = stores;
  const path = useStore(workspace, (state) => state.path);
  const commit = useStore(workspace, (state) => state.commit);
  const isBare = useStore(workspace, (state) => latest(state.repository)?.bare ?? true);
  const source = useStore(graph, (state) => state.source);
  // Parents are known once the history, or the commit itself, is.
  useStore(stores.history, (state) => state.loaded);
  useStore(stores.checkpoint, (state) => state.commit);
  if (path === null) return null;
  const at = (revision: string): SideChoice => ({ kind: 'revision', repository: null, revision, path });
  const worktree: SideChoice = { kind: 'worktree', repository: null, path };
  const isWorktree = source === 'worktree';
  const current = isWorktree ? worktree : commit === null ? null : at(commit);
  const parent = commit === null || isWorktree ? null : parentOf(stores, commit);
  const items: MenuItem[] = [
    ...(isWorktree && commit !== null
      ? [{ id: 'commit', label: 'The selected commit', onSelect: () => graphDiff.getState().show({ a: at(commit), b: worktree }) }]
      : []),
    ...(isWorktree
      ? []
      : [
          {
            id: 'parent',
            label: parent === null ? 'The parent: there is none' : `The parent ${parent.slice(0, 8)}`,
            disabled: parent === null,
            onSelect: () => {
              if (parent !== null) graphDiff.getState().show({ a: at(parent), b: current });
            },
          },
        ]),
    ...(isBare || isWorktree ? [] : [{ id: 'worktree', label: 'The working tree', onSelect: () => graphDiff.getState().show({ a: current, b: worktree }) }]),
    {
      id: 'other',
      label: 'Another version, or a file…',
      startsGroup: true,
      onSelect: () => {
        graphDiff.getState().show({ a: null, b: current });
        compare.getState().pick('a');
      },
    },
  ];
  return (
    <Menu label="Compare the graph with" items={items} align="end">
      <Button icon={<GitCompareArrows size={14} />}>Compare with…</Button>
    </Menu>
  );
}
