import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { contiguousStrides } from '../../../shared/model/shape';
import type { SliceView } from '../../../shared/model/tensorStats';
import { createViewPicker } from '../../tensors/viewPicker';
import type { TensorPlan } from '../../updates/updateChain';
import { slice } from './slice';

const context = { signal: new AbortController().signal, progress: () => {} };
const SHAPE = [3, 4, 5] as const;
const values = Float32Array.from({ length: 60 }, (_, i) => i);
const bytes = new Uint8Array(values.buffer);

function plan(shape: readonly number[], strides: readonly number[] | null = null): TensorPlan {
  return { kind: 'ref', group: 'w', ref: { dtype: 'float32', shape, source: { kind: 'memory', bytes }, offset: 0, strides, bigEndian: false } };
}

/** The same by asking for every element. */
function byHand(view: SliceView, strides: readonly number[]): number[] {
  const cells: number[] = [];
  for (let row = view.rows[0]; row < view.rows[1]; row++) {
    for (let column = view.columns[0]; column < view.columns[1]; column++) {
      const index = view.fixed.map((held, axis) => (axis === view.rowAxis ? row : axis === view.columnAxis ? column : held));
      cells.push(index.reduce((sum, i, axis) => sum + i * (strides[axis] ?? 0), 0));
    }
  }
  return cells;
}

const views: readonly SliceView[] = [
  { rowAxis: 1, columnAxis: 2, fixed: [1, 0, 0], rows: [0, 4], columns: [0, 5] },
  { rowAxis: 1, columnAxis: 2, fixed: [2, 0, 0], rows: [1, 3], columns: [2, 4] },
  { rowAxis: 2, columnAxis: 0, fixed: [0, 3, 0], rows: [1, 5], columns: [0, 3] },
  { rowAxis: 0, columnAxis: 1, fixed: [0, 0, 4], rows: [0, 3], columns: [1, 2] },
  { rowAxis: null, columnAxis: 1, fixed: [2, 0, 3], rows: [0, 1], columns: [0, 4] },
  { rowAxis: 0, columnAxis: null, fixed: [0, 1, 1], rows: [0, 3], columns: [0, 1] },
  { rowAxis: 1, columnAxis: 2, fixed: [0, 0, 0], rows: [2, 2], columns: [0, 5] },
];

test.each(views)('axes $rowAxis × $columnAxis, rows $rows, columns $columns', async (view) => {
  const wanted = byHand(view, contiguousStrides(SHAPE));
  const size = { rows: view.rows[1] - view.rows[0], columns: view.columns[1] - view.columns[0] };
  const { preview, dtype, shape } = await slice({ plan: plan(SHAPE), view, maxRows: 99, maxColumns: 99 }, context);
  expect([dtype, shape]).toEqual(['float32', SHAPE]);
  expect(preview).toMatchObject({ ...size, sourceRows: size.rows, sourceColumns: size.columns });
  expect([...preview.values]).toEqual(wanted);
  // Picked out of blocks that pass by, in pieces that no row is a multiple of.
  const picker = createViewPicker({ dtype: 'float32', shape: SHAPE }, view, { rows: 99, columns: 99 });
  for (let at = 0; at < bytes.byteLength; at += 28) picker.add(bytes.subarray(at, at + 28));
  expect(picker.finish()).toEqual(preview);
  const turned = await slice({ plan: plan([5, 4, 3].toReversed(), [1, 3, 12]), view, maxRows: 99, maxColumns: 99 }, context);
  expect([...turned.preview.values]).toEqual(byHand(view, [1, 3, 12]));
});

it('averages down, with marks for what is not finite', async () => {
  const odd = Float32Array.of(1, 3, Number.NaN, 0, 5, 7, Number.POSITIVE_INFINITY, 2);
  const of: TensorPlan = {
    kind: 'ref',
    group: 'w',
    ref: { dtype: 'float32', shape: [2, 4], source: { kind: 'memory', bytes: new Uint8Array(odd.buffer) }, offset: 0, strides: null, bigEndian: false },
  };
  const view: SliceView = { rowAxis: 0, columnAxis: 1, fixed: [0, 0], rows: [0, 2], columns: [0, 4] };
  expect([...(await slice({ plan: of, view, maxRows: 1, maxColumns: 2 }, context)).preview.values]).toEqual([4, Number.NaN]);
  expect([...(await slice({ plan: of, view, maxRows: 2, maxColumns: 2 }, context)).preview.values]).toEqual([2, Number.NaN, 6, Number.POSITIVE_INFINITY]);
  const picker = createViewPicker({ dtype: 'float32', shape: [2, 4] }, view, { rows: 2, columns: 2 });
  picker.add(new Uint8Array(odd.buffer));
  expect([...picker.finish().values]).toEqual([2, Number.NaN, 6, Number.POSITIVE_INFINITY]);
});

describe('other plans', () => {
  it('shows a part of a chain of updates', async () => {
    const path = fileURLToPath(new URL('../../../e2e/fixtures/vectors/updates/dense_f32_7x5.lfs', import.meta.url));
    const object = readFileSync(path);
    const npy = readFileSync(path.replace(/lfs$/, 'expected.npy'));
    const start = 10 + npy.readUInt16LE(8);
    const oid = createHash('sha256').update(object).digest('hex');
    const chain: TensorPlan = {
      kind: 'chain',
      chain: { group: 'w', steps: [{ kind: 'dense', object: { oid, bytes: object.byteLength, path }, commit: null }] },
    };
    const view: SliceView = { rowAxis: 1, columnAxis: 0, fixed: [0, 0], rows: [1, 3], columns: [5, 7] };
    const at = (row: number, column: number) => npy.readFloatLE(start + 4 * (row * 5 + column));
    expect([...(await slice({ plan: chain, view, maxRows: 9, maxColumns: 9 }, context)).preview.values]).toEqual([at(5, 1), at(6, 1), at(5, 2), at(6, 2)]);
  });

  it('shows a scalar as one cell', async () => {
    const view: SliceView = { rowAxis: null, columnAxis: null, fixed: [], rows: [0, 1], columns: [0, 1] };
    expect((await slice({ plan: plan([]), view, maxRows: 9, maxColumns: 9 }, context)).preview).toMatchObject({
      rows: 1,
      columns: 1,
      values: Float32Array.of(0),
    });
    const picker = createViewPicker({ dtype: 'float32', shape: [] }, view, { rows: 9, columns: 9 });
    picker.add(bytes.subarray(4, 8));
    expect([...picker.finish().values]).toEqual([1]);
  });

  test.each([{ fixed: [0, 0] }, { fixed: [3, 0, 0] }, { rows: [0, 5] as const }, { columns: [4, 3] as const }, { rowAxis: 2 }, { rowAxis: 3 }])(
    'refuses what is not inside: %j',
    async (change) => {
      const view = { rowAxis: 1, columnAxis: 2, fixed: [0, 0, 0], rows: [0, 4] as const, columns: [0, 5] as const, ...change };
      await expect(slice({ plan: plan(SHAPE), view, maxRows: 9, maxColumns: 9 }, context)).rejects.toMatchObject({ code: 'invalid-request' });
    },
  );
});
