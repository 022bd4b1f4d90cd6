import { describe, expect, it } from 'vitest';
import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { decodeToFloat64 } from '../decode';
import { noCloseness } from './closenessTable';
import { joinParts } from './joinParts';
import { createPairAccumulator, createPlainAccumulator } from './pairAccumulator';
import { pairNumbersOf } from './pairNumbersOf';
import type { PairAccumulator } from './pairOptions';
import type { PairPart } from './pairPart';

const TOLERANCE = { rtol: 1e-3, atol: 1e-6 };
const OPTIONS = { tolerance: TOLERANCE, equalNaN: false, closeness: true };
const EXACTLY = { tolerance: { rtol: 0, atol: 0 }, equalNaN: false, closeness: true };
/** Without the table. */
const LEAN = { ...EXACTLY, closeness: false };

/** Marsaglia's xorshift32: the same numbers in every run. */
function randomWords(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Elements of any bits, and the same with some of them changed: by little, by everything, or in the sign. */
function randomPair(dtype: DType, count: number, seed: number): { a: Uint8Array; b: Uint8Array } {
  const word = randomWords(seed);
  const size = dtypeBytes(dtype);
  const a = Uint8Array.from({ length: count * size }, () => word() >>> 13);
  const b = a.slice();
  for (let i = 0; i < count; i++) {
    const kind = word() % 6;
    if (kind === 0) b[i * size] = (b[i * size] ?? 0) ^ (1 + (word() % 3));
    if (kind === 1) for (let k = 0; k < size; k++) b[i * size + k] = word() >>> 11;
    if (kind === 2) b[i * size + size - 1] = (b[i * size + size - 1] ?? 0) ^ 0x80;
  }
  return { a, b };
}

/** The same without NaN and infinities. */
function finitePair(dtype: DType, count: number, seed: number): { a: Uint8Array; b: Uint8Array } {
  const pair = randomPair(dtype, count, seed);
  const top = dtypeBytes(dtype) - 1;
  for (const side of [pair.a, pair.b]) for (let at = top; at < side.byteLength; at += top + 1) side[at] = (side[at] ?? 0) & 0xbf;
  return pair;
}

function run(accumulator: PairAccumulator, { a, b }: { readonly a: Uint8Array; readonly b: Uint8Array }): PairPart {
  accumulator.add(a, b, 0);
  return accumulator.finish();
}

function numbersOf(dtype: DType, part: PairPart) {
  return pairNumbersOf(part, { comparedAs: dtype, shape: [part.elements], tolerance: TOLERANCE, sameType: true });
}

/** A double as an integer of units of 2^-1074, exactly. */
function exact(value: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0] ?? 0n;
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return value < 0 ? -magnitude : magnitude;
}

/** Square root of units of 2^(2·unit), or the number itself of 2^unit units, rounded once or twice. */
function rootOf(square: bigint, unit: number): number {
  if (square === 0n) return 0;
  const spare = Math.max(0, Math.floor((square.toString(2).length - 60) / 2));
  return Math.sqrt(Number(square >> BigInt(2 * spare))) * 2 ** Math.floor((unit + spare) / 2) * 2 ** Math.ceil((unit + spare) / 2);
}

interface Expected {
  changed: number;
  beyond: number;
  notFinite: number;
  signFlips: number;
  delta: bigint;
  squares: bigint;
  before: bigint;
  largest: bigint;
  largestAt: number;
  relative: number;
}

/** Every number by a plain loop over exact integers. */
function slowly(dtype: DType, { a, b }: { readonly a: Uint8Array; readonly b: Uint8Array }): Expected {
  const size = dtypeBytes(dtype);
  const count = a.byteLength / size;
  const [x, y] = [new Float64Array(count), new Float64Array(count)];
  decodeToFloat64(dtype, a, x);
  decodeToFloat64(dtype, b, y);
  const wide = dtype === 'int64' || dtype === 'uint64';
  const integers = (bytes: Uint8Array): BigInt64Array | BigUint64Array => {
    const { buffer } = Uint8Array.from(wide ? bytes : []);
    return dtype === 'int64' ? new BigInt64Array(buffer) : new BigUint64Array(buffer);
  };
  const [p, q] = [integers(a), integers(b)];
  const found: Expected = { changed: 0, beyond: 0, notFinite: 0, signFlips: 0, delta: 0n, squares: 0n, before: 0n, largest: 0n, largestAt: -1, relative: 0 };
  for (let i = 0; i < count; i++) {
    const [u, w] = [x[i] ?? 0, y[i] ?? 0];
    if (Buffer.compare(a.subarray(i * size, (i + 1) * size), b.subarray(i * size, (i + 1) * size)) !== 0) found.changed++;
    if (!Number.isFinite(u) || !Number.isFinite(w)) {
      if (!Object.is(u, w)) {
        found.notFinite++;
        found.beyond++;
      }
      continue;
    }
    const [base, other] = wide ? [p[i] ?? 0n, q[i] ?? 0n] : [exact(u), exact(w)];
    const delta = other > base ? other - base : base - other;
    const size64 = wide ? Number(delta) : Math.abs(w - u);
    if (size64 > TOLERANCE.atol + TOLERANCE.rtol * Math.abs(u)) found.beyond++;
    if (u * w < 0 || (Math.sign(u) * Math.sign(w) < 0 && u * w === 0)) found.signFlips++;
    if (delta > 0n) found.relative = Math.max(found.relative, size64 / Math.abs(u));
    found.delta += delta;
    found.squares += delta * delta;
    found.before += base * base;
    if (delta > found.largest) {
      found.largest = delta;
      found.largestAt = i;
    }
  }
  return found;
}

function near(actual: number | null, expected: number, tolerance = 1e-12): void {
  if (actual === expected) return;
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(tolerance * Math.abs(expected));
}

const REAL: readonly DType[] = [
  'bool',
  'uint8',
  'int8',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'uint64',
  'int64',
  'float8_e4m3fn',
  'float8_e4m3fnuz',
  'float8_e5m2',
  'float8_e5m2fnuz',
  'float8_e8m0fnu',
  'float16',
  'bfloat16',
  'float32',
  'float64',
];

describe.each(REAL)('numbers of %s', (dtype) => {
  it.each([1, 7, 1000, 8195])('are those of exact integers, for %i elements of any bits', (count) => {
    const pair = randomPair(dtype, count, 77 + count);
    const part = run(createPairAccumulator(dtype, OPTIONS), pair);
    const numbers = numbersOf(dtype, part);
    const expected = slowly(dtype, pair);
    expect(numbers).toMatchObject({ changed: expected.changed, beyond: expected.beyond, notFinite: expected.notFinite, signFlips: expected.signFlips });
    const unit = dtype === 'int64' || dtype === 'uint64' ? 0 : -1074;
    near(numbers.norm, rootOf(expected.squares, unit));
    near(numbers.maxAbs, rootOf(expected.largest ** 2n, unit));
    near(numbers.meanAbs * (part.finite || 1), rootOf(expected.delta ** 2n, unit));
    if (numbers.maxRelative !== Number.POSITIVE_INFINITY || expected.relative !== Number.POSITIVE_INFINITY) near(numbers.maxRelative, expected.relative);
    if (expected.before > 0n && expected.squares > 0n) {
      // The ratio with 120 more bits than a double has.
      near(numbers.relativeL2, rootOf((expected.squares << 240n) / expected.before, -120));
    }
    const kept = part.closeness.counts.reduce((sum, value) => sum + value, 0);
    expect(kept).toBeLessThanOrEqual(expected.changed);
  });
});

describe('kernels', () => {
  it.each([
    ['float32', OPTIONS],
    ['float32', EXACTLY],
    ['float32', LEAN],
    ['bfloat16', OPTIONS],
    ['bfloat16', EXACTLY],
    ['bfloat16', LEAN],
    ['float16', OPTIONS],
    ['float16', EXACTLY],
    ['float16', LEAN],
  ] as const)('agree with the loops, for %s, %o', (dtype, options) => {
    for (const [seed, count] of [
      [1, 3],
      [2, 8192],
      [3, 20_001],
      [4, 150_003],
    ] as const) {
      const pair = randomPair(dtype, count, seed);
      // Without NaN and infinities in the first half, which would send every chunk the same way.
      for (let i = 0; i < pair.a.byteLength / 2; i++) {
        if (i % dtypeBytes(dtype) !== dtypeBytes(dtype) - 1) continue;
        pair.a[i] = (pair.a[i] ?? 0) & 0xbf;
        pair.b[i] = (pair.b[i] ?? 0) & 0xbf;
      }
      const [fast, slow] = [run(createPairAccumulator(dtype, options), pair), run(createPlainAccumulator(dtype, options), pair)];
      const { absolute, squares, before, after, product, ...exactly } = fast;
      const { absolute: a, squares: s, before: b, after: c, product: p, ...same } = slow;
      expect(exactly).toEqual(same);
      for (const [one, other] of [
        [absolute, a],
        [squares, s],
        [before, b],
        [after, c],
      ] as const)
        near(one.value + one.rest, other.value + other.rest, 1e-14);
      expect(Math.abs(product.value - p.value)).toBeLessThanOrEqual(1e-14 * Math.sqrt(b.value * c.value));
    }
  });

  it.each([
    ['weights that moved', Float32Array.of(0.04, -0.02, 0.3, -0), Float32Array.of(0.041, -0.02, 0.25, 0)],
    ['signs that changed', Float32Array.of(0.04, -0.02, 0, 1e-30), Float32Array.of(-0.05, 0.01, -1, -1e-30)],
    ['numbers below the normal ones', Float32Array.of(1e-40, 3e-39, -7e-42, 0), Float32Array.of(1e-39, 8e-39, 1e-45, 3e-39)],
    ['the largest numbers', Float32Array.of(3.4e38, 1, -3.4e38, 0), Float32Array.of(-3.4e38, 1, 3.4e38, 3.4e38)],
    ['orthogonal sides', Float32Array.of(1, 0, 2, -2), Float32Array.of(0, 5, 3, 3)],
    ['a side that nearly vanished', Float32Array.of(1, 3, 2, -2), Float32Array.of(1e-9, 1e-8, -3e-9, 1e-10)],
  ])('agree with the loops about %s', (_, a, b) => {
    const repeated = (values: Float32Array) => new Uint8Array(Float32Array.from({ length: 9001 }, (__, i) => values[i % values.length] ?? 0).buffer);
    const pair = { a: repeated(a), b: repeated(b) };
    const [fast, slow] = [run(createPairAccumulator('float32', EXACTLY), pair), run(createPlainAccumulator('float32', EXACTLY), pair)];
    const { absolute: _a, squares: _s, before: _b, after: _c, product: _p, ...exactly } = fast;
    expect(slow).toMatchObject(exactly);
    expect(run(createPairAccumulator('float32', LEAN), pair)).toEqual({ ...fast, closeness: noCloseness() });
    const [one, other] = [numbersOf('float32', fast), numbersOf('float32', slow)];
    // Adding 8192 times the same few numbers may round the same way each time: 8192 · 2^-53 at worst.
    near(one.norm, other.norm, 1e-12);
    near(one.meanAbs, other.meanAbs, 1e-12);
    expect(Math.abs((one.cosine ?? 0) - (other.cosine ?? 0))).toBeLessThan(1e-12);
  });

  it.each(['float32', 'bfloat16', 'float16'] as const)(
    'agree with the loops where stretches of %s are equal, changed now and then, and all changed',
    (dtype) => {
      const pair = finitePair(dtype, 200_003, 6);
      const size = dtypeBytes(dtype);
      const equal = (from: number, end: number) => pair.b.set(pair.a.subarray(from * size, end * size), from * size);
      equal(0, 9_000);
      equal(70_000, 100_001);
      for (let at = 100_001; at < 160_000; at += 100) equal(at, at + 99);
      const [fast, slow] = [run(createPairAccumulator(dtype, EXACTLY), pair), run(createPlainAccumulator(dtype, EXACTLY), pair)];
      const { absolute: _a, squares: _s, before: _b, after: _c, product: _p, ...exactly } = fast;
      expect(slow).toMatchObject(exactly);
      // Sums of stretches where all have changed are rounded in another order.
      expect(run(createPairAccumulator(dtype, LEAN), pair)).toMatchObject({ ...exactly, closeness: noCloseness() });
      for (const sum of ['absolute', 'squares', 'before', 'after'] as const) near(fast[sum].value + fast[sum].rest, slow[sum].value + slow[sum].rest, 1e-14);
      expect(Math.abs(fast.product.value - slow.product.value)).toBeLessThanOrEqual(1e-14 * Math.sqrt(slow.before.value * slow.after.value));
    },
  );

  it.each(['float32', 'bfloat16', 'float16'] as const)('find the largest steps of %s without a change of sign', (dtype) => {
    const pair = finitePair(dtype, 10_000, 8);
    const top = dtypeBytes(dtype) - 1;
    for (const [at, value] of pair.b.entries()) if (at % (top + 1) === top) pair.b[at] = (value & 0x7f) | ((pair.a[at] ?? 0) & 0x80);
    const [fast, slow] = [run(createPairAccumulator(dtype, EXACTLY), pair), run(createPlainAccumulator(dtype, EXACTLY), pair)];
    expect(fast).toMatchObject({ signFlips: 0, maxUlp: slow.maxUlp, maxRelative: slow.maxRelative, maxIndex: slow.maxIndex });
  });

  it('take what is read into their input as what they are given', () => {
    const pair = randomPair('bfloat16', 10_001, 5);
    const accumulator = createPairAccumulator('bfloat16', EXACTLY);
    for (const [from, end] of [
      [0, 16_384],
      [16_384, 20_002],
    ] as const) {
      accumulator.input?.a.set(pair.a.subarray(from, end));
      accumulator.input?.b.set(pair.b.subarray(from, end));
      accumulator.addInput(end - from, from / 2);
    }
    expect(accumulator.finish()).toEqual(run(createPairAccumulator('bfloat16', EXACTLY), pair));
  });

  it('are clean again for the next pair', () => {
    const odd = { a: new Uint8Array(Float32Array.of(1, Number.NaN, 3).buffer), b: new Uint8Array(Float32Array.of(2, 1, 3).buffer) };
    const once = run(createPairAccumulator('float32', OPTIONS), odd);
    expect(run(createPairAccumulator('float32', OPTIONS), odd)).toEqual(once);
    expect(run(createPairAccumulator('float32', EXACTLY), odd)).toMatchObject({ ...once, beyond: 2 });
    expect(once.closeness).toEqual({ deltaFrom: 0, baseFrom: -1, rows: 1, columns: 2, counts: Float64Array.of(0, 1) });
  });
});

describe('parts', () => {
  it('join to what one pass gives', () => {
    const pair = randomPair('float32', 40_000, 9);
    const whole = run(createPairAccumulator('float32', OPTIONS), pair);
    const parts = [0, 8192, 8192 * 3].map((from, index, all) => {
      const accumulator = createPairAccumulator('float32', OPTIONS);
      const end = all[index + 1] ?? 40_000;
      accumulator.add(pair.a.subarray(from * 4, end * 4), pair.b.subarray(from * 4, end * 4), from);
      return accumulator.finish();
    });
    const joined = joinParts(parts);
    expect(numbersOf('float32', joined)).toMatchObject({ changed: numbersOf('float32', whole).changed, maxAt: numbersOf('float32', whole).maxAt });
    expect(joined.closeness).toEqual(whole.closeness);
    near(numbersOf('float32', joined).norm, numbersOf('float32', whole).norm, 1e-15);
    expect([joined.maxUlp, joined.maxRelative, joined.finite]).toEqual([whole.maxUlp, whole.maxRelative, whole.finite]);
  });
});

describe('special pairs', () => {
  const doubles = (a: number[], b: number[]) =>
    numbersOf(
      'float64',
      run(createPairAccumulator('float64', OPTIONS), { a: new Uint8Array(Float64Array.from(a).buffer), b: new Uint8Array(Float64Array.from(b).buffer) }),
    );

  it('neither overflow nor vanish', () => {
    near(doubles([0, 3e200], [3e200, -1e200]).norm, 5e200);
    near(doubles([0, 3e200], [3e200, -1e200]).relativeL2, 5 / 3);
    near(doubles([1.5e308, 1e308], [0.5e308, 0]).norm, 1e308 * Math.SQRT2);
    near(doubles([1, 1e300, 0], [1, 1e300, 3e-300]).norm, 3e-300);
    near(doubles([3e-300, 0], [0, 4e-300]).norm, 5e-300);
    expect(doubles([1e308], [-1e308])).toMatchObject({ maxAbs: Number.POSITIVE_INFINITY, relativeL2: 2, cosine: -1, maxRelative: 2 });
    near(doubles([1e-320, 1], [2e-320, 1]).maxRelative, 1);
  });

  it('have no ratio where there is nothing to relate to', () => {
    expect(doubles([0, 0], [1, 0])).toMatchObject({ relativeL2: null, cosine: null, maxRelative: Number.POSITIVE_INFINITY, maxAt: [0] });
    expect(doubles([0, -0], [0, -0])).toMatchObject({ relativeL2: 0, cosine: 1, maxRelative: 0, maxAt: null });
    expect(doubles([], [])).toMatchObject({ elements: 0, meanAbs: 0, rms: 0, norm: 0, cosine: 1 });
  });

  it('tell what is not finite apart', () => {
    const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;
    expect(doubles([nan, infinity, 1, infinity, 1], [nan, infinity, nan, -infinity, 2])).toMatchObject({
      notFinite: 2,
      beyond: 3,
      changed: 3,
      norm: 1,
      maxUlp: 2 ** 52,
    });
  });

  it('take complex numbers by their magnitude', () => {
    const pair = { a: new Uint8Array(Float32Array.of(1, 1, 2, 2, 0, Number.NaN).buffer), b: new Uint8Array(Float32Array.of(4, 5, 2, 2, 0, 1).buffer) };
    const numbers = numbersOf('complex64', run(createPairAccumulator('complex64', OPTIONS), pair));
    // a · conj(b): (1 + i)(4 - 5i) = 9 - i and 8; |a|² = 2 + 8, |b|² = 41 + 8.
    expect(numbers).toMatchObject({ norm: 5, maxAbs: 5, changed: 2, notFinite: 1, signFlips: 0, meanAbs: 2.5 });
    near(numbers.cosine, 17 / Math.sqrt(10 * 49));
  });
});
