import { describe, expect, it } from 'vitest';
import { cellOfIndex, chooseAxis, differencePreview, firstView, indexOfCell, isWholeView, panView, showIndex, wholeView, zoomView } from './sliceWindow';

const preview = (rows: number, columns: number, values: readonly number[] = []) => ({
  rows,
  columns,
  values: Float32Array.from(values),
  sourceRows: rows,
  sourceColumns: columns,
});

describe('firstView', () => {
  it.each([
    [[], null, null, [0, 1], [0, 1]],
    [[5], null, 0, [0, 1], [0, 5]],
    [[3, 4], 0, 1, [0, 3], [0, 4]],
    [[2, 3, 4], 1, 2, [0, 3], [0, 4]],
    [[64, 32, 3, 3], 0, 1, [0, 64], [0, 32]],
    [[0, 4], 0, 1, [0, 0], [0, 4]],
  ])('of %j shows axes %s and %s', (shape, rowAxis, columnAxis, rows, columns) => {
    expect(firstView(shape)).toEqual({ rowAxis, columnAxis, fixed: shape.map(() => 0), rows, columns });
  });
});

describe('chooseAxis', () => {
  const shape = [2, 3, 4];
  it('shows all of the new axis', () => {
    expect(chooseAxis(shape, zoomView(shape, firstView(shape), { factor: 0.5 }), { which: 'rowAxis', axis: 0 })).toMatchObject({
      rowAxis: 0,
      columnAxis: 2,
      rows: [0, 2],
      columns: [0, 4],
    });
  });
  it('exchanges both when the axis is taken', () => {
    expect(chooseAxis(shape, firstView(shape), { which: 'rowAxis', axis: 2 })).toMatchObject({ rowAxis: 2, columnAxis: 1, rows: [0, 4], columns: [0, 3] });
  });
});

describe('zoomView', () => {
  const shape = [100, 1000];
  it('keeps the place under the pointer, and comes back to the whole', () => {
    const near = zoomView(shape, firstView(shape), { factor: 0.5, at: { row: 1, column: 0 } });
    expect(near).toMatchObject({ rows: [50, 100], columns: [0, 500] });
    const back = zoomView(shape, near, { factor: 4 });
    expect(back).toMatchObject({ rows: [0, 100], columns: [0, 1000] });
    expect(isWholeView(shape, back)).toBe(true);
    expect(isWholeView(shape, near)).toBe(false);
  });

  it('stops at a few cells, always in the matrix', () => {
    let view = firstView(shape);
    for (let step = 0; step < 40; step++) view = zoomView(shape, view, { factor: 0.7, at: { row: 0.9, column: 0.1 } });
    expect(view.rows[1] - view.rows[0]).toBe(4);
    expect(view.columns[1] - view.columns[0]).toBe(4);
    expect(zoomView([2, 1], firstView([2, 1]), { factor: 0.5 })).toMatchObject({ rows: [0, 2], columns: [0, 1] });
    expect(zoomView([], firstView([]), { factor: 2 })).toEqual(firstView([]));
  });
});

describe('panView and showIndex', () => {
  const shape = [10, 100, 7];
  const view = { ...wholeView(shape, { rowAxis: 0, columnAxis: 1, fixed: [0, 0, 2] }), rows: [2, 6] as const, columns: [10, 20] as const };
  it('stops at the edges', () => {
    expect(panView(shape, view, { rows: -9, columns: 3 })).toMatchObject({ rows: [0, 4], columns: [13, 23] });
    expect(panView(shape, view, { rows: 99, columns: 99 })).toMatchObject({ rows: [6, 10], columns: [90, 100] });
  });
  it('goes to an element, on its slice', () => {
    expect(showIndex(shape, view, { index: [9, 50, 6] })).toMatchObject({ fixed: [9, 50, 6], rows: [6, 10], columns: [45, 55] });
    expect(showIndex(shape, wholeView(shape, view), { index: [0, 99, 1], size: 8 })).toMatchObject({ rows: [0, 8], columns: [92, 100] });
  });
});

describe('cells and indices', () => {
  const view = { rowAxis: 1, columnAxis: 2, fixed: [3, 0, 0], rows: [10, 20], columns: [0, 4] } as const;
  it('names one element, or several that are averaged', () => {
    expect(indexOfCell(view, preview(10, 4), { row: 2, column: 3 })).toBe('[3, 12, 3]');
    expect(indexOfCell(view, preview(3, 2), { row: 1, column: 1 })).toBe('[3, 13–15, 2–3]');
  });
  it('finds the cell of an element, for every size of picture', () => {
    for (let cells = 1; cells <= 10; cells++) {
      for (let at = 10; at < 20; at++) {
        const cell = cellOfIndex(view, preview(cells, 4), [3, at, 1]);
        const [first = '', last = first] =
          indexOfCell(view, preview(cells, 4), { row: cell?.row ?? -1, column: 1 })
            .split(', ')[1]
            ?.split('–') ?? [];
        expect(Number(first)).toBeLessThanOrEqual(at);
        expect(Number(last)).toBeGreaterThanOrEqual(at);
      }
    }
    expect(cellOfIndex(view, preview(10, 4), [2, 12, 1])).toBeNull();
    expect(cellOfIndex(view, preview(10, 4), [3, 20, 1])).toBeNull();
  });
});

describe('differencePreview', () => {
  it('subtracts, and keeps what is no number', () => {
    const difference = differencePreview(preview(1, 3, [1, Number.NaN, 4]), preview(1, 3, [3, 0, Number.POSITIVE_INFINITY]));
    expect(Array.from(difference?.values ?? [])).toEqual([2, Number.NaN, Number.POSITIVE_INFINITY]);
    expect(differencePreview(preview(1, 3), preview(3, 1))).toBeNull();
  });
});
