import type { Shape } from '../../shared/model/shape';
import type { SliceView, TensorPreview } from '../../shared/model/tensorStats';

/** Least rows and columns that a picture is enlarged to. */
const SMALLEST = 4;

/** Extents of the matrix that a view shows a window of; one where it has no such axis. */
export function extentOf(shape: Shape, { rowAxis, columnAxis }: Pick<SliceView, 'rowAxis' | 'columnAxis'>): readonly [rows: number, columns: number] {
  return [rowAxis === null ? 1 : (shape[rowAxis] ?? 1), columnAxis === null ? 1 : (shape[columnAxis] ?? 1)];
}

/** What is looked at first: the first two axes of a convolution's kernel, of everything else the last two; all of them, the others at 0. */
export function firstView(shape: Shape): SliceView {
  const axes = shape.length;
  const [rowAxis, columnAxis] = axes === 0 ? [null, null] : axes === 1 ? [null, 0] : axes === 4 ? [0, 1] : [axes - 2, axes - 1];
  return wholeView(shape, { rowAxis, columnAxis, fixed: shape.map(() => 0) });
}

export function wholeView(shape: Shape, { rowAxis, columnAxis, fixed }: Pick<SliceView, 'rowAxis' | 'columnAxis' | 'fixed'>): SliceView {
  const [rows, columns] = extentOf(shape, { rowAxis, columnAxis });
  return { rowAxis, columnAxis, fixed, rows: [0, rows], columns: [0, columns] };
}

/** Another axis for rows or columns; when it is the other one's, both change places. Shows all of it. */
export function chooseAxis(shape: Shape, view: SliceView, { which, axis }: { readonly which: 'rowAxis' | 'columnAxis'; readonly axis: number }): SliceView {
  const other = which === 'rowAxis' ? 'columnAxis' : 'rowAxis';
  const axes = { rowAxis: view.rowAxis, columnAxis: view.columnAxis, [which]: axis };
  if (view[other] === axis) axes[other] = view[which];
  return wholeView(shape, { ...axes, fixed: view.fixed });
}

/** Makes the window `factor` times as large around a point (shares of its height and width); within the matrix, never less than a few cells. */
export function zoomView(
  shape: Shape,
  view: SliceView,
  { factor, at = { row: 0.5, column: 0.5 } }: { readonly factor: number; readonly at?: { readonly row: number; readonly column: number } },
): SliceView {
  const [rows, columns] = extentOf(shape, view);
  return { ...view, rows: zoomSpan(view.rows, rows, { factor, at: at.row }), columns: zoomSpan(view.columns, columns, { factor, at: at.column }) };
}

function zoomSpan([from, to]: readonly [number, number], extent: number, { factor, at }: { factor: number; at: number }): [number, number] {
  const length = to - from;
  const wanted = factor < 1 ? Math.min(Math.floor(length * factor), length - 1) : Math.max(Math.ceil(length * factor), length + 1);
  const next = Math.min(extent, Math.max(Math.min(SMALLEST, length), wanted));
  return placeSpan(Math.round(from + at * (length - next)), next, extent);
}

/** Moves the window by rows and columns, up to the edges. */
export function panView(shape: Shape, view: SliceView, by: { readonly rows: number; readonly columns: number }): SliceView {
  const [rows, columns] = extentOf(shape, view);
  return {
    ...view,
    rows: placeSpan(view.rows[0] + by.rows, view.rows[1] - view.rows[0], rows),
    columns: placeSpan(view.columns[0] + by.columns, view.columns[1] - view.columns[0], columns),
  };
}

/** The window around an element, as large as it is or, with `size`, no larger than that many rows and columns. */
export function showIndex(
  shape: Shape,
  view: SliceView,
  { index, size = Number.POSITIVE_INFINITY }: { readonly index: readonly number[]; readonly size?: number },
): SliceView {
  const [rows, columns] = extentOf(shape, view);
  const around = (axis: number | null, [from, to]: readonly [number, number], extent: number) => {
    const length = Math.min(to - from, size);
    return placeSpan(Math.round((axis === null ? 0 : (index[axis] ?? 0)) - length / 2), length, extent);
  };
  return {
    ...view,
    fixed: shape.map((_, axis) => index[axis] ?? 0),
    rows: around(view.rowAxis, view.rows, rows),
    columns: around(view.columnAxis, view.columns, columns),
  };
}

function placeSpan(from: number, length: number, extent: number): [number, number] {
  const start = Math.max(0, Math.min(extent - length, from));
  return [start, Math.min(extent, start + length)];
}

export function isWholeView(shape: Shape, view: SliceView): boolean {
  const [rows, columns] = extentOf(shape, view);
  return view.rows[0] === 0 && view.columns[0] === 0 && view.rows[1] === rows && view.columns[1] === columns;
}

/** Cell of a preview that shows an element; `null` when the element is not in the window or on another slice. */
export function cellOfIndex(
  view: SliceView,
  preview: Pick<TensorPreview, 'rows' | 'columns'>,
  index: readonly number[],
): { readonly row: number; readonly column: number } | null {
  if (view.fixed.some((place, axis) => axis !== view.rowAxis && axis !== view.columnAxis && index[axis] !== place)) return null;
  const place = (axis: number | null, [from, to]: readonly [number, number], cells: number) => {
    const at = axis === null ? 0 : (index[axis] ?? 0);
    if (at < from || at >= to) return null;
    // The last cell that begins at or before it: `indexOfCell` read the other way.
    const cell = Math.floor(((at - from) * cells) / (to - from));
    return Math.min(cells - 1, Math.floor(((cell + 1) * (to - from)) / cells) <= at - from ? cell + 1 : cell);
  };
  const row = place(view.rowAxis, view.rows, preview.rows);
  const column = place(view.columnAxis, view.columns, preview.columns);
  return row === null || column === null ? null : { row, column };
}

/** What a cell stands for, as an index of the tensor: `[3, 12, 0, 1]`, or `[3, 12–15, 0, 1]` where it averages several elements. */
export function indexOfCell(
  view: SliceView,
  preview: Pick<TensorPreview, 'rows' | 'columns'>,
  { row, column }: { readonly row: number; readonly column: number },
): string {
  const range = (at: number, cells: number, [from, to]: readonly [number, number]) => {
    const first = Math.floor((at * (to - from)) / cells);
    const last = Math.max(first, Math.floor(((at + 1) * (to - from)) / cells) - 1);
    return first === last ? `${from + first}` : `${from + first}–${from + last}`;
  };
  const parts = view.fixed.map((place, axis) => {
    if (axis === view.rowAxis) return range(row, preview.rows, view.rows);
    if (axis === view.columnAxis) return range(column, preview.columns, view.columns);
    return String(place);
  });
  return `[${parts.join(', ')}]`;
}

/** b - a cell by cell, of two pictures of one window; what is no number on one side is none here. `null` when they are not of one size. */
export function differencePreview(a: TensorPreview, b: TensorPreview): TensorPreview | null {
  if (a.rows !== b.rows || a.columns !== b.columns) return null;
  return { ...b, values: b.values.map((value, at) => value - (a.values[at] ?? Number.NaN)) };
}
