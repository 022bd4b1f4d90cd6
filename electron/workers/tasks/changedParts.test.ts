import { describe, expect, it } from 'vitest';
import { seeded } from '../../encodings/testing/seeded';
import type { TensorPlan } from '../../updates/updateChain';
import { createInProcessPool } from '../createInProcessPool';

function plan(dtype: 'float32' | 'int64' | 'bool', shape: readonly number[], bytes: Uint8Array): TensorPlan {
  return { kind: 'ref', group: 'w', ref: { dtype, shape, source: { kind: 'memory', bytes }, offset: 0, strides: null, bigEndian: false } };
}

const floats = (values: readonly number[]) => new Uint8Array(Float32Array.from(values).buffer);

async function changed(before: TensorPlan | null, after: TensorPlan, window: { rows: [number, number]; columns: [number, number] } | null = null) {
  const pool = createInProcessPool();
  try {
    const { rows, elements } = await pool.run('changedParts', { before, after, window });
    return { rows: [...rows], elements: elements === null ? null : [...elements] };
  } finally {
    await pool.close();
  }
}

describe('changedParts', () => {
  it('tells rows and elements of a window by their bits: NaN is NaN, -0.0 is not 0.0', async () => {
    const before = plan('float32', [2, 2, 2], floats([Number.NaN, 0, 1, 2, 3, 4, 5, 6]));
    const after = plan('float32', [2, 2, 2], floats([Number.NaN, -0, 1, 2, 3, 4, 5, 7]));
    expect(await changed(before, after, { rows: [0, 4], columns: [1, 2] })).toEqual({ rows: [1, 0, 0, 1], elements: [1, 0, 0, 1] });
    expect(await changed(before, after, { rows: [3, 9], columns: [0, 9] })).toEqual({ rows: [1, 0, 0, 1], elements: [0, 1] });
    expect(await changed(before, after, { rows: [7, 9], columns: [0, 1] })).toEqual({ rows: [1, 0, 0, 1], elements: [] });
    expect(await changed(before, before)).toEqual({ rows: [0, 0, 0, 0], elements: null });
  });

  it('takes everything as changed where nothing was, or another shape or type', async () => {
    const after = plan('float32', [2, 2], floats([1, 2, 3, 4]));
    const all = { rows: [1, 1], elements: [1, 1, 1, 1] };
    const window = { rows: [0, 2] as [number, number], columns: [0, 2] as [number, number] };
    expect(await changed(null, after, window)).toEqual(all);
    expect(await changed(plan('float32', [4, 1], floats([1, 2, 3, 4])), after, window)).toEqual(all);
    expect(await changed(plan('int64', [2, 2], new Uint8Array(32)), after, window)).toEqual(all);
  });

  it('knows scalars, vectors and tensors without elements', async () => {
    expect(await changed(plan('float32', [], floats([1])), plan('float32', [], floats([2])))).toEqual({ rows: [1], elements: null });
    expect(await changed(plan('float32', [3], floats([1, 2, 3])), plan('float32', [3], floats([1, 2, 4])))).toEqual({ rows: [1], elements: null });
    const empty = plan('float32', [3, 0], new Uint8Array(0));
    expect(await changed(empty, empty, { rows: [0, 3], columns: [0, 1] })).toEqual({ rows: [], elements: [] });
    expect(await changed(null, plan('float32', [0, 3], new Uint8Array(0)))).toEqual({ rows: [], elements: null });
  });

  it('says what a plain loop says where rows run over the blocks', async () => {
    const random = seeded(5);
    const [rows, columns] = [37, 100_003];
    const a = new Uint8Array(rows * columns * 4);
    const b = a.slice();
    const expected = new Array<number>(rows).fill(0);
    for (let change = 0; change < 12; change++) {
      const element = Math.floor(random() * rows * columns);
      b[element * 4 + 3] = 1;
      expected[Math.floor(element / columns)] = 1;
    }
    expect((await changed(plan('float32', [rows, columns], a), plan('float32', [rows, columns], b))).rows).toEqual(expected);
  });

  it('refuses to tell more rows apart than it can answer for', async () => {
    const huge = plan('bool', [2 ** 24 + 1, 1], new Uint8Array(2 ** 24 + 1));
    await expect(changed(null, huge)).rejects.toMatchObject({ code: 'too-large' });
  });
});
