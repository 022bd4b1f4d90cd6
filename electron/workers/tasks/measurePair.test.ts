import { describe, expect, it } from 'vitest';
import type { DType } from '../../../shared/model/dtype';
import { elementCount } from '../../../shared/model/shape';
import type { TensorPlan } from '../../updates/updateChain';
import { createInProcessPool } from '../createInProcessPool';
import { measureInParts } from '../measureInParts';
import { type MeasurePairInput, measurePair } from './measurePair';

const context = { signal: new AbortController().signal, progress: () => {} };

function plan(dtype: DType, shape: readonly number[], values: ArrayBufferView, strides: readonly number[] | null = null): TensorPlan {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return { kind: 'ref', group: 'w', ref: { dtype, shape, source: { kind: 'memory', bytes }, offset: 0, strides, bigEndian: false } };
}
const float32 = (...values: number[]) => plan('float32', [values.length], Float32Array.from(values));
const DEFAULTS = { rtol: 1e-5, atol: 1e-8, largest: 10, bins: 0, structure: true, closeness: true };
const compare = (before: TensorPlan, after: TensorPlan, options: Partial<MeasurePairInput> = {}) =>
  measurePair({ before, after, ...DEFAULTS, ...options }, context);

/** A matrix by a function of row and column. */
function matrix(rows: number, columns: number, at: (row: number, column: number) => number): Float32Array {
  return Float32Array.from({ length: rows * columns }, (_, i) => at(Math.floor(i / columns), i % columns));
}
/** A number for every seed, evenly in [0, 1), by Murmur3's last step. */
function hashed(seed: number): number {
  let h = seed + 0x9e3779b9;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}

describe('largest changes', () => {
  it('come with their indices and both values, exact in their own types', async () => {
    const { largest } = await compare(
      plan('float32', [2, 2], Float32Array.of(0.1, 0, -3, 1)),
      plan('float32', [2, 2], Float32Array.of(0.2, -0, 5, Number.NaN)),
    );
    expect(largest).toEqual([
      { index: [1, 1], a: '1.0', b: 'NaN', delta: Number.POSITIVE_INFINITY },
      { index: [1, 0], a: '-3.0', b: '5.0', delta: 8 },
      { index: [0, 0], a: '0.1', b: '0.2', delta: Math.fround(0.2) - Math.fround(0.1) },
    ]);
  });

  it('keep the digits of 64-bit integers and the shortest of small floats', async () => {
    const wide = await compare(plan('int64', [2], BigInt64Array.of(2n ** 62n, 5n)), plan('int64', [2], BigInt64Array.of(2n ** 62n + 3n, 5n)));
    expect(wide.largest).toEqual([{ index: [0], a: '4611686018427387904', b: '4611686018427387907', delta: 3 }]);
    // bfloat16 0x3f8d is 1.1015625, and 1.1 rounds to it; 0x3f80 is 1.
    const half = await compare(plan('bfloat16', [], Uint16Array.of(0x3f80)), plan('bfloat16', [], Uint16Array.of(0x3f8d)));
    expect(half.largest).toEqual([{ index: [], a: '1.0', b: '1.1', delta: 0.1015625 }]);
    const complex = await compare(plan('complex64', [1], Float32Array.of(1, -2)), plan('complex64', [1], Float32Array.of(1, 2.5)));
    expect(complex.largest).toEqual([{ index: [0], a: '1.0-2.0i', b: '1.0+2.5i', delta: 4.5 }]);
  });

  it('are the first of equally large ones, and no more than asked for', async () => {
    const { largest } = await compare(float32(0, 0, 0, 0, 0), float32(1, 3, -1, 1, 2), { largest: 3 });
    expect(largest.map(({ index }) => index[0])).toEqual([1, 4, 0]);
  });
});

describe('different types', () => {
  it.each([
    ['float32', Float32Array.of(1, -2), 'bfloat16', Uint16Array.of(0x3f80, 0xc000), 'float32'],
    ['float16', Uint16Array.of(0x3c00, 0xc000), 'bfloat16', Uint16Array.of(0x3f80, 0xc000), 'float32'],
    ['int64', BigInt64Array.of(1n, -2n), 'float32', Float32Array.of(1, -2), 'float64'],
    ['int32', Int32Array.of(1, -2), 'int64', BigInt64Array.of(1n, -2n), 'int64'],
    ['float8_e4m3fn', Uint8Array.of(0x38, 0xc0), 'float8_e5m2', Uint8Array.of(0x3c, 0xc0), 'float32'],
    ['complex32', Uint16Array.of(0x3c00, 0, 0xc000, 0), 'float64', Float64Array.of(1, -2), 'complex128'],
    ['float64', Float64Array.of(1, -2), 'complex64', Float32Array.of(1, 0, -2, 0), 'complex128'],
  ] as const)('%s and %s are compared in the wider one', async (from, before, to, after, comparedAs) => {
    const { numbers } = await compare(plan(from, [2], before), plan(to, [2], after));
    expect(numbers).toMatchObject({ comparedAs, changed: 0, maxAbs: 0, maxUlp: null, elements: 2 });
  });

  it('count a NaN as the same NaN, but -0.0 not as 0', async () => {
    const nan = new Uint32Array([0x7fc00001, 0x80000000]);
    const { numbers } = await compare(plan('float32', [2], nan), plan('float64', [2], Float64Array.of(Number.NaN, 0)));
    expect(numbers).toMatchObject({ changed: 1, notFinite: 0, beyond: 0 });
  });

  it('subtract 64-bit integers exactly', async () => {
    const { numbers } = await compare(plan('int64', [1], BigInt64Array.of(2n ** 62n)), plan('int64', [1], BigInt64Array.of(2n ** 62n + 1n)));
    expect(numbers).toMatchObject({ maxAbs: 1, norm: 1, changed: 1, maxUlp: null });
  });
});

describe('histograms', () => {
  it('are over common bins, with statistics of both sides', async () => {
    const found = await compare(float32(0, 1, 2, 3), float32(0, 1, 2, 8), { bins: 4 });
    expect(found.histograms?.a).toMatchObject({ min: 0, max: 8, counts: Float64Array.of(2, 2, 0, 0) });
    expect(found.histograms?.b).toMatchObject({ min: 0, max: 8, counts: Float64Array.of(2, 1, 0, 1) });
    expect(found.delta).toMatchObject({ min: 0, max: 5, counts: Float64Array.of(3, 0, 0, 1) });
    expect([found.stats?.a.max, found.stats?.b.max]).toEqual([3, 8]);
  });

  it('leave out what is not finite', async () => {
    const found = await compare(float32(Number.NaN, 1), float32(1, 1), { bins: 2 });
    expect(found.delta).toMatchObject({ min: 0, max: 0, counts: Float64Array.of(1) });
    const none = await compare(float32(Number.NaN), float32(Number.NaN), { bins: 2 });
    expect([none.histograms, none.delta]).toEqual([null, null]);
  });
});

describe('structure', () => {
  const base = matrix(400, 300, (row, column) => hashed(row * 300 + column) - 0.5);
  const words = async (after: Float32Array, shape = [400, 300]) => (await compare(plan('float32', shape, base), plan('float32', shape, after))).structure;

  it('finds the rank of a matrix that is too large to be taken as it is, by random products', async () => {
    const after = matrix(400, 300, (row, column) => {
      let sum = 0;
      for (let k = 0; k < 6; k++) sum += (hashed(7000 + row * 6 + k) - 0.5) * (hashed(9000 + column * 6 + k) - 0.5);
      return (base[row * 300 + column] ?? 0) + 0.1 * sum;
    });
    const found = await words(after);
    expect(found).toMatchObject({ rank: 6, rankIsAtLeast: false });
    expect(found?.words[0]).toBe('a rank-6 update');
    // The sum of the squares of all singular values is the square of the norm.
    const norm = Math.sqrt(base.reduce((sum, value, i) => sum + ((after[i] ?? 0) - value) ** 2, 0));
    expect(Math.hypot(...(found?.spectrum.slice(0, 6) ?? [])) / norm).toBeCloseTo(1, 6);
  });

  it('says at least so much where the spectrum does not fall away', async () => {
    const found = await words(base.map((value, i) => value + 0.01 * (hashed(50_000 + i) - 0.5)));
    expect(found?.rankIsAtLeast).toBe(true);
    expect(found?.rank).toBeGreaterThan(50);
  });

  it('does not miss rows that changed by themselves', async () => {
    const after = matrix(400, 300, (row, column) => (base[row * 300 + column] ?? 0) + (row < 25 ? 0.1 * hashed(row * 777 + column) : 0));
    expect(await words(after)).toMatchObject({ rank: 25, rankIsAtLeast: false });
  });

  it('finds columns in another order, with equal ones among them', async () => {
    const order = [0, 1, 2, 4, 3, 5];
    const before = matrix(5, 6, (row, column) => (column < 2 ? row : row * 10 + column));
    const after = matrix(5, 6, (row, column) => before[row * 6 + (order[column] ?? 0)] ?? 0);
    const { structure } = await compare(plan('float32', [5, 6], before), plan('float32', [5, 6], after));
    expect(structure).toMatchObject({ permutation: { along: 'columns', order, moved: 2 } });
    expect(structure?.words[0]).toBe('columns in another order');
  });

  it('tells a scaling in float16 from noise, and one that is not exact', async () => {
    const shape = [8, 16];
    const bits = Uint16Array.from({ length: 128 }, (_, i) => 0x3c00 + ((i * 37) % 1024));
    // Twice is one more in the exponent.
    const found = await compare(
      plan('float16', shape, bits),
      plan(
        'float16',
        shape,
        bits.map((half) => half + 0x400),
      ),
    );
    expect(found.structure?.scaling).toEqual({ along: 'all', exact: true, least: 2, largest: 2 });
    const doubled = matrix(400, 300, (row, column) => Math.fround((base[row * 300 + column] ?? 0) * (1 + row / 400 + 1e-9)));
    expect((await words(doubled))?.scaling).toMatchObject({ along: 'rows', largest: expect.closeTo(1 + 399 / 400, 6) });
    expect((await words(base.map((value, i) => value * (1 + 0.001 * hashed(i)))))?.scaling).toBeNull();
  });

  it('says nothing about vectors and scalars but what changed', async () => {
    const { structure } = await compare(plan('float32', [], Float32Array.of(1)), plan('float32', [], Float32Array.of(4)));
    expect(structure).toEqual({ rank: null, rankIsAtLeast: false, spectrum: [], scaling: null, permutation: null, words: ['its only element changed'] });
  });
});

describe('reading', () => {
  it('joins a transposed tensor with a plain one, and gives the index in the shape', async () => {
    const after = matrix(700, 900, (row, column) => row + column / 1000);
    const turned = new Float32Array(700 * 900);
    for (let row = 0; row < 700; row++) for (let column = 0; column < 900; column++) turned[column * 700 + row] = after[row * 900 + column] ?? 0;
    turned[5 * 700 + 7] = (turned[5 * 700 + 7] ?? 0) + 2;
    const { numbers } = await compare(plan('float32', [700, 900], turned, [1, 700]), plan('float32', [700, 900], after));
    expect(numbers).toMatchObject({ changed: 1, maxAt: [7, 5] });
  });

  it('in parts gives what one pass gives', async () => {
    const shape = [4100, 3100];
    const before = Float32Array.from({ length: elementCount(shape) }, (_, i) => hashed(i));
    const after = before.map((value, i) => (i % 1000 === 17 ? value + hashed(i + 5) : value));
    const input = { before: plan('float32', shape, before), after: plan('float32', shape, after), ...DEFAULTS, structure: false };
    const pool = createInProcessPool({ size: 2 });
    const seen: number[] = [];
    const [parts, whole] = [await measureInParts(pool, input, { onProgress: (done, total) => seen.push(done / total) }), await measurePair(input, context)];
    expect(parts.largest).toEqual(whole.largest);
    expect(parts.closeness).toEqual(whole.closeness);
    const { norm, rms, meanAbs, relativeL2, cosine, ...exactly } = parts.numbers;
    expect(whole.numbers).toMatchObject(exactly);
    for (const [one, other] of [
      [norm, whole.numbers.norm],
      [rms, whole.numbers.rms],
      [meanAbs, whole.numbers.meanAbs],
      [relativeL2, whole.numbers.relativeL2],
      [cosine, whole.numbers.cosine],
    ] as const)
      expect(Math.abs((one ?? 0) / (other ?? 1) - 1)).toBeLessThan(1e-14);
    expect(Math.max(...seen)).toBe(1);
    await pool.close();
  });

  it('refuses other shapes in words', async () => {
    await expect(compare(float32(1, 2), float32(1))).rejects.toMatchObject({ code: 'invalid-request', message: 'Shapes differ: 2 against 1.' });
  });

  it('takes tensors without elements', async () => {
    const empty = plan('float32', [0, 3], new Float32Array(0));
    const { numbers, structure } = await compare(empty, empty, { bins: 4 });
    expect(numbers).toMatchObject({ elements: 0, changed: 0, maxAt: null, shape: [0, 3] });
    expect(structure?.words).toEqual(['no elements']);
  });

  it('ends when it is cancelled', async () => {
    const controller = new AbortController();
    controller.abort();
    const run = measurePair({ before: float32(1), after: float32(2), ...DEFAULTS }, { ...context, signal: controller.signal });
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
    const pool = createInProcessPool({ size: 2 });
    const large = plan('float32', [4100, 3100], new Float32Array(4100 * 3100));
    const later = new AbortController();
    const parts = measureInParts(pool, { before: large, after: large, ...DEFAULTS }, { signal: later.signal, onProgress: () => later.abort() });
    await expect(parts).rejects.toMatchObject({ code: 'cancelled' });
    await pool.close();
  });
});
