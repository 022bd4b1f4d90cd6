import { expect, it } from 'vitest';
import { pivotedDiagonal } from './pivotedDiagonal';
import { addScaled, type ColumnMatrix, columnsOf, dot } from './singularValues';

/** The same in loops; both add in the same order. */
function inLoops(matrix: ColumnMatrix): number[] {
  const all = columnsOf(matrix);
  const floor = matrix.values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) * matrix.rows * 2 ** -52;
  const diagonal: number[] = [];
  for (let k = 0; k < all.length; k++) {
    const squares = all.slice(k).map((column) => dot(column, column));
    const length = Math.sqrt(Math.max(...squares));
    if (!(length > floor)) break;
    const longest = k + squares.indexOf(Math.max(...squares));
    diagonal.push(length);
    const [pivot = new Float64Array(0), moved = pivot] = [all[longest], all[k]];
    all[longest] = moved;
    for (const [i, value] of pivot.entries()) pivot[i] = value / length;
    for (const column of all.slice(k + 1)) addScaled(column, pivot, -dot(column, pivot));
  }
  return diagonal;
}

function matrixOf(rows: number, columns: number, value: (i: number, j: number) => number): ColumnMatrix {
  return { rows, columns, values: Float64Array.from({ length: rows * columns }, (_, at) => value(at % rows, Math.floor(at / rows))) };
}

const wild = (i: number, j: number) => Math.sin(17 * i + 31 * j * j + 0.3);

it.each([
  ['64 × 64', matrixOf(64, 64, wild)],
  ['63 × 5', matrixOf(63, 5, wild)],
  ['7 × 7', matrixOf(7, 7, wild)],
  ['1 × 1', matrixOf(1, 1, wild)],
  ['of rank 3', matrixOf(40, 30, (i, j) => wild(i, 1) * wild(j, 2) + wild(i, 5) * wild(j, 7) + 1e-3 * wild(i, 3) * wild(j, 4))],
  ['of zeros', matrixOf(9, 4, () => 0)],
])('gives what loops give for a matrix %s', (_, matrix) => {
  const expected = inLoops({ ...matrix, values: matrix.values.slice() });
  expect(pivotedDiagonal(matrix)).toEqual(expected);
});

it('knows orthogonal columns by their lengths', () => {
  expect(pivotedDiagonal(matrixOf(6, 4, (i, j) => (i === j + 1 ? ([2, 5, 3, 0][j] ?? 0) : 0)))).toEqual([5, 3, 2]);
});

it('grows with larger matrices', () => {
  const large = matrixOf(200, 150, wild);
  expect(pivotedDiagonal(large)).toEqual(inLoops({ ...large, values: large.values.slice() }));
});
