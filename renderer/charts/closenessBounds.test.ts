import { describe, expect, it } from 'vitest';
import type { Closeness, PairNumbers } from '../../shared/model/pairNumbers';
import { BITS, boundBeyond, packCloseness } from './closenessBounds';

const [DELTA_FROM, BASE_FROM, ROWS, COLUMNS] = [-40, -20, 48, 32];

/** The table as its definition says, element by element. */
function tableOf(pairs: readonly (readonly [a: number, b: number])[]): Closeness {
  const counts = new Float64Array(ROWS * COLUMNS);
  const place = (value: number, from: number, length: number) => (value === 0 ? 0 : Math.max(0, Math.min(length - 1, Math.floor(Math.log2(value)) - from)));
  for (const [a, b] of pairs) {
    if (a === b || !Number.isFinite(b - a)) continue;
    const cell = place(Math.abs(b - a), DELTA_FROM, ROWS) * COLUMNS + place(Math.abs(a), BASE_FROM, COLUMNS);
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  return { deltaFrom: DELTA_FROM, baseFrom: BASE_FROM, rows: ROWS, columns: COLUMNS, counts };
}

function numbersOf(pairs: readonly (readonly [a: number, b: number])[], { rtol = 0, atol = 0 } = {}): PairNumbers {
  const finite = pairs.filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b));
  return {
    comparedAs: 'float64',
    shape: [pairs.length],
    elements: pairs.length,
    changed: pairs.filter(([a, b]) => !Object.is(a, b)).length,
    beyond: beyondOf(pairs, { rtol, atol }),
    rtol,
    atol,
    notFinite: pairs.filter(([a, b]) => !Object.is(a, b) && !(Number.isFinite(a) && Number.isFinite(b))).length,
    signFlips: 0,
    maxAbs: Math.max(0, ...finite.map(([a, b]) => Math.abs(b - a))),
    maxAt: null,
    maxRelative: 0,
    meanAbs: 0,
    rms: 0,
    norm: 0,
    relativeL2: 0,
    cosine: 1,
    maxUlp: null,
  };
}

function beyondOf(pairs: readonly (readonly [a: number, b: number])[], { rtol, atol }: { rtol: number; atol: number }): number {
  return pairs.filter(([a, b]) => {
    if (Object.is(a, b)) return false;
    return !(Number.isFinite(a) && Number.isFinite(b)) || Math.abs(b - a) > atol + rtol * Math.abs(a);
  }).length;
}

/** A sequence that looks random and is the same every time. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

function somePairs(count: number): (readonly [number, number])[] {
  const random = numbers(7);
  const next = () => random.next().value;
  return Array.from({ length: count }, () => {
    const a = next() < 0.1 ? 0 : (next() - 0.5) * 10 ** (next() * 12 - 8);
    const kind = next();
    if (kind < 0.3) return [a, a];
    if (kind < 0.32) return [a, Number.NaN];
    return [a, a + (next() - 0.5) * 10 ** (next() * 14 - 13)];
  });
}

describe('boundBeyond', () => {
  const pairs = somePairs(4000);
  const measured = numbersOf(pairs);
  const closeness = packCloseness(tableOf(pairs));

  it.each([
    [1e-5, 1e-8],
    [0, 1e-8],
    [1e-3, 0],
    [0, 2 ** -10],
    [2 ** -4, 0],
    [1, 1],
    [0, 1e9],
    [1e-300, 1e-300],
  ])('encloses what is counted for rtol %s and atol %s', (rtol, atol) => {
    const { least, most } = boundBeyond(measured, closeness, { rtol, atol });
    const counted = beyondOf(pairs, { rtol, atol });
    expect(least).toBeLessThanOrEqual(counted);
    expect(most).toBeGreaterThanOrEqual(counted);
    expect(most - least).toBeLessThan(0.12 * pairs.length);
  });

  it('takes bits, and the tolerance that was measured with, as they are', () => {
    const measuredWith = numbersOf(pairs, { rtol: 1e-5, atol: 1e-8 });
    expect(boundBeyond(measuredWith, null, BITS)).toEqual({ least: measuredWith.changed, most: measuredWith.changed });
    expect(boundBeyond(measuredWith, null, { rtol: 1e-5, atol: 1e-8 })).toEqual({ least: measuredWith.beyond, most: measuredWith.beyond });
  });

  it('knows nothing between without a table, and everything where nothing changed', () => {
    expect(boundBeyond(measured, null, { rtol: 0.1, atol: 0 })).toEqual({ least: measured.notFinite, most: measured.changed });
    const same = numbersOf([[1, 1]]);
    expect(boundBeyond(same, null, { rtol: 0.1, atol: 0 })).toEqual({ least: 0, most: 0 });
  });

  it('packs away empty cells only', () => {
    expect(closeness.counts.reduce((sum, count) => sum + count, 0)).toBe(pairs.filter(([a, b]) => a !== b && Number.isFinite(b)).length);
    expect(packCloseness(tableOf([])).cells).toHaveLength(0);
  });
});
