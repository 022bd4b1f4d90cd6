import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CommitHash } from '../../../shared/model/commit';
import type { CellPlace } from '../../charts/timelineMoves';
import { useStore, useStores } from '../../state/storesContext';
import type { ShownTimeline } from './useTimeline';

/** The cell with the keyboard, by what it is about: it stays when rows are sorted and commits come. */
interface ActiveCell {
  readonly rowId: string | null;
  readonly commit: CommitHash | null;
}

export interface ActiveCellUse {
  readonly active: CellPlace | null;
  /** Column at which a range begins that is being chosen. */
  readonly anchor: number | null;
  readonly setActive: (cell: CellPlace) => void;
  readonly setAnchor: (column: number | null) => void;
}

/** Follows what is chosen in other views, and brings it into view; what is chosen here is in view already. */
export function useActiveCell(shown: ShownTimeline, { show, isReady }: { readonly show: (cell: CellPlace) => void; readonly isReady: boolean }): ActiveCellUse {
  const { workspace } = useStores();
  const commit = useStore(workspace, (state) => state.commit);
  const group = useStore(workspace, (state) => state.group);
  const [cell, setCell] = useState<ActiveCell>({ rowId: group === null ? null : `g:${group}`, commit });
  const [anchorCommit, setAnchorCommit] = useState<CommitHash | null>(null);
  const { rows, places, columns, columnOf, states, uncover } = shown;

  const placeOfId = useMemo(() => {
    const map = new Map<string, number>();
    places.forEach((place, at) => {
      const id = rows.tree[place]?.id;
      if (id !== undefined) map.set(id, at);
    });
    return map;
  }, [rows, places]);
  const active = useMemo(() => {
    if (places.length === 0 || columns.length === 0) return null;
    const row = cell.rowId === null ? undefined : placeOfId.get(cell.rowId);
    const column = cell.commit === null ? undefined : columnOf.get(cell.commit);
    return { row: row ?? 0, column: column ?? columns.length - 1 };
  }, [cell, placeOfId, columnOf, places, columns]);

  const followed = useRef({ commit, group, isReady: false });
  useEffect(() => {
    const before = followed.current;
    followed.current = { commit, group, isReady };
    const first = isReady && !before.isReady;
    if (!isReady || (!first && before.commit === commit && before.group === group)) return;
    setCell((current) => ({ rowId: group !== null && (first || group !== before.group) ? `g:${group}` : current.rowId, commit: commit ?? current.commit }));
    const row = group === null ? -1 : states.index.rows.findIndex(({ name }) => name === group);
    if (row >= 0 && group !== before.group) uncover(row);
    const column = commit === null ? undefined : columnOf.get(commit);
    const at = group === null ? undefined : placeOfId.get(`g:${group}`);
    if (column !== undefined && at !== undefined) show({ row: at, column });
  }, [commit, group, isReady, show, columnOf, placeOfId, states, uncover]);

  const commitAt = useCallback((column: number) => states.index.columns[columns[column] ?? -1]?.commit ?? null, [states, columns]);
  const setActive = useCallback(
    (next: CellPlace) => setCell({ rowId: rows.tree[places[next.row] ?? -1]?.id ?? null, commit: commitAt(next.column) }),
    [rows, places, commitAt],
  );
  const setAnchor = useCallback((column: number | null) => setAnchorCommit(column === null ? null : commitAt(column)), [commitAt]);
  const anchor = anchorCommit === null ? null : (columnOf.get(anchorCommit) ?? null);
  return { active, anchor, setActive, setAnchor };
}
