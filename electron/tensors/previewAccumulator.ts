import { elementCount, type Shape } from '../../shared/model/shape';
import type { TensorPreview } from '../../shared/model/tensorStats';
import type { Values } from './statisticsValues';

/** Most rows and most columns of a preview. */
const PREVIEW_EXTENT = 256;

const HAS_NAN = 1;
const HAS_POSITIVE_INFINITY = 2;
const HAS_NEGATIVE_INFINITY = 4;
const LARGEST_FLOAT32 = 3.4028234663852886e38;

/**
 * A tensor seen as a matrix (leading axes × last axis) and averaged down to at most 256 × 256, or what `most` says, while its values pass by in C order.
 * Source row r belongs to row ⌊r · rows / sourceRows⌋, columns alike. A cell with a NaN is NaN; one with an infinity, but no NaN, is that
 * infinity (the positive one when it has both).
 */
export function createPreviewAccumulator(
  shape: Shape,
  most: { readonly rows: number; readonly columns: number } = { rows: PREVIEW_EXTENT, columns: PREVIEW_EXTENT },
): { add(values: Values): void; finish(): TensorPreview } {
  const { sourceRows, sourceColumns } = asMatrix(shape);
  const rows = Math.min(most.rows, sourceRows);
  const columns = Math.min(most.columns, sourceColumns);
  const sums = new Float64Array(rows * columns);
  const marks = new Uint8Array(rows * columns);
  const starts = cellStarts(sourceColumns, columns);
  let row = 0;
  let column = 0;
  /** Column cell that `column` lies in. */
  let cell = 0;

  return {
    add(values) {
      let at = 0;
      while (at < values.length) {
        const base = Math.floor((row * rows) / sourceRows) * columns;
        const end = Math.min(values.length, at + sourceColumns - column);
        while (at < end) {
          const stop = Math.min(end, at + (starts[cell + 1] as number) - column);
          column += stop - at;
          let sum = 0;
          for (; at < stop; at++) sum += values[at] as number;
          if (sum - sum !== 0) marks[base + cell] = (marks[base + cell] as number) | oddities(values, stop, column - (starts[cell] as number));
          (sums[base + cell] as number) += sum;
          if (column === starts[cell + 1]) cell++;
        }
        if (column === sourceColumns) {
          column = 0;
          cell = 0;
          row++;
        }
      }
    },

    finish() {
      const rowStarts = cellStarts(sourceRows, rows);
      const cells = new Float32Array(rows * columns);
      for (let index = 0; index < cells.length; index++) {
        const [r, c] = [Math.floor(index / columns), index % columns];
        const count = ((rowStarts[r + 1] as number) - (rowStarts[r] as number)) * ((starts[c + 1] as number) - (starts[c] as number));
        cells[index] = cellValue(marks[index] as number, (sums[index] as number) / count);
      }
      return { rows, columns, values: cells, sourceRows, sourceColumns };
    },
  };
}

function asMatrix(shape: Shape): { sourceRows: number; sourceColumns: number } {
  const elements = elementCount(shape);
  const sourceColumns = shape.at(-1) ?? 1;
  if (elements === 0) return { sourceRows: 0, sourceColumns };
  return { sourceRows: elements / sourceColumns, sourceColumns };
}

/** First source index of every cell, and the end: the least i with ⌊i · cells / extent⌋ = k. */
export function cellStarts(extent: number, cells: number): Float64Array {
  const starts = new Float64Array(cells + 1);
  for (let k = 0; k <= cells; k++) starts[k] = cells === 0 ? 0 : Math.ceil((k * extent) / cells);
  return starts;
}

/** What is not finite among the `count` values before `end` (as far as they are in this chunk). */
function oddities(values: Values, end: number, count: number): number {
  let found = 0;
  for (let i = Math.max(0, end - count); i < end; i++) {
    const x = values[i] as number;
    if (x - x === 0) continue;
    found |= markOf(x);
  }
  return found;
}

/** The mark that a value which is not finite leaves in its cell. */
export function markOf(x: number): number {
  return x > 0 ? HAS_POSITIVE_INFINITY : x < 0 ? HAS_NEGATIVE_INFINITY : HAS_NAN;
}

/** Averages that no float32 holds become the largest one: an infinity is a mark here, and so is NaN (huge numbers of both signs, summed). */
export function cellValue(marks: number, average: number): number {
  if ((marks & HAS_NAN) !== 0) return Number.NaN;
  if ((marks & HAS_POSITIVE_INFINITY) !== 0) return Number.POSITIVE_INFINITY;
  if ((marks & HAS_NEGATIVE_INFINITY) !== 0) return Number.NEGATIVE_INFINITY;
  if (Number.isNaN(average)) return 0;
  return Math.min(LARGEST_FLOAT32, Math.max(-LARGEST_FLOAT32, average));
}
