import { describe, expect, it } from 'vitest';
import { layoutSpectrum } from './spectrumPoints';

const size = { width: 100, height: 96 };

describe('layoutSpectrum', () => {
  it('stands powers of ten equally far apart, and marks the rank', () => {
    const layout = layoutSpectrum([10, 1, 0.001, 0], { ...size, rank: 2 });
    expect(layout.points.map(({ x, y, place }) => [x, y, place])).toEqual([
      [12.5, 0, 1],
      [37.5, 24, 2],
      [62.5, 96, 3],
      [87.5, 96, 4],
    ]);
    expect(layout.ticks.map((tick) => tick.exponent)).toEqual([1, 0, -1, -2, -3]);
    expect(layout.rankAt).toBe(50);
  });

  it('does not let rounding stretch the scale', () => {
    const { ticks } = layoutSpectrum([1, 1e-30], { ...size, rank: 1 });
    expect(Math.min(...ticks.map((tick) => tick.exponent))).toBe(-1);
  });

  it.each([[[]], [[0, 0]], [[Number.NaN]], [[Number.POSITIVE_INFINITY]]])('is empty for %j', (values) => {
    expect(layoutSpectrum(values, { ...size, rank: 0 }).points).toEqual([]);
  });

  it('has one point in the middle, and no line when all count', () => {
    const layout = layoutSpectrum([3], { ...size, rank: 1 });
    expect(layout.points).toHaveLength(1);
    expect(layout.points[0]?.x).toBe(50);
    expect(layout.rankAt).toBeNull();
  });
});
