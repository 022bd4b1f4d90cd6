import type { CommitHash } from '../../../shared/model/commit';
import type { TimelineIndex } from '../../../shared/model/timeline';

/** One group through all columns of a timeline. */
export interface GroupHistory {
  readonly index: TimelineIndex;
  /** By column: the number of the stored value; 0 where the group is not there. */
  readonly contents: Uint32Array<ArrayBuffer>;
  /** By column: place of its change in `changes`; -1 where it is what it was in the first parent. */
  readonly changes: Int32Array<ArrayBuffer>;
  place(commit: CommitHash): number | undefined;
}

/** Follows a group by its row; `null` when no version has a group of this name. */
export function groupHistory(index: TimelineIndex, name: string): GroupHistory | null {
  const row = index.rows.findIndex((candidate) => candidate.name === name);
  if (row === -1) return null;
  const { starts, rows, contents } = index.changes;
  const changes = new Int32Array(index.columns.length).fill(-1);
  const values = new Uint32Array(index.columns.length);
  for (const [column, { parents }] of index.columns.entries()) {
    const found = find(rows, row, starts[column] ?? 0, starts[column + 1] ?? 0);
    changes[column] = found;
    const [first] = parents;
    values[column] = found === -1 ? (first === undefined ? 0 : (values[first] ?? 0)) : (contents[found] ?? 0);
  }
  const places = new Map(index.columns.map(({ commit }, place) => [commit, place]));
  return { index, contents: values, changes, place: (commit) => places.get(commit) };
}

/** Rows of one column ascend. */
function find(rows: Uint32Array, row: number, start: number, end: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  return low < end && rows[low] === row ? low : -1;
}
