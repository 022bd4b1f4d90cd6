import type { TensorPreview } from '../../../shared/model/tensorStats';
import { formatExactNumber } from '../../charts/formatNumber';

export interface HeatLayout {
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly width: number;
  readonly height: number;
}

const TALLEST = 320;
const LARGEST_CELL = 24;
const LOWEST = 20;

/** Size of the cells in CSS pixels: square where they fit, a single row or column still thick enough to be seen. */
export function layoutHeat({ rows, columns }: Pick<TensorPreview, 'rows' | 'columns'>, available: number): HeatLayout {
  if (rows === 0 || columns === 0 || available <= 0) return { cellWidth: 0, cellHeight: 0, width: 0, height: 0 };
  const cellWidth = Math.min(LARGEST_CELL, available / columns);
  const height = Math.max(Math.min(LOWEST, LARGEST_CELL * rows), Math.min(TALLEST, cellWidth * rows));
  const cellHeight = height / rows;
  // A tall narrow matrix may use the width that it has.
  const wide = Math.max(cellWidth, Math.min(LOWEST / columns, LARGEST_CELL));
  const width = Math.min(available, wide * columns);
  return { cellWidth: width / columns, cellHeight, width, height };
}

export interface HeatCell {
  readonly row: number;
  readonly column: number;
}

/** The cell under a point; `null` outside. */
export function cellAt(
  layout: HeatLayout,
  preview: Pick<TensorPreview, 'rows' | 'columns'>,
  point: { readonly x: number; readonly y: number },
): HeatCell | null {
  const [row, column] = [Math.floor(point.y / layout.cellHeight), Math.floor(point.x / layout.cellWidth)];
  return row >= 0 && row < preview.rows && column >= 0 && column < preview.columns ? { row, column } : null;
}

/** What a cell stands for: `[12, 7]`, or where it averages several elements `[12–15, 6–7]`. */
export function sourceIndex({ row, column }: HeatCell, preview: Pick<TensorPreview, 'rows' | 'columns' | 'sourceRows' | 'sourceColumns'>): string {
  const range = (at: number, cells: number, source: number) => {
    const [from, to] = [Math.floor((at * source) / cells), Math.max(Math.floor(((at + 1) * source) / cells) - 1, Math.floor((at * source) / cells))];
    return from === to ? `${from}` : `${from}–${to}`;
  };
  return `[${range(row, preview.rows, preview.sourceRows)}, ${range(column, preview.columns, preview.sourceColumns)}]`;
}

/** The values as a table, one line for each row of cells. */
export function heatCsv({ rows, columns, values }: Pick<TensorPreview, 'rows' | 'columns' | 'values'>): string {
  return Array.from({ length: rows }, (_, row) => Array.from(values.subarray(row * columns, (row + 1) * columns), formatExactNumber).join(',')).join('\n');
}
