import { useCallback, useMemo, useState } from 'react';
import { BoundedMap } from '../../../shared/base/boundedMap';
import type { CommitHash } from '../../../shared/model/commit';

import { type ModuleChanges, moduleChanges } from '../../charts/moduleChanges';
import { parseNamePattern } from '../../charts/namePattern';
import { visibleRows } from '../../charts/nameTree';
import { type ArrangedRows, arrangeRows, filterRows } from '../../charts/timelineRows';
import type { TimelineStates } from '../../charts/timelineStates';
import type { CellNumbers } from '../../state/cellNumbers';
import { useStore, useStores } from '../../state/storesContext';
import type { TimelineOptions } from '../../state/timelineStore';
import { driftOf, hasNan, lastChangeOf } from './rowWeights';

/** Trees up to this many rows open in full; of longer ones only the outermost modules. */
const SHORT = 1500;

/** What the grid shows, arranged from the store's index and options. */
export interface ShownTimeline {
  readonly states: TimelineStates;
  readonly numbers: CellNumbers;
  readonly options: TimelineOptions;
  readonly rows: ArrangedRows;
  /** Places in the tree of the rows that no closed module hides. */
  readonly places: Int32Array;
  /** Columns of the index that are shown, left to right. */
  readonly columns: Int32Array<ArrayBuffer>;
  /** Place among the shown columns of each commit. */
  readonly columnOf: ReadonlyMap<CommitHash, number>;
  /** Ends of the chosen range among the shown columns. */
  readonly range: readonly [number, number] | null;
  readonly closed: ReadonlySet<string>;
  readonly patternProblem: string | null;
  readonly changesOf: (place: number) => ModuleChanges;
  readonly toggle: (moduleId: string) => void;
  /** Opens or closes every module. */
  readonly toggleAll: () => void;
  /** Opens the modules around a group. */
  readonly uncover: (row: number) => void;
}

export function useTimeline(): ShownTimeline | null {
  const { timeline } = useStores();
  const states = useStore(timeline, (state) => state.states);
  const numbers = useStore(timeline, (state) => state.numbers);
  const options = useStore(timeline, (state) => state.options);
  const turn = useStore(timeline, (state) => (state.options.hasNan ? state.numbersTurn : 0));
  // Rows move when everything that is known has come, not with each batch.
  const settled = useStore(timeline, (state) => (state.options.sort === 'drift' && state.waiting === 0 ? state.numbersTurn : 0));
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());

  const columns = useMemo(() => (states === null ? null : shownColumns(states, options.touchedOnly)), [states, options.touchedOnly]);
  const columnOf = useMemo(() => {
    const places = new Map<CommitHash, number>();
    columns?.forEach((column, place) => {
      const commit = states?.index.columns[column]?.commit;
      if (commit !== undefined) places.set(commit, place);
    });
    return places;
  }, [states, columns]);
  const range = useMemo(() => {
    const [from, to] = [columnOf.get(options.range?.from ?? ('' as CommitHash)), columnOf.get(options.range?.to ?? ('' as CommitHash))];
    return from === undefined || to === undefined ? null : ([Math.min(from, to), Math.max(from, to)] as const);
  }, [columnOf, options.range]);

  const pattern = useMemo(() => parseNamePattern(options.pattern), [options.pattern]);
  const { kind, dtype, changedInRange, hasNan: nanOnly, sort } = options;
  const fitting = useMemo(() => {
    if (states === null || numbers === null || columns === null) return null;
    const ends = changedInRange && range !== null ? ([columns[range[0]] ?? 0, columns[range[1]] ?? 0] as const) : null;
    void turn;
    return filterRows(states, { pattern, kind, dtype, range: ends, ...(nanOnly ? { isWanted: (row) => hasNan(states, numbers, row) } : {}) });
  }, [states, numbers, columns, pattern, kind, dtype, changedInRange, nanOnly, range, turn]);
  const rows = useMemo(() => {
    if (states === null || numbers === null || fitting === null) return null;
    void settled;
    if (sort === 'size') return arrangeRows(states, fitting, { join: 'sum', weightOf: (row) => states.index.rows[row]?.bytes ?? 0 });
    if (sort === 'last') return arrangeRows(states, fitting, { join: 'max', weightOf: (row) => lastChangeOf(states, row) });
    if (sort === 'drift') return arrangeRows(states, fitting, { join: 'sum', weightOf: driftOf(states, numbers) });
    return arrangeRows(states, fitting, null);
  }, [states, numbers, fitting, sort, settled]);

  const closed = useMemo(() => (rows === null ? new Set<string>() : closedModules(rows, choices)), [rows, choices]);
  const places = useMemo(() => (rows === null ? null : visibleRows(rows.tree, closed)), [rows, closed]);
  const changesOf = useMemo(() => {
    const known = new BoundedMap<number, ModuleChanges>(8 << 20, { weigh: (changes) => changes.counts.length, atLeast: 1 });
    return (place: number) => {
      let changes = known.get(place);
      if (changes === undefined && states !== null && rows !== null) {
        changes = moduleChanges(states, rows, place);
        known.set(place, changes);
      }
      if (changes === undefined) throw new RangeError('No module without a tree');
      return changes;
    };
  }, [states, rows]);
  const toggle = useCallback((id: string) => setChoices((before) => new Map(before).set(id, closed.has(id))), [closed]);
  const toggleAll = useCallback(() => {
    const ids = rows?.tree.flatMap((row) => (row.kind === 'module' ? [row.id] : [])) ?? [];
    setChoices(new Map(ids.map((id) => [id, closed.size > 0])));
  }, [rows, closed]);
  const uncover = useCallback(
    (row: number) => {
      const place = rows?.placeOf[row] ?? -1;
      if (rows === null || place < 0) return;
      const around = rows.tree.flatMap((module, at) =>
        module.kind === 'module' && at < place && place < module.end && closed.has(module.id) ? [module.id] : [],
      );
      if (around.length > 0) setChoices((before) => new Map([...before, ...around.map((id) => [id, true] as const)]));
    },
    [rows, closed],
  );

  return useMemo(
    () =>
      states === null || numbers === null || columns === null || rows === null || places === null
        ? null
        : { states, numbers, options, rows, places, columns, columnOf, range, closed, patternProblem: pattern.problem, changesOf, toggle, toggleAll, uncover },
    [states, numbers, options, rows, places, columns, columnOf, range, closed, pattern, changesOf, toggle, toggleAll, uncover],
  );
}

function shownColumns(states: TimelineStates, touchedOnly: boolean): Int32Array<ArrayBuffer> {
  const columns: number[] = [];
  for (const [column, { touched, error }] of states.index.columns.entries()) if (!touchedOnly || touched || error !== null) columns.push(column);
  return Int32Array.from(columns);
}

function closedModules({ tree }: ArrangedRows, choices: ReadonlyMap<string, boolean>): ReadonlySet<string> {
  const closed = new Set<string>();
  const isLong = tree.length > SHORT;
  for (const row of tree) if (row.kind === 'module' && !(choices.get(row.id) ?? (!isLong || row.depth === 0))) closed.add(row.id);
  return closed;
}
