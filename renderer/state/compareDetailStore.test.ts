import { describe, expect, it, vi } from 'vitest';
import type { ComparedGroup } from '../../shared/model/comparison';
import { type CompareDetailStore, createCompareDetailStore } from './compareDetailStore';
import { deferred, fakeClient } from './testing/fakeHost';
import { hashOf } from './testing/samples';

const stats = { count: 12, finite: 12, nan: 0, positiveInfinity: 0, negativeInfinity: 0, zeros: 0, min: 0, max: 1, mean: 0, std: 1, l1: 1, norm: 1 };
const whole = { ...stats, subnormals: 0, distinct: { count: 12, exact: true }, exact: null };
const numbers = {
  comparedAs: 'float32',
  shape: [3, 4],
  elements: 12,
  changed: 1,
  beyond: 1,
  rtol: 0,
  atol: 0,
  notFinite: 0,
  signFlips: 0,
  maxAbs: 1,
  maxAt: [2, 3],
  maxRelative: 1,
  meanAbs: 1,
  rms: 1,
  norm: 1,
  relativeL2: 1,
  cosine: 1,
  maxUlp: 1,
} as const;
const structure = { rank: 1, rankIsAtLeast: false, spectrum: [1], scaling: null, permutation: null, words: ['a rank-1 update'] };

function sideOf(name: string, shape: readonly number[] = [3, 4]) {
  return { name, dtype: 'float32', shape, bytes: 48, updateType: null, tiedTo: null, error: null } as const;
}

const sides = {
  a: { kind: 'version', repository: 'r1', commit: hashOf(1), path: 'm.pt' },
  b: { kind: 'file', path: '/m.pt' },
} as const;
const pair: ComparedGroup = { a: sideOf('w'), b: sideOf('w'), change: 'modified', renamedBy: null };
const BITS = { rtol: 0, atol: 0 };

function storeOver({ wait }: { readonly wait?: () => Promise<undefined> } = {}) {
  const { host, client } = fakeClient({
    'compare/detail': async () => {
      await wait?.();
      return { numbers, structure, stats: { a: whole, b: whole }, histograms: null, delta: null, largest: [{ index: [2, 3], a: '0', b: '1', delta: 1 }] };
    },
    'side/slice': ({ view }) => {
      const [rows, columns] = [view.rows[1] - view.rows[0], view.columns[1] - view.columns[0]];
      return {
        dtype: 'float32',
        shape: [3, 4],
        preview: { rows, columns, values: new Float32Array(rows * columns), sourceRows: rows, sourceColumns: columns },
      };
    },
  });
  return { host, store: createCompareDetailStore({ client }) };
}

const isShown = (store: CompareDetailStore) =>
  vi.waitFor(() => {
    expect(store.getState().slices.kind).toBe('ready');
    expect(store.getState().detail.kind).not.toBe('loading');
  });

describe('compareDetailStore', () => {
  it('measures a row and pictures both sides, once for each tolerance', async () => {
    const { host, store } = storeOver();
    store.getState().show({ sides, group: pair }, BITS);
    store.getState().show({ sides, group: pair }, BITS);
    await isShown(store);
    expect(host.inputs('compare/detail')).toEqual([expect.objectContaining({ ...sides, pair: { a: 'w', b: 'w' }, rtol: 0, atol: 0 })]);
    expect(host.inputs('side/slice').map(({ side }) => side)).toEqual([sides.a, sides.b]);
    store.getState().show({ sides, group: pair }, { rtol: 0.1, atol: 0 });
    await vi.waitFor(() => expect(host.inputs('compare/detail')).toHaveLength(2));
    store.getState().show({ sides, group: pair }, BITS);
    await isShown(store);
    expect(host.inputs('compare/detail')).toHaveLength(2);
    expect(host.inputs('side/slice')).toHaveLength(2);
  });

  it('goes to an element: the window follows on both sides', async () => {
    const { host, store } = storeOver();
    const large: ComparedGroup = { ...pair, a: sideOf('w', [3, 4, 1000]), b: sideOf('w', [3, 4, 1000]) };
    store.getState().show({ sides, group: large }, BITS);
    await isShown(store);
    store.getState().goTo([2, 1, 500]);
    await vi.waitFor(() => expect(host.inputs('side/slice')).toHaveLength(4));
    expect(host.inputs('side/slice')[3]?.view).toEqual({ rowAxis: 1, columnAxis: 2, fixed: [2, 1, 500], rows: [0, 4], columns: [484, 516] });
    expect(store.getState().marked).toEqual([2, 1, 500]);
  });

  it('asks once for many turns of the wheel', async () => {
    const { host, store } = storeOver();
    store.getState().show({ sides, group: pair }, BITS);
    await isShown(store);
    const { view } = store.getState();
    if (view === null) throw new Error('no view');
    for (const end of [3, 2, 1]) store.getState().setView({ ...view, rows: [0, end] });
    await vi.waitFor(() => expect(host.inputs('side/slice')).toHaveLength(4));
    expect(host.inputs('side/slice')[2]?.view.rows).toEqual([0, 1]);
  });

  it('measures nothing where a side is missing or shapes differ, and shows what there is', async () => {
    const { host, store } = storeOver();
    store.getState().show({ sides, group: { ...pair, a: null, change: 'added' } }, BITS);
    await isShown(store);
    expect(store.getState().slices).toMatchObject({ value: { a: null, b: { rows: 3 } } });
    store.getState().show({ sides, group: { ...pair, a: sideOf('w', [2, 2]) } }, BITS);
    await vi.waitFor(() => expect(host.inputs('side/slice')).toHaveLength(3));
    await isShown(store);
    expect(host.inputs('side/slice')[1]?.view).toMatchObject({ rows: [0, 2], columns: [0, 2] });
    expect(host.inputs('compare/detail')).toEqual([]);
  });

  it('stops what ran for another row, and when it is left', async () => {
    const gate = deferred<undefined>();
    const { host, store } = storeOver({ wait: () => gate.promise });
    store.getState().show({ sides, group: pair }, BITS);
    store.getState().show({ sides, group: { ...pair, b: sideOf('v') } }, BITS);
    await vi.waitFor(() => expect(host.calls.filter(({ method }) => method === 'compare/detail').map((call) => call.isCancelled)).toEqual([true, false]));
    store.getState().leave();
    await vi.waitFor(() => expect(host.calls.filter(({ method }) => method === 'compare/detail').every((call) => call.isCancelled)).toBe(true));
    gate.resolve(undefined);
    expect(store.getState()).toMatchObject({ target: null, detail: { kind: 'idle' } });
  });
});
