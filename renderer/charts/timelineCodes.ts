import { TIMELINE_KINDS } from '../../shared/model/timeline';
import type { ModuleChanges } from './moduleChanges';
import type { ArrangedRows } from './timelineRows';
import type { TimelineStates } from './timelineStates';

/** Codes of cells. Below `MODULE_KINDS` a group's update by its kind; from there a module's, by the leading kind; then the states; from `SHADES` numbers. */
export const MODULE_KINDS = 16;
export const CELL_UNCHANGED = 32;
export const CELL_ABSENT = 33;
/** The version cannot be read, or the number could not be had. */
export const CELL_FAILED = 34;
export const CELL_UNKNOWN = 35;
/** NaN, or nothing to compare with. */
export const CELL_NO_NUMBER = 36;
export const SHADES = 64;
export const SHADE_COUNT = 511;
export const CODE_COUNT = SHADES + SHADE_COUNT;

const REMOVED = TIMELINE_KINDS.indexOf('removed');

export interface CodeWindow {
  /** Places in the tree of the rows in view, top to bottom. */
  readonly places: Int32Array;
  /** Columns of the index in view, left to right. */
  readonly columns: Int32Array;
}

export interface CodeSource {
  readonly states: TimelineStates;
  readonly rows: Pick<ArrangedRows, 'rowAt'>;
  readonly changesOf: (place: number) => ModuleChanges;
  /** `null`: cells by update type. Else the code of a number. @param isHere the commit itself changed the group */
  readonly shadeOf: ((entry: number, isHere: boolean) => number) | null;
  readonly moduleShadeOf: (place: number, column: number) => number;
}

/** Codes of all cells of a window, row by row. */
export function readCodes({ places, columns }: CodeWindow, source: CodeSource): Uint16Array<ArrayBuffer> {
  const codes = new Uint16Array(places.length * columns.length);
  const { states, rows } = source;
  const isBroken = Uint8Array.from(columns, (column) => (states.index.columns[column]?.error == null ? 0 : 1));
  for (let at = 0; at < places.length; at++) {
    const place = places[at] ?? 0;
    const row = rows.rowAt[place] ?? -1;
    const line = codes.subarray(at * columns.length, (at + 1) * columns.length);
    if (row >= 0) readGroup(line, { columns, row, source });
    else readModule(line, { columns, place, source });
    for (let column = 0; column < line.length; column++) if (isBroken[column] === 1) line[column] = CELL_FAILED;
  }
  return codes;
}

function readGroup(line: Uint16Array, { columns, row, source }: { readonly columns: Int32Array; readonly row: number; readonly source: CodeSource }): void {
  const { states, shadeOf } = source;
  const { kinds } = states.index.changes;
  const entries = states.statesOf(row);
  for (let at = 0; at < columns.length; at++) {
    const column = columns[at] ?? 0;
    const entry = entries[column] ?? -1;
    const isHere = entry >= 0 && states.columnOfEntry[entry] === column;
    const kind = entry < 0 ? REMOVED : (kinds[entry] ?? 0);
    if (entry < 0 || (kind === REMOVED && (!isHere || shadeOf !== null))) line[at] = CELL_ABSENT;
    else if (shadeOf !== null) line[at] = shadeOf(entry, isHere);
    else line[at] = isHere ? kind : CELL_UNCHANGED;
  }
}

function readModule(
  line: Uint16Array,
  { columns, place, source }: { readonly columns: Int32Array; readonly place: number; readonly source: CodeSource },
): void {
  if (source.shadeOf !== null) {
    for (let at = 0; at < columns.length; at++) line[at] = source.moduleShadeOf(place, columns[at] ?? 0);
    return;
  }
  const { kinds } = source.changesOf(place);
  for (let at = 0; at < columns.length; at++) {
    const kind = kinds[columns[at] ?? 0] ?? -1;
    line[at] = kind < 0 ? CELL_UNCHANGED : MODULE_KINDS + kind;
  }
}
