import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import { TIMELINE_KINDS, type TimelineColumn } from '../../../shared/model/timeline';
import { formatNumber } from '../../charts/formatNumber';
import { ABSENT, type TimelineStates, UNCHANGED } from '../../charts/timelineStates';
import { updateLook } from '../../components/updateLook';
import { MEASURE_LOOKS } from '../../state/cellNumbers';
import type { ModuleNumbers } from './moduleNumbers';
import type { ShownTimeline } from './useTimeline';

/** A cell in words. */
export interface CellDescription {
  /** Full name of the group, or the label of the module. */
  readonly name: string;
  readonly column: TimelineColumn;
  /** Kinds of change for glyphs; `unchanged` when there is none. */
  readonly kinds: readonly string[];
  readonly what: string;
  readonly storedBytes: number | null;
  /** `‖Δ‖ 0.0123`; `null` when cells are coloured by update type. */
  readonly number: string | null;
}

/** @param cell places among the rows and columns that are shown */
export function describeCell(shown: ShownTimeline, cell: { readonly row: number; readonly column: number }, modules: ModuleNumbers): CellDescription | null {
  const { states, rows, places, columns, options } = shown;
  const place = places[cell.row] ?? -1;
  const treeRow = rows.tree[place];
  const index = columns[cell.column] ?? -1;
  const column = states.index.columns[index];
  if (treeRow === undefined || column === undefined) return null;
  const number = options.measure === 'update' ? null : numberText(shown, { place, index }, modules);
  if (treeRow.kind === 'module') {
    const changes = shown.changesOf(place);
    const count = changes.counts[index] ?? 0;
    const set = changes.kindSets[index] ?? 0;
    const kinds = TIMELINE_KINDS.filter((_, code) => (set & (1 << code)) !== 0);
    return {
      name: treeRow.label,
      column,
      kinds: count === 0 ? ['unchanged'] : kinds,
      what:
        column.error?.message ?? `${formatCount(count)} of ${formatCount(treeRow.totals.groups)} ${treeRow.totals.groups === 1 ? 'group' : 'groups'} changed`,
      storedBytes: count === 0 ? null : (changes.storedBytes[index] ?? 0),
      number,
    };
  }
  const row = rows.rowAt[place] ?? -1;
  const name = treeRow.entry.group.name;
  if (column.error !== null) return { name, column, kinds: ['conflict'], what: column.error.message, storedBytes: null, number: null };
  const kind = states.kindAt(row, index);
  if (kind === ABSENT) return { name, column, kinds: [], what: 'Not in this version', storedBytes: null, number: null };
  if (kind === UNCHANGED) return { name, column, kinds: ['unchanged'], what: updateLook('unchanged').label, storedBytes: null, number };
  const id = TIMELINE_KINDS[kind] ?? 'other';
  return {
    name,
    column,
    kinds: [id],
    what: renameAt(states, row, index) ?? updateLook(id).label,
    storedBytes: states.index.changes.storedBytes[states.statesOf(row)[index] ?? -1] ?? 0,
    number,
  };
}

/** `Renamed from a`; in the row that a rename leaves, `Renamed to b`, so that nobody looks for a lost value. */
function renameAt({ index }: TimelineStates, row: number, column: number): string | null {
  const rename = index.renames.find((one) => one.column === column && (one.from === row || one.to === row));
  if (rename === undefined) return null;
  return rename.to === row ? `Renamed from ${index.rows[rename.from]?.name}` : `Renamed to ${index.rows[rename.to]?.name}`;
}

function numberText(
  { states, numbers, rows, options }: ShownTimeline,
  at: { readonly place: number; readonly index: number },
  modules: ModuleNumbers,
): string | null {
  if (options.measure === 'update') return null;
  const { short, source } = MEASURE_LOOKS[options.measure];
  const row = rows.rowAt[at.place] ?? -1;
  if (row < 0) {
    const { value, known, total } = modules.at(options.measure, at.place, at.index);
    if (total === 0) return source === 'differences' ? `${short} 0` : null;
    if (known === 0) return `${short} not measured yet`;
    return `${short} ${formatNumber(value)}${known < total ? ` (from ${formatCount(known)} of ${formatCount(total)} groups)` : ''}`;
  }
  const entry = states.statesOf(row)[at.index] ?? -1;
  if (entry < 0) return null;
  if (source === 'differences' && states.columnOfEntry[entry] !== at.index) return `${short} 0`;
  switch (numbers.status(source, entry)) {
    case 'known':
      return `${short} ${formatNumber(numbers.value(options.measure, entry))}`;
    case 'none':
      return `${short}: nothing to compare with`;
    case 'failed':
      return `${short} could not be measured`;
    case 'unknown':
      return `${short} not measured yet`;
  }
}

/** One line for readers of the screen and the status bar. */
export function cellSentence({ name, column, what, storedBytes, number }: CellDescription): string {
  const parts = [
    `${name} at ${column.commit.slice(0, 7)} ${column.title}`,
    what,
    storedBytes === null || storedBytes === 0 ? null : `${formatBytes(storedBytes)} stored`,
    number,
  ];
  return parts.filter((part) => part !== null).join(', ');
}
