import type { MatrixSize } from './pairSource';
import { addScaled, columnsOf, dot, singularValues } from './singularValues';

/** Reads all rows of a matrix once, in parts: `values` from `column` of `row` on. */
export type KeptRows = (visit: (row: number, column: number, values: Float64Array) => void) => Promise<void>;

/**
 * Largest singular values of a matrix that is read twice, four times with a power iteration, and never held: its product with random vectors
 * spans the space of the largest ones, in which a small matrix is left (Halko, Martinsson and Tropp 2011, algorithms 4.1, 4.4 and 5.1).
 * Right to the level of the values left out for a matrix of low rank; some per cent off for one whose values fall slowly.
 * @returns `wanted` values, descending
 */
export async function findRange(read: KeptRows, size: MatrixSize, { wanted, power }: { readonly wanted: number; readonly power: boolean }): Promise<number[]> {
  let left = await times(read, size, { right: randomMatrix(size.columns, wanted), wanted });
  orthonormalize(left, size.rows, wanted);
  let right = await timesTransposed(read, size, { left, wanted });
  if (power) {
    const turned = transpose(right, size.columns, wanted);
    orthonormalize(turned, size.columns, wanted);
    left = await times(read, size, { right: transpose(turned, wanted, size.columns), wanted });
    orthonormalize(left, size.rows, wanted);
    right = await timesTransposed(read, size, { left, wanted });
  }
  return singularValues({ rows: size.columns, columns: wanted, values: transpose(right, size.columns, wanted) });
}

/** The matrix by `right` (its columns × wanted, row by row), as columns one after the other. */
async function times(
  read: KeptRows,
  { rows }: MatrixSize,
  { right, wanted }: { readonly right: Float64Array; readonly wanted: number },
): Promise<Float64Array> {
  const result = new Float64Array(rows * wanted);
  const sums = new Float64Array(wanted);
  await read((row, column, values) => {
    sums.fill(0);
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      if (value === 0) continue;
      const from = (column + i) * wanted;
      for (let j = 0; j < wanted; j++) sums[j] = (sums[j] as number) + value * (right[from + j] as number);
    }
    for (let j = 0; j < wanted; j++) result[j * rows + row] = (result[j * rows + row] as number) + (sums[j] as number);
  });
  return result;
}

/** The transposed matrix by `left` (columns one after the other), as its columns × wanted, row by row. */
async function timesTransposed(
  read: KeptRows,
  { rows, columns }: MatrixSize,
  { left, wanted }: { readonly left: Float64Array; readonly wanted: number },
): Promise<Float64Array> {
  const result = new Float64Array(columns * wanted);
  const factors = new Float64Array(wanted);
  await read((row, column, values) => {
    for (let j = 0; j < wanted; j++) factors[j] = left[j * rows + row] as number;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      if (value === 0) continue;
      const to = (column + i) * wanted;
      for (let j = 0; j < wanted; j++) result[to + j] = (result[to + j] as number) + value * (factors[j] as number);
    }
  });
  return result;
}

/** Gram and Schmidt, twice for every column: once leaves what rounding brings back. Columns that depend on others become 0. */
function orthonormalize(values: Float64Array, rows: number, columns: number): void {
  const all = columnsOf({ rows, columns, values });
  for (const [k, column] of all.entries()) {
    const before = Math.sqrt(dot(column, column));
    for (let round = 0; round < 2; round++) {
      for (let j = 0; j < k; j++) addScaled(column, all[j] as Float64Array, -dot(column, all[j] as Float64Array));
    }
    const length = Math.sqrt(dot(column, column));
    if (length <= before * 1e-14) column.fill(0);
    else for (let i = 0; i < rows; i++) column[i] = (column[i] as number) / length;
  }
}

/** From `rows` × `columns` row by row to column by column. */
function transpose(values: Float64Array, rows: number, columns: number): Float64Array {
  const result = new Float64Array(values.length);
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) result[column * rows + row] = values[row * columns + column] as number;
  return result;
}

/** Normally distributed, the same ones every time: the same question gets the same answer. Marsaglia's xorshift32, Box and Muller. */
function randomMatrix(rows: number, columns: number): Float64Array {
  let state = 0x9e3779b9;
  const uniform = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 1) / 4294967297;
  };
  return Float64Array.from({ length: rows * columns }, () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
}
