import { describe, expect, it } from 'vitest';
import { CELL_SIZES, cellsInView, chooseLabels, labelStride, placeLabels, scrollToCell, snapCell, stepZoom, zoomAround } from './timelineZoom';

describe('zoom', () => {
  it('steps through the sizes and stays at the ends', () => {
    expect([stepZoom(28, 1), stepZoom(28, -1), stepZoom(2, -1), stepZoom(2, 1), stepZoom(5, 1), stepZoom(5, -1)]).toEqual([28, 24, 2, 3, 6, 4]);
    let size: number = CELL_SIZES[0];
    const seen = [size];
    while (stepZoom(size, 1) !== size) {
      size = stepZoom(size, 1);
      seen.push(size);
    }
    expect(seen).toEqual([...CELL_SIZES]);
  });

  it('gives cells whole device pixels', () => {
    expect(snapCell(28, 1)).toBe(28);
    expect(snapCell(3, 1.5) * 1.5).toBe(5);
    expect(snapCell(2, 0.25) * 0.25).toBe(1);
  });

  it('keeps what is under the pointer', () => {
    const scroll = zoomAround(9000, 300, { from: 28, to: 2 });
    expect((scroll + 300) / 2).toBeCloseTo((9000 + 300) / 28, 9);
    expect(zoomAround(0, 10, { from: 28, to: 2 })).toBe(0);
  });
});

describe('cells in view', () => {
  it.each([
    [0, 100, 28, 1000, [0, 4]],
    [30, 100, 28, 1000, [1, 5]],
    [0, 100, 28, 2, [0, 2]],
    [0, 0, 28, 10, [0, 0]],
    [9999, 100, 28, 10, [10, 10]],
    [0, 100, 28, 0, [0, 0]],
  ] as const)('from %d over %d pixels, cells of %d, %d of them', (scroll, length, cell, count, expected) => {
    expect(cellsInView(scroll, length, { cell, count })).toEqual(expected);
  });

  it('moves the view no further than it must', () => {
    const view = { cell: 28, length: 280 };
    expect(scrollToCell(3, 0, view)).toBe(0);
    expect(scrollToCell(10, 0, view)).toBe(28);
    expect(scrollToCell(2, 100, view)).toBe(56);
    expect(scrollToCell(5, 0, { cell: 28, length: 10 })).toBe(140);
  });
});

describe('labels', () => {
  it('have room', () => {
    expect([labelStride(28, 14), labelStride(14, 14), labelStride(10, 14), labelStride(2, 14)]).toEqual([1, 1, 2, 7]);
  });

  it('name modules before what they hold, from the outside in', () => {
    const depths = [0, 1, 100, 100, 1, 100, 0, 100];
    expect(chooseLabels(depths, { cell: 18, label: 18 })).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(chooseLabels(depths, { cell: 9, label: 18 })).toEqual([0, 2, 4, 6]);
    expect(chooseLabels(depths, { cell: 6, label: 18 })).toEqual([0, 3, 6]);
    expect(chooseLabels([], { cell: 2, label: 18 })).toEqual([]);
  });

  it('stand over their columns, at the end of the view before it, and beside those of the same column', () => {
    const line = { length: 280, cell: 28, gap: 2 };
    expect(placeLabels([{ at: 252, width: 40 }], line)).toEqual([{ index: 0, left: 240, width: 40 }]);
    expect(
      placeLabels(
        [
          { at: 0, width: 30 },
          { at: 0, width: 20 },
          { at: 28, width: 20 },
        ],
        line,
      ),
    ).toEqual([
      { index: 0, left: 0, width: 30 },
      { index: 1, left: 32, width: 20 },
    ]);
    expect(
      placeLabels(
        [
          { at: -28, width: 20 },
          { at: 280, width: 20 },
        ],
        line,
      ),
    ).toEqual([]);
    expect(placeLabels([{ at: -10, width: 500 }], line)).toEqual([{ index: 0, left: 0, width: 280 }]);
  });
});
