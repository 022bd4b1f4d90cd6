import { createStore, type StoreApi } from 'zustand/vanilla';
import { BoundedMap } from '../../shared/base/boundedMap';
import { CheckpointError } from '../../shared/contract/errors';
import type { Output } from '../../shared/contract/requests';
import type { ComparedGroup } from '../../shared/model/comparison';
import type { Side } from '../../shared/model/side';
import type { SliceView, TensorPreview } from '../../shared/model/tensorStats';
import type { Tolerance } from '../charts/closenessBounds';
import { firstView, showIndex } from '../charts/sliceWindow';
import type { Client } from '../client/client';
import { canMeasure } from './comparedNumbers';
import { failed, idle, type Loadable, latest, loading, ready } from './loadable';

export type CompareDetail = Output<'compare/detail'>;

export interface DetailTarget {
  readonly sides: { readonly a: Side; readonly b: Side };
  readonly group: ComparedGroup;
}

/** Pictures of one window of both sides; a side that is not there has none. */
export interface Slices {
  readonly view: SliceView;
  readonly a: TensorPreview | null;
  readonly b: TensorPreview | null;
}

export interface CompareDetailState {
  readonly target: DetailTarget | null;
  /** Idle where there is nothing to measure: one side only, or other shapes. */
  readonly detail: Loadable<CompareDetail>;
  readonly slices: Loadable<Slices>;
  /** Window that is wanted; the one that is shown stands in `slices`. */
  readonly view: SliceView | null;
  /** Element that was gone to. */
  readonly marked: readonly number[] | null;
  show(target: DetailTarget, tolerance: Tolerance): void;
  setView(view: SliceView): void;
  /** Brings an element into the pictures. */
  goTo(index: readonly number[]): void;
  cancel(): void;
  retry(): void;
  leave(): void;
}

export type CompareDetailStore = StoreApi<CompareDetailState>;

const BINS = 100;
const LARGEST = 100;
/** Cells of a picture along each side: as many as are told apart. */
const MOST_CELLS = 192;
/** A wheel turns many times before anything has to be read. */
const REST_MS = 80;
const REMEMBERED = 24;
/** Rows and columns around an element that was gone to: single cells are seen. */
const CLOSE = 32;

/** Everything about one row of a comparison: numbers, histograms, the largest changes, and pictures of a window of both sides. */
export function createCompareDetailStore({ client }: { readonly client: Client }): CompareDetailStore {
  const known = new BoundedMap<string, CompareDetail>(REMEMBERED);
  let running: AbortController | null = null;
  let looking: AbortController | null = null;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let tolerance: Tolerance = { rtol: 0, atol: 0 };

  const store = createStore<CompareDetailState>()((set, get) => ({
    target: null,
    detail: idle,
    slices: idle,
    view: null,
    marked: null,

    show(target, wanted) {
      const before = get().target;
      const isSame = before !== null && keyOf(before) === keyOf(target);
      const isStricter = wanted.rtol === tolerance.rtol && wanted.atol === tolerance.atol;
      tolerance = wanted;
      if (!isSame) {
        const view = firstView(target.group.b?.shape ?? target.group.a?.shape ?? []);
        set({ target, view, marked: null, slices: idle, detail: idle });
        void look(0);
      }
      if (!isSame || (!isStricter && get().detail.kind !== 'failed')) void measure();
    },
    setView(view) {
      set({ view });
      void look(REST_MS);
    },
    goTo(index) {
      const { view, target } = get();
      const shape = target?.group.b?.shape ?? target?.group.a?.shape;
      if (view === null || shape === undefined) return;
      set({ view: showIndex(shape, view, { index, size: CLOSE }), marked: index });
      void look(0);
    },
    cancel() {
      running?.abort();
      const { detail } = get();
      if (detail.kind !== 'loading') return;
      const last = latest(detail);
      set({ detail: last === undefined ? failed(new CheckpointError('cancelled', 'The groups were not compared.')) : ready(last) });
    },
    retry() {
      void measure();
      void look(0);
    },
    leave() {
      running?.abort();
      looking?.abort();
      clearTimeout(resting);
      set({ target: null, detail: idle, slices: idle, view: null, marked: null });
    },
  }));

  async function measure(): Promise<void> {
    running?.abort();
    const { target, detail } = store.getState();
    if (target === null || !canMeasure(target.group)) return;
    const key = `${keyOf(target)}\n${tolerance.rtol} ${tolerance.atol}`;
    const value = known.get(key);
    if (value !== undefined) {
      store.setState({ detail: ready(value) });
      return;
    }
    const controller = new AbortController();
    const { signal } = controller;
    running = controller;
    store.setState({ detail: loading(detail) });
    try {
      const pair = { a: target.group.a?.name ?? '', b: target.group.b?.name ?? '' };
      const measured = await client.request(
        'compare/detail',
        { ...target.sides, pair, ...tolerance, bins: BINS, largest: LARGEST },
        {
          signal,
          onProgress: (progress) => {
            if (!signal.aborted) store.setState({ detail: loading(store.getState().detail, progress) });
          },
        },
      );
      if (signal.aborted) return;
      known.set(key, measured);
      store.setState({ detail: ready(measured) });
    } catch (error) {
      if (!signal.aborted) store.setState({ detail: failed(CheckpointError.from(error)) });
    }
  }

  async function look(rest: number): Promise<void> {
    looking?.abort();
    clearTimeout(resting);
    const controller = new AbortController();
    looking = controller;
    if (rest > 0) await new Promise((resolve) => (resting = setTimeout(resolve, rest)));
    const { target, view } = store.getState();
    if (controller.signal.aborted || target === null || view === null) return;
    store.setState({ slices: loading(store.getState().slices) });
    try {
      const slice = (side: Side, group: ComparedGroup['a']) => pictureOf(client, { side, group, view, signal: controller.signal });
      const [a, b] = await Promise.all([slice(target.sides.a, target.group.a), slice(target.sides.b, target.group.b)]);
      if (!controller.signal.aborted) store.setState({ slices: ready({ view, a, b }) });
    } catch (error) {
      if (!controller.signal.aborted) store.setState({ slices: failed(CheckpointError.from(error), store.getState().slices) });
    }
  }
  return store;
}

interface PictureOptions {
  readonly side: Side;
  readonly group: ComparedGroup['a'];
  readonly view: SliceView;
  readonly signal: AbortSignal;
}

/** A side of another shape is shown by its own first window. */
async function pictureOf(client: Client, { side, group, view, signal }: PictureOptions): Promise<TensorPreview | null> {
  if (group === null || group.error !== null || group.shape.includes(0)) return null;
  const fits =
    group.shape.length === view.fixed.length &&
    view.rows[1] <= (view.rowAxis === null ? 1 : (group.shape[view.rowAxis] ?? 0)) &&
    view.columns[1] <= (view.columnAxis === null ? 1 : (group.shape[view.columnAxis] ?? 0)) &&
    view.fixed.every((place, axis) => axis === view.rowAxis || axis === view.columnAxis || place < (group.shape[axis] ?? 0));
  const wanted = fits ? view : firstView(group.shape);
  const input = {
    side,
    group: group.name,
    view: { ...wanted, fixed: [...wanted.fixed], rows: [...wanted.rows] as [number, number], columns: [...wanted.columns] as [number, number] },
    maxRows: MOST_CELLS,
    maxColumns: MOST_CELLS,
  };
  return (await client.request('side/slice', input, { signal })).preview;
}

function keyOf({ sides, group }: DetailTarget): string {
  return JSON.stringify([sides, group.a?.name ?? null, group.b?.name ?? null]);
}
