import { describe, expect, it } from 'vitest';
import { barAt, layoutHistogram } from './histogramBars';

const size = { width: 100, height: 50, scale: 'linear' } as const;

describe('layoutHistogram', () => {
  it('puts the bins side by side, the fullest as tall as the chart', () => {
    const layout = layoutHistogram({ min: -2, max: 2, counts: Float64Array.of(1, 0, 4, 2), edges: null }, size);
    expect(layout.bars.map((bar) => [bar.x, bar.width, bar.height])).toEqual([
      [0, 25, 12.5],
      [25, 25, 0],
      [50, 25, 50],
      [75, 25, 25],
    ]);
    expect(layout.bars.map((bar) => [bar.from, bar.to])).toEqual([
      [-2, -1],
      [-1, 0],
      [0, 1],
      [1, 2],
    ]);
    expect(layout).toMatchObject({ peak: 4, total: 7, zeroAt: 50 });
  });

  it('shows one element beside a million', () => {
    const counts = Float64Array.of(1_000_000, 1);
    expect(layoutHistogram({ min: 0, max: 1, counts, edges: null }, size).bars[1]?.height).toBe(1);
    expect(layoutHistogram({ min: 0, max: 1, counts, edges: null }, { ...size, scale: 'log' }).bars[1]?.height).toBeGreaterThan(2);
  });

  it('makes one bar of equal elements', () => {
    const layout = layoutHistogram({ min: 3, max: 3, counts: Float64Array.of(0, 5, 0), edges: null }, size);
    expect(layout.bars).toEqual([{ x: 38, width: 24, height: 50, from: 3, to: 3, count: 5 }]);
    expect(layout.ticks).toEqual([{ at: 50, label: '3' }]);
  });

  it('draws bins with edges of their own equally wide, with ticks at edges and zero where it belongs', () => {
    const edges = Float64Array.of(-100, -1, 0, 1, 100);
    const layout = layoutHistogram({ min: -100, max: 100, counts: Float64Array.of(2, 1, 4, 0), edges }, size);
    expect(layout.bars.map((bar) => [bar.x, bar.width, bar.from, bar.to])).toEqual([
      [0, 25, -100, -1],
      [25, 25, -1, 0],
      [50, 25, 0, 1],
      [75, 25, 1, 100],
    ]);
    expect(layout.zeroAt).toBe(50);
    expect(layout.ticks.map(({ at }) => at)).toEqual([0, 50, 100]);
  });

  it('survives the whole range of doubles', () => {
    const layout = layoutHistogram({ min: -Number.MAX_VALUE, max: Number.MAX_VALUE, counts: Float64Array.of(1, 2), edges: null }, size);
    for (const bar of layout.bars) expect([bar.from, bar.to, bar.x, bar.height].every(Number.isFinite)).toBe(true);
    expect(layout.bars[0]?.to).toBe(0);
  });

  it('has ticks inside the chart only', () => {
    const { ticks } = layoutHistogram({ min: 0.013, max: 0.987, counts: new Float64Array(64).fill(1), edges: null }, { ...size, width: 400 });
    expect(ticks.length).toBeGreaterThan(2);
    for (const tick of ticks) expect(tick.at).toBeGreaterThanOrEqual(0);
    for (const tick of ticks) expect(tick.at).toBeLessThanOrEqual(400);
  });

  it.each([
    [-10, 0],
    [0, 0],
    [24.9, 0],
    [25, 1],
    [99, 3],
    [500, 3],
  ])('finds the bar at %d', (x, index) => {
    const layout = layoutHistogram({ min: 0, max: 4, counts: Float64Array.of(1, 1, 1, 1), edges: null }, size);
    expect(barAt(layout, x)).toBe(layout.bars[index]);
  });
});
