import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Disposable, toDisposable } from '../../shared/base/disposable';
import { CheckpointError } from '../../shared/contract/errors';
import type { CommitHash } from '../../shared/model/commit';
import type { TimelineIndex, TimelineKind } from '../../shared/model/timeline';
import { TimelineStates } from '../charts/timelineStates';
import { CellNumbers, MEASURES, type Measure } from './cellNumbers';
import { failed, idle, type Loadable, latest, loading, ready } from './loadable';
import { NumberLoader, type Wanted } from './numberLoader';
import type { SettingsStore } from './settingsStore';
import type { StoreContext } from './storeContext';

/** Order of groups and modules; all but the name begin with the largest. */
export const TIMELINE_SORTS = ['name', 'drift', 'last', 'size'] as const;
export type TimelineSort = (typeof TIMELINE_SORTS)[number];

/** A range of versions by its ends, in the order of the columns. */
export interface CommitRange {
  readonly from: CommitHash;
  readonly to: CommitHash;
}

/** What the grid shows and how. Kept while the window is open; those marked are remembered. */
export interface TimelineOptions {
  /** HEAD's history, or every branch. Remembered. */
  readonly scope: 'head' | 'all';
  /** What the colour of a cell tells. Remembered. */
  readonly measure: 'update' | Measure;
  /** Remembered. */
  readonly sort: TimelineSort;
  /** Side of a cell in CSS pixels. Remembered. */
  readonly cell: number;
  /** Commits that left the checkpoint as it was have no column. Remembered. */
  readonly touchedOnly: boolean;
  readonly pattern: string;
  readonly kind: TimelineKind | null;
  readonly dtype: string | null;
  readonly changedInRange: boolean;
  readonly hasNan: boolean;
  readonly range: CommitRange | null;
}

export interface TimelineState {
  /** All versions of the chosen checkpoint; while another loads, the earlier one (of the same checkpoint and scope only). */
  readonly index: Loadable<TimelineIndex>;
  /** Reads the latest index by row. */
  readonly states: TimelineStates | null;
  /** Numbers of the latest index's cells; filled in place: `numbersTurn` tells when. */
  readonly numbers: CellNumbers | null;
  readonly numbersTurn: number;
  readonly numbersError: CheckpointError | null;
  /** Cells that are still to be measured. */
  readonly waiting: number;
  readonly options: TimelineOptions;
  /** Loads the index and keeps it up to date until disposed. */
  watch(): Disposable;
  setOptions(options: Partial<TimelineOptions>): void;
  /** Cells whose numbers are wanted now; replaces what was wanted before. */
  want(wanted: readonly Wanted[]): void;
  retry(): void;
  retryNumbers(): void;
}

export type TimelineStore = StoreApi<TimelineState>;

const REMEMBERED = ['scope', 'measure', 'sort', 'cell', 'touchedOnly'] as const;

export function createTimelineStore({ client, workspace, settings }: Omit<StoreContext, 'notices'> & { readonly settings: SettingsStore }): TimelineStore {
  let watchers = 0;
  let running: AbortController | null = null;
  let shown: { readonly key: string; readonly revision: number } | null = null;

  const store = createStore<TimelineState>()((set, get) => ({
    index: idle,
    states: null,
    numbers: null,
    numbersTurn: 0,
    numbersError: null,
    waiting: 0,
    options: readOptions(settings),

    watch() {
      watchers++;
      follow();
      return toDisposable(() => {
        watchers--;
        if (watchers === 0) leave();
      });
    },

    setOptions(change) {
      const options = { ...get().options, ...change };
      // A filter by a range that is gone would show nothing without saying why.
      set({ options: options.range === null ? { ...options, changedInRange: false } : options });
      for (const name of REMEMBERED) if (change[name] !== undefined) settings.getState().setValue(`timeline.${name}`, change[name]);
      if (change.scope !== undefined) follow();
    },

    want(wanted) {
      numbers.want(wanted);
    },

    retry() {
      shown = null;
      follow();
    },

    retryNumbers() {
      numbers.retry();
    },
  }));

  const numbers = new NumberLoader(client, ({ error, waiting }) => {
    store.setState({ numbersTurn: store.getState().numbersTurn + 1, numbersError: error, waiting });
  });

  function leave(): void {
    numbers.want([]);
    if (running === null) return;
    running.abort();
    running = null;
    shown = null;
  }

  function follow(): void {
    const { repository: described, path, revision } = workspace.getState();
    const repository = latest(described)?.id;
    const key = repository === undefined || path === null ? null : `${repository}\0${path}\0${store.getState().options.scope}`;
    if (key === null || repository === undefined || path === null) {
      forget();
      return;
    }
    if (watchers === 0 || (shown?.key === key && shown.revision === revision)) return;
    // Cells of another checkpoint would be taken for this one's.
    if (shown?.key !== key) forget();
    shown = { key, revision };
    void load(repository, path);
  }

  function forget(): void {
    running?.abort();
    running = null;
    shown = null;
    numbers.setTarget(null);
    const { options } = store.getState();
    store.setState({ index: idle, states: null, numbers: null, numbersError: null, waiting: 0, options: { ...options, range: null, changedInRange: false } });
  }

  async function load(repository: string, path: string): Promise<void> {
    running?.abort();
    const controller = new AbortController();
    running = controller;
    store.setState({ index: loading(store.getState().index) });
    try {
      const index = await client.request(
        'timeline/index',
        { repository, path, scope: { kind: store.getState().options.scope } },
        {
          signal: controller.signal,
          onProgress: (progress) => {
            if (!controller.signal.aborted) store.setState({ index: loading(store.getState().index, progress) });
          },
        },
      );
      if (!controller.signal.aborted) show(index, { repository, path });
    } catch (error) {
      if (!controller.signal.aborted) store.setState({ index: failed(CheckpointError.from(error), store.getState().index) });
    } finally {
      if (running === controller) running = null;
    }
  }

  function show(index: TimelineIndex, place: { readonly repository: string; readonly path: string }): void {
    const { states: before, numbers: known } = store.getState();
    const shared = before === null ? null : sharedEntries(before.index, index);
    if (before !== null && shared === index.changes.rows.length && before.index.columns.length === index.columns.length) {
      store.setState({ index: ready(before.index) });
      return;
    }
    const states = new TimelineStates(index);
    const kept = known !== null && shared !== null ? known.grow(index.changes.rows.length) : new CellNumbers(index.changes.rows.length);
    numbers.setTarget({ ...place, states, numbers: kept });
    store.setState({ index: ready(index), states, numbers: kept, numbersError: null, waiting: 0 });
  }

  workspace.subscribe((state, before) => {
    if (state.repository !== before.repository || state.path !== before.path || state.revision !== before.revision) follow();
  });
  return store;
}

/** Entries that the new index has at the same places as the old one, which it continues; `null` when it does not. */
function sharedEntries(old: TimelineIndex, next: TimelineIndex): number | null {
  if (next.columns.length < old.columns.length || next.rows.length < old.rows.length) return null;
  const same = old.columns.every((column, at) => next.columns[at]?.commit === column.commit) && old.rows.every((row, at) => next.rows[at]?.name === row.name);
  const entries = old.changes.rows.length;
  return same && next.changes.starts[old.columns.length] === entries ? entries : null;
}

const MEASURE_NAMES: readonly ('update' | Measure)[] = ['update', ...MEASURES];

function readOptions(settings: SettingsStore): TimelineOptions {
  const { values } = settings.getState();
  const cell = values['timeline.cell'];
  return {
    scope: values['timeline.scope'] === 'all' ? 'all' : 'head',
    measure: MEASURE_NAMES.find((measure) => measure === values['timeline.measure']) ?? 'update',
    sort: TIMELINE_SORTS.find((sort) => sort === values['timeline.sort']) ?? 'name',
    cell: typeof cell === 'number' && cell >= 2 && cell <= 28 ? cell : 28,
    touchedOnly: values['timeline.touchedOnly'] !== false,
    pattern: '',
    kind: null,
    dtype: null,
    changedInRange: false,
    hasNan: false,
    range: null,
  };
}
