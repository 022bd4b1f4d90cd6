import { describe, expect, it } from 'vitest';
import { NO_RANGE, scaleOf, shareOf, widenRange } from './numberScale';

const rangeOf = (...values: number[]) => values.reduce(widenRange, NO_RANGE);

describe('widenRange', () => {
  it('takes magnitudes, and leaves out zero from the least and what is no number from both', () => {
    expect(rangeOf(0, -3, 0.5, Number.NaN, Number.POSITIVE_INFINITY)).toEqual({ leastPositive: 0.5, greatest: 3 });
    expect(rangeOf(0)).toEqual({ leastPositive: Number.POSITIVE_INFINITY, greatest: 0 });
  });
});

describe('shareOf', () => {
  it('is logarithmic over magnitudes, with zero apart', () => {
    const scale = scaleOf('log', rangeOf(0.01, 1));
    expect([scale.low, scale.high]).toEqual([0.01, 1]);
    expect(shareOf(scale, 0)).toBe(0);
    expect(shareOf(scale, 0.01)).toBeCloseTo(0.2, 12);
    expect(shareOf(scale, 0.1)).toBeCloseTo(0.6, 12);
    expect(shareOf(scale, 1)).toBe(1);
    expect(shareOf(scale, Number.POSITIVE_INFINITY)).toBe(1);
  });

  it('does not let one tiny number flatten all the others', () => {
    const scale = scaleOf('log', rangeOf(1e-30, 1));
    expect(scale.low).toBe(1e-6);
    expect(shareOf(scale, 1e-30)).toBe(0.2);
  });

  it('stands at the middle for zero where there are signs, and mirrors them', () => {
    const scale = scaleOf('diverging', rangeOf(-10, 0.1));
    expect([scale.low, scale.high]).toEqual([-10, 10]);
    expect(shareOf(scale, 0)).toBe(0.5);
    expect(shareOf(scale, 10)).toBe(1);
    expect(shareOf(scale, -10)).toBe(0);
    expect(shareOf(scale, 1) - 0.5).toBeCloseTo(0.5 - shareOf(scale, -1), 12);
  });

  it('is even from zero for shares, and has an answer without any number', () => {
    expect(shareOf(scaleOf('linear', rangeOf(0.5)), 0.25)).toBe(0.5);
    for (const kind of ['log', 'linear', 'diverging'] as const) expect(Number.isFinite(shareOf(scaleOf(kind, NO_RANGE), 0))).toBe(true);
    expect(shareOf(scaleOf('log', rangeOf(3)), 3)).toBe(1);
  });
});
