import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import type { Candidate } from './candidate';
import type { MatrixSamples } from './matrixSampler';

/** Largest rank that is looked for: up to here two BLAS libraries sum in the same order. */
const MOST_RANK = 16;
/** What is below this many roundings of the largest value counts as rounding. */
const ROUNDINGS = 8;
/** How far a combination may be off, as a part of the largest difference: thousands of roundings in float32. */
const MISFIT = 2 ** -11;

/**
 * Factors of a difference of small rank, as a skeleton of it: some of its columns, and what combines them into its rows. Whether the reader
 * gets the exact value from them is for the caller to try.
 * @returns `null` when the sampled part has no small rank, or the factors would not be much smaller than the matrix
 */
export function encodeLowRank(samples: MatrixSamples, dtype: DType): Candidate | null {
  const pivots = findPivots(samples, dtype);
  if (pivots === null) return null;
  const { rows, columns, columnValues } = samples;
  const rank = pivots.length;
  if (rank * (rows + columns) * 2 > rows * columns) return null;
  const tolerance = toleranceOf(samples);
  if (!emptyRowsFit(samples, pivots, tolerance)) return null;
  const combined = combineRows(samples, pivots);
  if (!fitsRows(samples, { pivots, combined, tolerance })) return null;
  const left = numbers(dtype, rows * rank);
  for (const [k, { column }] of pivots.entries()) for (let row = 0; row < rows; row++) left[row * rank + k] = columnValues[column * rows + row] ?? 0;
  const right = numbers(dtype, rank * columns);
  right.set(combined);
  const bytes = (values: Float32Array | Float64Array) => new Uint8Array(values.buffer);
  return {
    kind: 'low-rank',
    members: [
      { name: 'R', dtype, shape: [rows, rank], bytes: bytes(left) },
      { name: 'C', dtype, shape: [rank, columns], bytes: bytes(right) },
    ],
  };
}

/** The same product with its terms in the opposite order. */
export function reverseRank(candidate: Candidate): Candidate {
  const members = candidate.members.map((member) => {
    const item = dtypeBytes(member.dtype);
    const [rows = 0, columns = 0] = member.shape;
    const rank = member.name === 'R' ? columns : rows;
    const [outer, run] = member.name === 'R' ? [rows, item] : [1, columns * item];
    const bytes = new Uint8Array(member.bytes.byteLength);
    for (let at = 0; at < outer * rank; at++) {
      const from = (at - (at % rank) + rank - 1 - (at % rank)) * run;
      bytes.set(member.bytes.subarray(from, from + run), at * run);
    }
    return { ...member, bytes };
  });
  return { ...candidate, members };
}

/** Numbers of the sampled row and column that meet in a pivot. */
interface Pivot {
  readonly row: number;
  readonly column: number;
}

/** Gaussian elimination with full pivoting where sampled rows and columns cross. @returns `null` for rank 0, or one that is too large */
function findPivots(samples: MatrixSamples, dtype: DType): Pivot[] | null {
  const { rowIndices, columnIndices } = samples;
  const height = rowIndices.length;
  const width = columnIndices.length;
  const noise = ROUNDINGS * samples.scale * (dtypeBytes(dtype) === 4 ? 2 ** -24 : 2 ** -53);
  const crossing = crossingOf(samples);
  const pivots: Pivot[] = [];
  for (;;) {
    let at = 0;
    for (let i = 1; i < crossing.length; i++) if (Math.abs(crossing[i] ?? 0) > Math.abs(crossing[at] ?? 0)) at = i;
    const pivot = crossing[at] ?? 0;
    if (!Number.isFinite(pivot) || Math.abs(pivot) <= noise) return pivots.length === 0 ? null : pivots;
    if (pivots.length === Math.min(MOST_RANK, height - 1, width - 1)) return null;
    const row = Math.floor(at / width);
    const column = at % width;
    pivots.push({ row, column });
    for (let i = 0; i < height; i++) {
      const factor = (crossing[i * width + column] ?? 0) / pivot;
      if (i !== row) for (let j = 0; j < width; j++) crossing[i * width + j] = (crossing[i * width + j] ?? 0) - factor * (crossing[row * width + j] ?? 0);
    }
    crossing.fill(0, row * width, (row + 1) * width);
    for (let i = 0; i < height; i++) crossing[i * width + column] = 0;
  }
}

/** The elements where sampled rows and columns cross, row by row. */
function crossingOf({ columns, rowIndices, columnIndices, rowValues }: MatrixSamples): Float64Array {
  const crossing = new Float64Array(rowIndices.length * columnIndices.length);
  for (const i of rowIndices.keys()) {
    for (const [j, column] of columnIndices.entries()) crossing[i * columnIndices.length + j] = rowValues[i * columns + column] ?? 0;
  }
  return crossing;
}

/** What is further off than this is more than rounding. */
function toleranceOf({ rowValues, scale }: MatrixSamples): number {
  let largest = 0;
  for (let i = 0; i < rowValues.length; i++) largest = Math.max(largest, Math.abs(rowValues[i] ?? 0));
  return MISFIT * (largest + MISFIT * scale);
}

/**
 * Whether the sampled rows that have nothing where the pivots' columns are have nothing anywhere. Of scattered changes the places where sampled rows
 * and columns cross may look like a small rank; most of them end here.
 */
function emptyRowsFit(samples: MatrixSamples, pivots: readonly Pivot[], tolerance: number): boolean {
  const { rows, columns, rowIndices, rowValues, columnValues } = samples;
  return rowIndices.every((row, i) => {
    const isEmpty = pivots.every(({ column }) => columnValues[column * rows + row] === 0);
    return !isEmpty || isWithin(rowValues.subarray(i * columns, (i + 1) * columns), tolerance);
  });
}

interface Fit {
  readonly pivots: readonly Pivot[];
  readonly combined: Float64Array;
  readonly tolerance: number;
}

/** Whether the pivots' columns, combined, give the sampled rows but for rounding. What is further off can give no exact value. */
function fitsRows({ rows, columns, rowIndices, rowValues, columnValues }: MatrixSamples, { pivots, combined, tolerance }: Fit): boolean {
  const sum = new Float64Array(columns);
  return rowIndices.every((row, i) => {
    sum.set(rowValues.subarray(i * columns, (i + 1) * columns));
    for (const [k, { column }] of pivots.entries()) {
      const factor = columnValues[column * rows + row] ?? 0;
      if (factor !== 0) for (let at = 0; at < columns; at++) sum[at] = (sum[at] ?? 0) - factor * (combined[k * columns + at] ?? 0);
    }
    return isWithin(sum, tolerance);
  });
}

/** What comes from infinities tells nothing, and is within anything. */
function isWithin(values: Float64Array, tolerance: number): boolean {
  for (let i = 0; i < values.length; i++) if (Math.abs(values[i] ?? 0) > tolerance) return false;
  return true;
}

/** Solves `D[I, J] @ C = D[I, :]` for the pivots' rows I and columns J. */
function combineRows({ columns, columnIndices, rowValues }: MatrixSamples, pivots: readonly Pivot[]): Float64Array {
  const rank = pivots.length;
  const right = new Float64Array(rank * columns);
  const square = new Float64Array(rank * rank);
  for (const [i, { row }] of pivots.entries()) {
    right.set(rowValues.subarray(row * columns, (row + 1) * columns), i * columns);
    for (const [k, { column }] of pivots.entries()) square[i * rank + k] = rowValues[row * columns + (columnIndices[column] ?? 0)] ?? 0;
  }
  // The pivots stand in the order of elimination, so that the diagonal carries it (Gauss-Jordan).
  for (let k = 0; k < rank; k++) {
    const pivot = square[k * rank + k] ?? 1;
    scaleRow(square, { row: k, width: rank, factor: 1 / pivot });
    scaleRow(right, { row: k, width: columns, factor: 1 / pivot });
    for (let i = 0; i < rank; i++) {
      const factor = square[i * rank + k] ?? 0;
      if (i === k || factor === 0) continue;
      subtractRow(square, { row: i, from: k, width: rank, factor });
      subtractRow(right, { row: i, from: k, width: columns, factor });
    }
  }
  return right;
}

function scaleRow(matrix: Float64Array, { row, width, factor }: { readonly row: number; readonly width: number; readonly factor: number }): void {
  for (let at = row * width; at < (row + 1) * width; at++) matrix[at] = (matrix[at] ?? 0) * factor;
}

function subtractRow(
  matrix: Float64Array,
  { row, from, width, factor }: { readonly row: number; readonly from: number; readonly width: number; readonly factor: number },
): void {
  for (let i = 0; i < width; i++) matrix[row * width + i] = (matrix[row * width + i] ?? 0) - factor * (matrix[from * width + i] ?? 0);
}

function numbers(dtype: DType, count: number): Float32Array | Float64Array {
  return dtype === 'float64' ? new Float64Array(count) : new Float32Array(count);
}
