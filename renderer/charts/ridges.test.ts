import { describe, expect, it } from 'vitest';
import { layoutRidges, ridgesHeight } from './ridges';

const FRAME = { width: 40, step: 10, overlap: 2 };

describe('layoutRidges', () => {
  it('stands the first at the bottom, each to the share of its own elements', () => {
    const ridges = layoutRidges([Float64Array.of(1, 3), Float64Array.of(200, 200)], FRAME);
    expect(ridges.map(({ baseline }) => baseline)).toEqual([30, 20]);
    // Three quarters are the highest share and reach up two steps; a half reaches two thirds of that.
    expect(ridges[0]?.path).toBe('M0 30L10 23.3L30 10L40 30Z');
    expect(ridges[1]?.path).toBe('M0 20L10 6.7L30 6.7L40 20Z');
    expect(ridgesHeight(2, FRAME)).toBe(31);
  });

  it('keeps the place of what has no histogram, or nothing in it', () => {
    const ridges = layoutRidges([null, new Float64Array(4), new Float64Array(0)], FRAME);
    expect(ridges.map(({ path }) => path)).toEqual(['', '', '']);
    expect(ridges.map(({ baseline }) => baseline)).toEqual([40, 30, 20]);
    expect(layoutRidges([], FRAME)).toEqual([]);
    expect(ridgesHeight(0, FRAME)).toBe(0);
  });
});
