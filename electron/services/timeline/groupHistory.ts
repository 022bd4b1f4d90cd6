import type { CommitHash } from '../../../shared/model/commit';
import type { TimelineIndex } from '../../../shared/model/timeline';

/** One group through all columns of a timeline. */
export interface GroupHistory {
  readonly index: TimelineIndex;
  /** By column: the number of the stored value; 0 where the group is not there. */
  readonly contents: Uint32Array<ArrayBuffer>;
  /** By column: place of its change in `changes`; -1 where it is what it was in the first parent. */
  readonly changes: Int32Array<ArrayBuffer>;
  /** The name that the group has at a column. Before it was renamed, that is another one. */
  nameAt(column: number): string;
  place(commit: CommitHash): number | undefined;
}

/**
 * Follows a group by its row, and back through its renames: in the versions that a rename came from, it is what had the former name. `null` when no
 * version has a group of this name.
 */
export function groupHistory(index: TimelineIndex, name: string): GroupHistory | null {
  const row = index.rows.findIndex((candidate) => candidate.name === name);
  if (row === -1) return null;
  const { changes, contents } = followRow(index, row);
  const names = new Array<string>(index.columns.length).fill(name);
  for (const { column, from, isBefore } of formerNames(index, row)) {
    const former = followRow(index, from);
    for (let at = 0; at < column; at++) {
      if (isBefore[at] !== 1 || contents[at] !== 0 || former.contents[at] === 0) continue;
      contents[at] = former.contents[at] ?? 0;
      changes[at] = former.changes[at] ?? -1;
      names[at] = index.rows[from]?.name ?? name;
    }
  }
  const places = new Map(index.columns.map(({ commit }, place) => [commit, place]));
  return { index, contents, changes, nameAt: (column) => names[column] ?? name, place: (commit) => places.get(commit) };
}

function followRow({ columns, changes: { starts, rows, contents } }: TimelineIndex, row: number): Pick<GroupHistory, 'changes' | 'contents'> {
  const changes = new Int32Array(columns.length).fill(-1);
  const values = new Uint32Array(columns.length);
  for (const [column, { parents }] of columns.entries()) {
    const found = find(rows, row, starts[column] ?? 0, starts[column + 1] ?? 0);
    changes[column] = found;
    const [first] = parents;
    values[column] = found === -1 ? (first === undefined ? 0 : (values[first] ?? 0)) : (contents[found] ?? 0);
  }
  return { changes, contents: values };
}

interface FormerName {
  readonly column: number;
  readonly from: number;
  /** By column: 1 where the rename came from it. */
  readonly isBefore: Uint8Array;
}

/** Renames that led to a row, those of its former names among them, the nearest first. */
function formerNames({ columns, renames }: TimelineIndex, row: number): readonly FormerName[] {
  const found: FormerName[] = [];
  const seen = new Set<number>([row]);
  for (const to of seen) {
    for (const rename of renames) {
      if (rename.to !== to || seen.has(rename.from)) continue;
      seen.add(rename.from);
      found.push({ ...rename, isBefore: ancestors(columns, rename.column) });
    }
  }
  return found;
}

/** Parents stand before their children. */
function ancestors(columns: TimelineIndex['columns'], column: number): Uint8Array {
  const marked = new Uint8Array(columns.length);
  const mark = (at: number) => {
    for (const parent of columns[at]?.parents ?? []) marked[parent] = 1;
  };
  mark(column);
  for (let at = column - 1; at >= 0; at--) if (marked[at] === 1) mark(at);
  return marked;
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
