import { describe, expect, it } from 'vitest';
import { chooseHeatScale, findHeatMarks, HEAT_PALETTES, legendColours, paintHeatCells } from './heatCells';

const rgb = (pixels: Uint8ClampedArray, index: number) => [...pixels.slice(index * 4, index * 4 + 4)];
const of = (colour: number | undefined) => [((colour ?? 0) >> 16) & 255, ((colour ?? 0) >> 8) & 255, (colour ?? 0) & 255, 255];

describe('chooseHeatScale', () => {
  it('is even around zero for signed values', () => {
    expect(chooseHeatScale(Float32Array.of(-1, 0, 4))).toEqual({ kind: 'diverging', low: -4, high: 4, clipped: false });
    expect(chooseHeatScale(Float32Array.of(-4, -2))).toEqual({ kind: 'diverging', low: -4, high: 4, clipped: false });
  });

  it('starts at zero for values without a sign', () => {
    expect(chooseHeatScale(Float32Array.of(0.5, 2))).toEqual({ kind: 'sequential', low: 0, high: 2, clipped: false });
    expect(chooseHeatScale(Float32Array.of(2, 2))).toEqual({ kind: 'sequential', low: 0, high: 2, clipped: false });
  });

  it('starts at the least value when all are far from zero', () => {
    expect(chooseHeatScale(Float32Array.of(1.5, 2))).toEqual({ kind: 'sequential', low: 1.5, high: 2, clipped: false });
  });

  it('cuts off outliers, and says so', () => {
    const values = new Float32Array(1000).fill(1);
    values[7] = -1;
    values[8] = 1000;
    expect(chooseHeatScale(values)).toEqual({ kind: 'diverging', low: -1, high: 1, clipped: true });
  });

  it.each([[[]], [[Number.NaN]], [[Number.POSITIVE_INFINITY, Number.NaN]], [[0, 0]]])('has a scale for %j', (values) => {
    const scale = chooseHeatScale(Float32Array.from(values));
    expect(scale.high).toBeGreaterThan(scale.low);
  });
});

describe.each(['light', 'dark'] as const)('paintHeatCells, %s', (theme) => {
  const palette = HEAT_PALETTES[theme];
  const scale = { kind: 'diverging', low: -1, high: 1, clipped: false } as const;

  it('paints zero in the middle colour and the ends, and what is beyond, in the end colours', () => {
    const pixels = paintHeatCells(Float32Array.of(-1, 0, 1, -9, 9, -0), scale, palette);
    const expected = [0, 3, 6, 0, 6, 3].map((stop) => of(palette.diverging[stop]));
    expect(expected.map((_, index) => rgb(pixels, index))).toEqual(expected);
  });

  it('gives what is no number colours of its own', () => {
    const values = Float32Array.of(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.5);
    const pixels = paintHeatCells(values, scale, palette);
    expect([0, 1, 2].map((index) => rgb(pixels, index))).toEqual([of(palette.nan), of(palette.positiveInfinity), of(palette.negativeInfinity)]);
    expect(findHeatMarks(values)).toEqual([
      { index: 0, kind: 'nan' },
      { index: 1, kind: 'positive-infinity' },
      { index: 2, kind: 'negative-infinity' },
    ]);
    expect(findHeatMarks(values, 1)).toHaveLength(1);
  });

  it('paints a tensor of one value', () => {
    expect(rgb(paintHeatCells(Float32Array.of(3), chooseHeatScale(Float32Array.of(3)), palette), 0)).toEqual(of(palette.sequential.at(-1)));
  });

  it('writes the legend as CSS', () => {
    for (const colour of legendColours(scale, palette)) expect(colour).toMatch(/^#[0-9a-f]{6}$/);
  });
});
