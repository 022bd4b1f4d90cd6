import type { TensorPreview } from '../../shared/model/tensorStats';
import { cellStarts, cellValue, markOf } from './previewAccumulator';

/** A matrix averaged down cell by cell, its elements in any order; what a cell shows is what createPreviewAccumulator would show. */
export function createCellGrid(
  source: { readonly rows: number; readonly columns: number },
  most: { readonly rows: number; readonly columns: number },
): { add(row: number, column: number, value: number): void; finish(): TensorPreview } {
  const rows = Math.min(most.rows, source.rows);
  const columns = Math.min(most.columns, source.columns);
  const sums = new Float64Array(rows * columns);
  const marks = new Uint8Array(rows * columns);
  return {
    add(row, column, value) {
      const cell = Math.floor((row * rows) / source.rows) * columns + Math.floor((column * columns) / source.columns);
      (sums[cell] as number) += value;
      if (value - value !== 0) marks[cell] = (marks[cell] as number) | markOf(value);
    },
    finish() {
      const rowStarts = cellStarts(source.rows, rows);
      const columnStarts = cellStarts(source.columns, columns);
      const values = Float32Array.from(sums, (sum, cell) => {
        const [r, c] = [Math.floor(cell / columns), cell % columns];
        const count = ((rowStarts[r + 1] ?? 0) - (rowStarts[r] ?? 0)) * ((columnStarts[c + 1] ?? 0) - (columnStarts[c] ?? 0));
        return cellValue(marks[cell] as number, sum / count);
      });
      return { rows, columns, values, sourceRows: source.rows, sourceColumns: source.columns };
    },
  };
}
