import { describe, expect, it } from 'vitest';
import { cellAt, heatCsv, layoutHeat, sourceIndex } from './heatLayout';

describe('layoutHeat', () => {
  it.each([
    ['square cells', 10, 64, { cellWidth: 8, cellHeight: 8 }],
    ['a vector', 1, 64, { cellWidth: 8, cellHeight: 20 }],
    ['a few large cells', 2, 2, { cellWidth: 24, cellHeight: 24 }],
    ['one cell', 1, 1, { cellWidth: 24, cellHeight: 24 }],
    ['more rows than fit', 256, 64, { cellWidth: 8, cellHeight: 1.25 }],
    ['one column', 256, 1, { cellWidth: 24, cellHeight: 1.25 }],
    ['nothing', 0, 4, { cellWidth: 0, cellHeight: 0 }],
  ])('%s', (_name, rows, columns, cells) => {
    const layout = layoutHeat({ rows, columns }, 512);
    expect(layout).toMatchObject(cells);
    expect(layout.width).toBeLessThanOrEqual(512);
    expect(layout.height).toBeLessThanOrEqual(320);
  });
});

it('finds the cell under a point', () => {
  const shape = { rows: 10, columns: 64 };
  const layout = layoutHeat(shape, 512);
  expect(cellAt(layout, shape, { x: 0, y: 0 })).toEqual({ row: 0, column: 0 });
  expect(cellAt(layout, shape, { x: 511.9, y: 79.9 })).toEqual({ row: 9, column: 63 });
  expect(cellAt(layout, shape, { x: 512, y: 0 })).toBeNull();
  expect(cellAt(layout, shape, { x: 3, y: -1 })).toBeNull();
});

it('says which elements a cell stands for', () => {
  expect(sourceIndex({ row: 3, column: 5 }, { rows: 10, columns: 64, sourceRows: 10, sourceColumns: 64 })).toBe('[3, 5]');
  expect(sourceIndex({ row: 255, column: 0 }, { rows: 256, columns: 256, sourceRows: 512, sourceColumns: 768 })).toBe('[510–511, 0–2]');
});

it('writes every digit and what is no number', () => {
  expect(heatCsv({ rows: 2, columns: 2, values: Float32Array.of(0.5, Number.NaN, -0, Number.POSITIVE_INFINITY) })).toBe('0.5,NaN\n-0,Infinity');
});
