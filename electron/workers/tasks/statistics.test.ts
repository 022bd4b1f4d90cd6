import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { type DType, isDType } from '../../../shared/model/dtype';
import type { TensorPlan } from '../../updates/updateChain';
import { norms } from './norms';
import { statistics } from './statistics';
import { statisticsPart } from './statisticsPart';

const context = { signal: new AbortController().signal, progress: () => {} };
const path = fileURLToPath(new URL('../../../e2e/fixtures/numbers/tensors.safetensors', import.meta.url));
const file = readFileSync(path);
const start = 8 + Number(file.readBigUInt64LE(0));
const header: Record<string, { data_offsets: [number, number] }> = JSON.parse(file.toString('utf8', 8, start));
const expected: {
  tensors: Record<string, { dtype: string; shape: number[]; stats: { quantiles?: Record<string, number>; histogram10?: number[]; min?: number } }>;
} = JSON.parse(readFileSync(new URL('../../../e2e/fixtures/numbers/expected.json', import.meta.url), 'utf8'));

function fixture(name: string): TensorPlan {
  const { dtype = '', shape = [] } = expected.tensors[name] ?? {};
  if (!isDType(dtype)) throw new Error(name);
  const [begin] = header[name]?.data_offsets ?? [0];
  return { kind: 'ref', group: name, ref: { dtype, shape, source: { kind: 'file', path }, offset: start + begin, strides: null, bigEndian: false } };
}

function memory(dtype: DType, shape: readonly number[], array: ArrayBufferView): TensorPlan {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return { kind: 'ref', group: 'w', ref: { dtype, shape, source: { kind: 'memory', bytes }, offset: 0, strides: null, bigEndian: false } };
}

const QUANTILES = [0.01, 0.25, 0.5, 0.75, 0.99];

describe.each(Object.keys(expected.tensors))('%s, against NumPy', (name) => {
  const wanted = expected.tensors[name]?.stats ?? {};

  test('exact quantiles', async () => {
    const { quantiles } = await statistics({ plan: fixture(name), histogram: null, quantiles: QUANTILES }, context);
    if (wanted.min === undefined) return expect(quantiles).toEqual([]);
    if (wanted.quantiles === undefined) return expect(quantiles).toHaveLength(5);
    for (const { at, value } of quantiles) {
      const number = wanted.quantiles[String(at)] ?? Number.NaN;
      expect(Math.abs(value - number)).toBeLessThanOrEqual(1e-12 * Math.abs(number));
    }
  });

  test.runIf(wanted.histogram10 !== undefined)('ten equal bins', async () => {
    const { histogram, stats } = await statistics({ plan: fixture(name), histogram: { bins: 10, range: null, scale: 'linear' }, quantiles: [] }, context);
    expect([...(histogram?.counts ?? [])]).toEqual(wanted.histogram10);
    const range = { min: stats.min ?? 0, max: stats.max ?? 0 };
    const fixed = await statistics({ plan: fixture(name), histogram: { bins: 10, range, scale: 'linear' }, quantiles: [] }, context);
    expect(fixed.histogram).toEqual(histogram);
  });
});

describe('large tensors', () => {
  // 5 Mi float32: more than is kept.
  const values = Float32Array.from({ length: 5 * 2 ** 20 }, (_, i) => Math.sin(i) * 3);

  it('have a histogram after one pass, whose bins begin at multiples of a power of two', async () => {
    let done = 0;
    const watched = { ...context, progress: (bytes: number) => (done = bytes) };
    const { histogram } = await statistics(
      { plan: memory('float32', [values.length], values), histogram: { bins: 64, range: null, scale: 'linear' }, quantiles: [] },
      watched,
    );
    expect(done).toBe(values.byteLength);
    if (histogram === null) throw new Error('no histogram');
    const width = (histogram.max - histogram.min) / histogram.counts.length;
    expect([width, histogram.min, histogram.max]).toEqual([1 / 8, -25 / 8, 25 / 8]);
    const counts = new Array(50).fill(0);
    for (const x of values) counts[(x < 0 ? -Math.floor(-x / width) - 1 : Math.floor(x / width)) + 25]++;
    expect([...histogram.counts]).toEqual(counts);
  });

  it('that lie close together far from zero are read again for theirs', async () => {
    const far = values.map((x) => 1e4 + x / 300);
    const { histogram, stats } = await statistics(
      { plan: memory('float32', [far.length], far), histogram: { bins: 64, range: null, scale: 'linear' }, quantiles: [] },
      context,
    );
    expect(histogram).toMatchObject({ min: stats.min, max: stats.max });
    expect(histogram?.counts.reduce((sum, times) => sum + times, 0)).toBe(far.length);
    expect(histogram?.counts.length).toBe(64);
  });

  it('have exact quantiles', async () => {
    const sorted = Float64Array.from(values).sort();
    const { quantiles } = await statistics({ plan: memory('float32', [values.length], values), histogram: null, quantiles: [0, 0.3, 1] }, context);
    const place = 0.3 * (sorted.length - 1);
    const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    expect(quantiles.map(({ value }) => value)).toEqual([sorted[0], low + (high - low) * (place % 1), sorted.at(-1)]);
    const doubles = await statistics({ plan: memory('float64', [values.length], Float64Array.from(values)), histogram: null, quantiles: [0.3] }, context);
    expect(doubles.quantiles).toEqual([quantiles[1]]);
  });
});

it('bins of a symmetric logarithm have zero as an edge and hold everything', async () => {
  const values = Float32Array.of(-1000, -1, -0.001, 0, 0.001, 0.002, 1, 1000, Number.NaN);
  const { histogram } = await statistics(
    { plan: memory('float32', [9], values), histogram: { bins: 16, range: null, scale: 'symlog' }, quantiles: [] },
    context,
  );
  expect(histogram?.edges).toHaveLength(17);
  expect([histogram?.edges?.[0], histogram?.edges?.[8], histogram?.edges?.[16]]).toEqual([-1000, 0, 1000]);
  const counts = [...(histogram?.counts ?? [])];
  expect([counts.slice(0, 8).reduce((a, b) => a + b), counts.slice(8).reduce((a, b) => a + b)]).toEqual([3, 5]);
});

it('a range that was asked for leaves out what is outside, the last bin closed', async () => {
  for (const dtype of ['float32', 'float64'] as const) {
    const values = [-5, -1, 0, 0.5, 1, 1.0001, Number.POSITIVE_INFINITY];
    const plan = memory(dtype, [7], dtype === 'float32' ? Float32Array.from(values) : Float64Array.from(values));
    const { histogram } = await statistics({ plan, histogram: { bins: 2, range: { min: -1, max: 1 }, scale: 'linear' }, quantiles: [] }, context);
    expect([...(histogram?.counts ?? [])]).toEqual([1, 3]);
  }
});

it('a scalar, an empty tensor and one without finite elements', async () => {
  const request = { histogram: { bins: 4, range: null, scale: 'linear' }, quantiles: [0.5] } as const;
  const scalar = await statistics({ plan: memory('float64', [], Float64Array.of(-2)), ...request }, context);
  expect(scalar).toMatchObject({ stats: { count: 1, min: -2, std: 0, l1: 2, distinct: { count: 1, exact: true } }, quantiles: [{ at: 0.5, value: -2 }] });
  expect([...(scalar.histogram?.counts ?? [])]).toEqual([1]);
  for (const [dtype, array] of [
    ['float32', new Float32Array(0)],
    ['bfloat16', new Uint16Array(0)],
  ] as const) {
    const empty = await statistics({ plan: memory(dtype, [0, 3], array), ...request }, context);
    expect(empty).toMatchObject({ shape: [0, 3], stats: { count: 0, min: null, distinct: { count: 0 } }, histogram: null, quantiles: [] });
  }
  const nan = await statistics({ plan: memory('float32', [2], Float32Array.of(Number.NaN, Number.NaN)), ...request }, context);
  expect(nan).toMatchObject({ stats: { nan: 2, mean: null }, histogram: null, quantiles: [] });
});

it('ends when it is cancelled', async () => {
  const controller = new AbortController();
  const plan = memory('float32', [4 * 2 ** 20], new Float32Array(4 * 2 ** 20));
  const stopping = { signal: controller.signal, progress: () => controller.abort() };
  await expect(statistics({ plan, histogram: null, quantiles: [0.5] }, stopping)).rejects.toMatchObject({ code: 'cancelled' });
  await expect(statisticsPart({ plan, histogram: null }, stopping)).rejects.toMatchObject({ code: 'cancelled' });
});

describe('norms of rows and columns', () => {
  it('leave out what is not finite', async () => {
    const values = Float32Array.of(3, 0, 4, Number.NaN, 5, 12);
    expect(await norms({ plan: memory('float32', [2, 3], values) }, context)).toMatchObject({
      rows: Float64Array.of(5, 13),
      columns: Float64Array.of(3, 5, Math.sqrt(160)),
    });
  });

  it('neither overflow nor vanish, and see a vector as one row', async () => {
    const large = await norms({ plan: memory('float64', [2], Float64Array.of(3e200, 4e200)) }, context);
    expect((large.rows?.[0] ?? 0) / 5e200).toBeCloseTo(1, 14);
    const small = await norms({ plan: memory('float64', [1, 2], Float64Array.of(3e-200, -4e-200)) }, context);
    expect((small.rows?.[0] ?? 0) / 5e-200).toBeCloseTo(1, 14);
    expect(small.columns?.[1]).toBeCloseTo(4e-200, 210);
    expect(await norms({ plan: memory('float32', [0, 2], new Float32Array(0)) }, context)).toMatchObject({
      rows: new Float64Array(0),
      columns: new Float64Array(2),
    });
  });
});
