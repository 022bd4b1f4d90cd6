import { describe, expect, it } from 'vitest';
import { layoutVersionChart, stepVersion, versionAt, versionPlaces } from './versionChart';

const FRAME = { width: 164, height: 100, left: 64 };
const link = (from: number, to: number, isMerge = false) => ({ from, to, line: 0, isMerge });

describe('layoutVersionChart', () => {
  it('places versions equally far apart and higher numbers higher', () => {
    const { x, y, ticks, strokes } = layoutVersionChart([[0, 5, 10]], [link(0, 1), link(1, 2)], { frame: FRAME, hasBand: false });
    expect(x).toEqual([80.7, 114, 147.3]);
    const [first, second, third] = y[0] ?? [];
    expect(first).toBeGreaterThan(second ?? 0);
    expect(second).toBeGreaterThan(third ?? 0);
    expect(ticks.map(({ value }) => value)).toEqual([0, 5, 10]);
    expect(strokes.map(({ path }) => path)).toEqual([`M80.7 ${first}L114 ${second}`, `M114 ${second}L147.3 ${third}`]);
  });

  it('leaves out strokes to what has no number', () => {
    const { strokes, y } = layoutVersionChart([[1, null, 3, Number.NaN]], [link(0, 1), link(1, 2), link(2, 3)], { frame: FRAME, hasBand: false });
    expect(strokes).toEqual([]);
    expect(y[0]?.map((value) => value === null)).toEqual([false, true, false, true]);
  });

  it('has neither axis nor strokes without numbers', () => {
    expect(layoutVersionChart([[null, null]], [link(0, 1)], { frame: FRAME, hasBand: true })).toMatchObject({ strokes: [], ticks: [], band: null });
    expect(layoutVersionChart([[]], [], { frame: FRAME, hasBand: false }).x).toEqual([]);
  });

  it.each([[[7, 7]], [[0, 0]], [[-3]], [[1e300, 1e300]]])('keeps equal numbers %j inside', (values) => {
    const { y } = layoutVersionChart([values], [], { frame: FRAME, hasBand: false });
    for (const place of y[0] ?? []) {
      expect(place).toBeGreaterThanOrEqual(0);
      expect(place).toBeLessThanOrEqual(FRAME.height);
    }
  });

  it('fills between the first and the last series, not along merges', () => {
    const { band } = layoutVersionChart(
      [
        [2, 3],
        [1, 1],
        [0, 0],
      ],
      [link(0, 1)],
      { frame: FRAME, hasBand: true },
    );
    expect(band?.match(/M/g)).toHaveLength(1);
    expect(
      layoutVersionChart(
        [
          [2, 3],
          [0, 0],
        ],
        [link(0, 1, true)],
        { frame: FRAME, hasBand: true },
      ).band,
    ).toBe('');
  });
});

describe('versionAt', () => {
  it('is the other way around from versionPlaces', () => {
    const places = versionPlaces(7, FRAME);
    expect(places.map((x) => versionAt(x, 7, FRAME))).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(versionAt(0, 7, FRAME)).toBe(0);
    expect(versionAt(9999, 7, FRAME)).toBe(6);
    expect(versionAt(10, 0, FRAME)).toBeNull();
  });
});

describe('stepVersion', () => {
  it('moves by keys within the versions, from the newest when none is read', () => {
    expect(stepVersion('ArrowLeft', null, 5)).toBe(3);
    expect(stepVersion('ArrowRight', 4, 5)).toBe(4);
    expect(stepVersion('Home', 3, 5)).toBe(0);
    expect(stepVersion('End', 0, 5)).toBe(4);
    expect(stepVersion('PageDown', 3, 50)).toBe(0);
    expect(stepVersion('x', 3, 5)).toBeNull();
    expect(stepVersion('Home', null, 0)).toBeNull();
  });
});
