import { useMemo } from 'react';
import type { CellPlace } from '../../charts/timelineMoves';
import { useStores } from '../../state/storesContext';
import type { ShownTimeline } from './useTimeline';

export interface GridChoices {
  /** Chooses commit and group of a cell, for all views. */
  choose(cell: CellPlace): void;
  chooseColumn(column: number): void;
  /** A group is chosen, a module opened or closed. */
  chooseRow(row: number): void;
  /** Chooses all versions between two columns; none when both are the same. */
  setRange(from: number, to: number): void;
  clearRange(): void;
}

export function useGridChoices(shown: ShownTimeline): GridChoices {
  const { timeline, workspace } = useStores();
  const { states, rows, places, columns, toggle } = shown;
  return useMemo(() => {
    const commitAt = (column: number) => states.index.columns[columns[column] ?? -1]?.commit;
    const rowAt = (row: number) => rows.tree[places[row] ?? -1];
    const choices: GridChoices = {
      choose({ row: at, column }) {
        choices.chooseColumn(column);
        const row = rowAt(at);
        if (row?.kind === 'group') workspace.getState().selectGroup(row.entry.group.name);
      },
      chooseColumn(column) {
        const commit = commitAt(column);
        if (commit !== undefined) workspace.getState().selectCommit(commit);
      },
      chooseRow(at) {
        const row = rowAt(at);
        if (row?.kind === 'module') toggle(row.id);
        else if (row?.kind === 'group') workspace.getState().selectGroup(row.entry.group.name);
      },
      setRange(from, to) {
        const [a, b] = [commitAt(Math.min(from, to)), commitAt(Math.max(from, to))];
        if (a !== undefined && b !== undefined) timeline.getState().setOptions({ range: from === to ? null : { from: a, to: b } });
      },
      clearRange() {
        timeline.getState().setOptions({ range: null });
      },
    };
    return choices;
  }, [timeline, workspace, states, rows, places, columns, toggle]);
}
