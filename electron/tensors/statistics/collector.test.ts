import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type DType, dtypeBytes, isDType } from '../../../shared/model/dtype';
import type { TensorStats } from '../../../shared/model/tensorStats';
import { createCollector } from './collector';
import { finishPart } from './finishPart';
import { createKernelScanner } from './kernelScanner';
import { createPlainScanner } from './plainScanner';
import { joinParts } from './statisticsPart';

interface Expected {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly stats: Readonly<Record<'count' | 'nan' | 'pos_inf' | 'neg_inf' | 'zeros', number>> & {
    readonly subnormal?: number;
    readonly min?: number | string;
    readonly max?: number | string;
    readonly mean?: number;
    readonly std?: number;
    readonly l1?: number;
    readonly l2?: number;
  };
}

const folder = new URL('../../../e2e/fixtures/numbers/', import.meta.url);
const expected: { tensors: Record<string, Expected> } = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8'));
const file = readFileSync(new URL('tensors.safetensors', folder));
const headerBytes = Number(file.readBigUInt64LE(0));
const header: Record<string, { data_offsets: [number, number] }> = JSON.parse(file.toString('utf8', 8, 8 + headerBytes));

function bytesOf(name: string): Uint8Array {
  const [begin, end] = header[name]?.data_offsets ?? [0, 0];
  return file.subarray(8 + headerBytes + begin, 8 + headerBytes + end);
}

function known(dtype: string): DType {
  if (!isDType(dtype)) throw new Error(dtype);
  return dtype;
}

const SCANNERS = { kernels: createKernelScanner, loops: createPlainScanner };
type ScannerName = keyof typeof SCANNERS;

function collect(dtype: DType, blocks: readonly Uint8Array[], scanner: ScannerName = 'kernels') {
  const collector = createCollector(dtype, SCANNERS[scanner]());
  for (const block of blocks) collector.add(block);
  return collector.finish();
}

const statsOf = (dtype: DType, bytes: Uint8Array, scanner: ScannerName = 'kernels') => finishPart(dtype, collect(dtype, [bytes], scanner));
const bytesFrom = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Blocks of a size that no tensor's length is a multiple of, and that lie unaligned. */
function cut(bytes: Uint8Array, item: number, elements: number): Uint8Array[] {
  const shifted = new Uint8Array(bytes.byteLength + 1);
  shifted.set(bytes, 1);
  const blocks: Uint8Array[] = [];
  for (let at = 1; at < shifted.byteLength; at += item * elements) blocks.push(shifted.subarray(at, Math.min(shifted.byteLength, at + item * elements)));
  return blocks;
}

function expectNear(found: number | null, wanted: number | undefined, scale = Math.abs(wanted ?? 0)): void {
  // Both may be infinite.
  if (found === wanted) return;
  expect(Math.abs((found ?? Number.NaN) - (wanted ?? 0))).toBeLessThanOrEqual(1e-12 * scale);
}

function expectAgreement(found: TensorStats, { stats }: Expected): void {
  expect(found).toMatchObject({ count: stats.count, nan: stats.nan, positiveInfinity: stats.pos_inf, negativeInfinity: stats.neg_inf, zeros: stats.zeros });
  expect(found.finite).toBe(stats.count - stats.nan - stats.pos_inf - stats.neg_inf);
  expect(found.subnormals).toBe(stats.subnormal ?? 0);
  if (stats.mean === undefined) {
    expect(found).toMatchObject({ min: null, max: null, mean: null, std: null, l1: 0, norm: 0 });
    return;
  }
  expect(found.min).toBe(Number(stats.min));
  expect(found.max).toBe(Number(stats.max));
  if (typeof stats.min === 'string') expect(found.exact).toEqual({ min: stats.min, max: stats.max });
  else expect(found.exact).toBeNull();
  expectNear(found.mean, stats.mean);
  expectNear(found.std, stats.std);
  expectNear(found.l1, stats.l1);
  expectNear(found.norm, stats.l2);
}

describe.each(Object.entries(expected.tensors))('%s, against NumPy in wider precision', (name, wanted) => {
  const dtype = known(wanted.dtype);
  const bytes = bytesOf(name);
  const item = dtypeBytes(dtype);

  test.each(['kernels', 'loops'] as const)('by %s, as one block, in odd pieces, and in parts that are joined', (scanner) => {
    expectAgreement(statsOf(dtype, bytes, scanner), wanted);
    expectAgreement(finishPart(dtype, collect(dtype, cut(bytes, item, 777), scanner)), wanted);
    const parts = cut(bytes, item, 1 + Math.floor(wanted.stats.count / 3)).map((block) => collect(dtype, [block], scanner));
    const [first, ...others] = parts;
    if (first !== undefined) expectAgreement(finishPart(dtype, others.reduce(joinParts, first)), wanted);
  });
});

/** Numbers from -1 to 1, the same every time. */
function noise(count: number): Float64Array {
  let state = 88172645;
  return Float64Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  });
}

function float32Bits(count: number): Uint8Array {
  return bytesFrom(Int32Array.from(noise(count), (x) => x * 2 ** 31));
}

describe('kernels and loops agree', () => {
  const cases: readonly (readonly [string, DType, Uint8Array])[] = [
    ['floats', 'float32', bytesFrom(Float32Array.from(noise(50_003)))],
    ['any bits as floats', 'float32', float32Bits(50_003)],
    ['floats far from zero', 'float32', bytesFrom(Float32Array.from(noise(50_003), (x) => 1e6 + x))],
    ['sorted floats', 'float32', bytesFrom(Float32Array.from(noise(50_003)).sort())],
    ['subnormal floats', 'float32', bytesFrom(Float32Array.from(noise(50_003), (x) => x * 1e-40))],
    ['doubles', 'float64', bytesFrom(noise(50_003))],
    ['any bits as doubles', 'float64', float32Bits(60_006)],
    ['integers', 'int32', float32Bits(50_003)],
    ['unsigned integers', 'uint32', float32Bits(50_003)],
    ['wide integers', 'int64', float32Bits(60_006)],
    ['wide unsigned integers', 'uint64', float32Bits(60_006)],
    ['complex halves', 'complex32', float32Bits(50_003)],
    ['complex numbers', 'complex64', bytesFrom(Float32Array.from(noise(60_006)))],
    ['wide complex numbers', 'complex128', bytesFrom(noise(60_006))],
    ['bfloat16', 'bfloat16', float32Bits(50_003)],
    ['float16', 'float16', float32Bits(50_003)],
    ['bytes', 'int8', float32Bits(50_001)],
  ];
  test.each(cases)('on %s (%s)', (_, dtype, bytes) => {
    const [a, b] = [statsOf(dtype, bytes), statsOf(dtype, bytes, 'loops')];
    for (const key of ['mean', 'std', 'l1', 'norm'] as const) expectNear(a[key], b[key] ?? 0, Math.max(Math.abs(b[key] ?? 0), Math.abs(b.std ?? 0)));
    expect({ ...a, mean: 0, std: 0, l1: 0, norm: 0 }).toEqual({ ...b, mean: 0, std: 0, l1: 0, norm: 0 });
    const [p, q] = [collect(dtype, [bytes]), collect(dtype, [bytes], 'loops')];
    if (p.kind === 'numbers' && q.kind === 'numbers') expect([p.cells, p.registers]).toEqual([q.cells, q.registers]);
    else expect(p).toEqual(q);
  });

  test('a scanner that was given back remembers nothing', () => {
    statsOf('float32', float32Bits(40_000));
    expect(statsOf('float32', bytesFrom(Float32Array.of(1, 1, 1, 1, 1)))).toMatchObject({ count: 5, distinct: { count: 1 }, mean: 1, std: 0 });
    statsOf('uint8', new Uint8Array(1000).fill(7));
    expect(statsOf('bfloat16', bytesFrom(Uint16Array.of(0x3f80, 0x3f80, 0x3f80, 0x4000)))).toMatchObject({ count: 4, min: 1, max: 2, distinct: { count: 2 } });
  });
});

describe('different bit patterns', () => {
  test.each([10, 1000, 20_000, 300_000])('of %d among many elements are estimated within some per cent', (distinct) => {
    const values = Float32Array.from({ length: 600_000 }, (_, i) => 1 + (i % distinct) / 2 ** 20);
    const { count, exact } = statsOf('float32', bytesFrom(values)).distinct;
    expect(exact).toBe(false);
    expect(Math.abs(count - distinct) / distinct).toBeLessThan(0.06);
  });

  test.each<readonly [string, (i: number) => number]>([
    ['neighbouring bits', (i) => 0x3f800000 + i],
    ['multiples of 2^8', (i) => i * 256],
    ['multiples of 2^12', (i) => i * 4096],
    ['both signs', (i) => ((i & 1) << 31) | (0x3c000000 + (i >> 1) * 64)],
    ['integers as floats', (i) => new Int32Array(Float32Array.of(i).buffer)[0] ?? 0],
  ])('of %s', (_, bitsOf) => {
    for (const distinct of [5000, 60_000, 400_000]) {
      const bits = Int32Array.from({ length: distinct }, (_value, i) => bitsOf(i));
      const { count } = statsOf('float32', bytesFrom(bits)).distinct;
      const there = new Set(bits).size;
      expect(Math.abs(count - there) / there).toBeLessThan(0.06);
    }
  });

  test('are exact for types of 16 bits, NaN with other bits and -0.0 included', () => {
    expect(statsOf('float16', bytesFrom(Uint16Array.of(0, 0x8000, 0x7e00, 0x7e01, 0, 0x3c00))).distinct).toEqual({ count: 5, exact: true });
  });
});

describe('what is hard for doubles', () => {
  const doubles = (...values: number[]) => statsOf('float64', bytesFrom(Float64Array.from(values)));

  test('squares and sums that overflow', () => {
    const { mean, std, norm } = doubles(1e300, 3e300, 1e300, 3e300, 1e300, 3e300);
    expect((mean ?? 0) / 2e300).toBeCloseTo(1, 14);
    expect((std ?? 0) / 1e300).toBeCloseTo(1, 14);
    expect(norm / 1e300).toBeCloseTo(Math.sqrt(30), 13);
    expect(doubles(...new Array(9).fill(1.5e308))).toMatchObject({ mean: 1.5e308, std: 0 });
  });

  test('squares that vanish, among zeros and beside large numbers', () => {
    const { mean, std, zeros } = doubles(0, 0, 0, 2e-200, 4e-200, 2e-200, 4e-200, 0);
    expect(zeros).toBe(4);
    expect((mean ?? 0) / 1e-200).toBeCloseTo(12 / 8, 14);
    expect((std ?? 0) / 1e-200).toBeCloseTo(Math.sqrt(40 / 8 - (12 / 8) ** 2), 14);
    const mixed = doubles(1e-200, 1e-200, 1e-200, 1e200, 3e200, 1e200);
    expect((mixed.std ?? 0) / 1e200).toBeCloseTo(Math.sqrt(11 / 6 - (5 / 6) ** 2), 14);
  });

  test('an element far away at the front, and a jump between chunks', () => {
    const outlier = Float64Array.from({ length: 40_000 }, (_, i) => (i === 0 ? 1e30 : i % 2));
    const rest = 1e30 / 40_000;
    expectNear(statsOf('float64', bytesFrom(outlier)).std, Math.sqrt(((1e30 - rest) ** 2 + 39_999 * rest ** 2) / 40_000));
    const jump = Float32Array.from({ length: 2 * 65_536 }, (_, i) => (i < 65_536 ? 1e6 : -1e6) + (i % 2));
    expectNear(statsOf('float32', bytesFrom(jump)).std, Math.sqrt(1e12 + 0.25));
  });

  test('infinities of both signs and NaN beside numbers', () => {
    const found = statsOf('float32', bytesFrom(Float32Array.of(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 4, Number.NaN, 2, -0)));
    expect(found).toMatchObject({ count: 6, finite: 3, nan: 1, positiveInfinity: 1, negativeInfinity: 1, zeros: 1, min: -0, max: 4, mean: 2, l1: 6 });
    expectNear(found.std, Math.sqrt(8 / 3));
  });

  test('integers that only differ beyond 2^53', () => {
    const big = 2n ** 63n;
    const values = BigUint64Array.of(big + 1n, big + 3n, big + 2n, big + 1n, big);
    expect(statsOf('uint64', bytesFrom(values)).exact).toEqual({ min: `${big}`, max: `${big + 3n}` });
  });
});
