import { TIMELINE_KINDS } from '../../../shared/model/timeline';
import { MEASURE_LOOKS, type NumberSource } from '../../state/cellNumbers';
import type { Wanted } from '../../state/numberLoader';
import type { ModuleNumbers } from './moduleNumbers';
import type { ShownTimeline } from './useTimeline';

/** Cells under modules that are measured for their roll-up, in view or not; more would keep the workers from what is on the screen next. */
const MOST_UNDER_MODULES = 4096;
/** Cells that a sort or filter over the whole history has measured. */
const MOST_IN_ALL = 40_000;

const REMOVED = TIMELINE_KINDS.indexOf('removed');

export interface CellWindow {
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
}

/** Numbers to ask for: those in view, newest commits first, then those that roll up into modules in view, then what a sort or filter needs. */
export function wantedCells(shown: ShownTimeline, window: CellWindow, modules: ModuleNumbers): Wanted[] {
  const { options, states, rows } = shown;
  const wanted: Wanted[] = [];
  if (options.measure !== 'update') {
    const { source } = MEASURE_LOOKS[options.measure];
    wanted.push({ source, entries: entriesInView(shown, window, source) });
    const under = new Set<number>();
    for (let at = window.rows[0]; at < window.rows[1]; at++) {
      const place = shown.places[at] ?? -1;
      if (rows.tree[place]?.kind !== 'module') continue;
      for (let next = window.columns[1] - 1; next >= window.columns[0] && under.size < MOST_UNDER_MODULES; next--) {
        for (const entry of modules.entriesOf(options.measure, place, shown.columns[next] ?? 0)) under.add(entry);
      }
    }
    if (under.size > 0) wanted.push({ source, entries: [...under].slice(0, MOST_UNDER_MODULES) });
  }
  if (options.sort === 'drift') wanted.push({ source: 'differences', entries: Array.from(states.rowEntries.subarray(0, MOST_IN_ALL)) });
  if (options.hasNan) wanted.push({ source: 'statistics', entries: newestStates(shown) });
  return wanted;
}

function entriesInView({ states, rows, places, columns }: ShownTimeline, window: CellWindow, source: NumberSource): number[] {
  const { kinds } = states.index.changes;
  const entries = new Set<number>();
  for (let next = window.columns[1] - 1; next >= window.columns[0]; next--) {
    const column = columns[next] ?? 0;
    for (let at = window.rows[0]; at < window.rows[1]; at++) {
      const row = rows.rowAt[places[at] ?? -1] ?? -1;
      if (row < 0) continue;
      const entry = states.statesOf(row)[column] ?? -1;
      if (entry < 0 || kinds[entry] === REMOVED || (source === 'differences' && states.columnOfEntry[entry] !== column)) continue;
      entries.add(entry);
    }
  }
  return [...entries];
}

/** Each group where it was changed last. */
function newestStates({ states }: ShownTimeline): number[] {
  const entries: number[] = [];
  for (let row = 0; row < states.index.rows.length && entries.length < MOST_IN_ALL; row++) {
    const last = (states.rowStarts[row + 1] ?? 0) - 1;
    if (last >= (states.rowStarts[row] ?? 0)) entries.push(states.rowEntries[last] ?? 0);
  }
  return entries;
}
