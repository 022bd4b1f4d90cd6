import type { ChangedGroup } from '../../shared/model/checkpoint';
import { TIMELINE_KINDS, type TimelineKind } from '../../shared/model/timeline';
import type { NamePattern } from './namePattern';
import { sortTree, weighTree } from './sortTree';
import type { TimelineStates } from './timelineStates';
import { buildModuleTree, type ModuleTree } from './treeRows';

export interface RowFilter {
  readonly pattern: NamePattern;
  /** Rows to which some commit did this. */
  readonly kind: TimelineKind | null;
  readonly dtype: string | null;
  /** Two columns between which the value must differ. */
  readonly range: readonly [number, number] | null;
  /** Any further condition. */
  readonly isWanted?: (row: number) => boolean;
}

/** Rows of the index that fit, in its order. */
export function filterRows(states: TimelineStates, { pattern, kind, dtype, range, isWanted }: RowFilter): number[] {
  const { rows, changes } = states.index;
  const code = kind === null ? -1 : TIMELINE_KINDS.indexOf(kind);
  const hasKind = (row: number) => {
    const end = states.rowStarts[row + 1] ?? 0;
    for (let at = states.rowStarts[row] ?? 0; at < end; at++) if (changes.kinds[states.rowEntries[at] ?? -1] === code) return true;
    return false;
  };
  const fitting: number[] = [];
  for (const [row, { name, dtype: type }] of rows.entries()) {
    if (dtype !== null && type !== dtype) continue;
    if (!pattern.fits(name) || (kind !== null && !hasKind(row))) continue;
    if (range !== null && !states.differs(row, range[0], range[1])) continue;
    if (isWanted?.(row) !== false) fitting.push(row);
  }
  return fitting;
}

export interface ArrangedRows {
  readonly tree: ModuleTree;
  /** Row of the index at each place of the tree; -1 for a module. */
  readonly rowAt: Int32Array<ArrayBuffer>;
  /** Place in the tree of each row of the index; -1 for one that was filtered out. */
  readonly placeOf: Int32Array<ArrayBuffer>;
}

/** The module tree of some rows, siblings by name or the greatest weight first. */
export function arrangeRows(
  states: TimelineStates,
  rows: readonly number[],
  order: { readonly weightOf: (row: number) => number; readonly join: 'sum' | 'max' } | null,
): ArrangedRows {
  const all = states.index.rows;
  const rowOf = new Map<ChangedGroup, number>();
  const groups: ChangedGroup[] = [];
  for (const row of rows) {
    const described = all[row];
    if (described === undefined) continue;
    const entry: ChangedGroup = { change: 'unchanged', group: { ...described, updateType: null, storedBytes: 0, oid: null, tiedTo: null, error: null } };
    groups.push(entry);
    rowOf.set(entry, row);
  }
  const indexRow = (row: ModuleTree[number]) => (row.kind === 'group' ? (rowOf.get(row.entry) ?? -1) : -1);
  let tree = buildModuleTree(groups);
  if (order !== null) {
    const named = tree;
    tree = sortTree(
      named,
      weighTree(
        named,
        (at) => {
          const row = named[at];
          return row === undefined ? 0 : order.weightOf(indexRow(row));
        },
        order.join,
      ),
    );
  }
  const rowAt = Int32Array.from(tree, indexRow);
  const placeOf = new Int32Array(all.length).fill(-1);
  rowAt.forEach((row, place) => {
    if (row >= 0) placeOf[row] = place;
  });
  return { tree, rowAt, placeOf };
}
