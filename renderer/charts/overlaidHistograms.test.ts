import { describe, expect, it } from 'vitest';
import { outlinePath, overlayHistograms } from './overlaidHistograms';

const histogram = (...counts: number[]) => ({ min: -1, max: 1, counts: Float64Array.from(counts), edges: null });
const size = { width: 80, height: 100, scale: 'linear' } as const;

describe('overlayHistograms', () => {
  it('draws equal counts equally high, whatever the own peak', () => {
    const { a, b, peak } = overlayHistograms(histogram(1, 4, 2, 0), histogram(0, 8, 4, 0), size);
    expect(peak).toBe(8);
    expect(a.bars.map((bar) => bar.height)).toEqual([12.5, 50, 25, 0]);
    expect(b.bars.map((bar) => bar.height)).toEqual([0, 100, 50, 0]);
    expect(a.bars[2]?.height).toBe((b.bars[2]?.height ?? 0) / 2);
  });

  it('has a place for one value and for none', () => {
    const point = { min: 2, max: 2, counts: Float64Array.of(7), edges: null };
    expect(overlayHistograms(point, point, size).b.bars).toHaveLength(1);
    expect(overlayHistograms(histogram(), histogram(), size).peak).toBe(0);
  });
});

describe('outlinePath', () => {
  it('goes along the tops and comes back to the base', () => {
    const { a } = overlayHistograms(histogram(1, 2), histogram(2, 2), size);
    expect(outlinePath(a, 100)).toBe('M0 100V50H40V0H80V100');
  });
});
