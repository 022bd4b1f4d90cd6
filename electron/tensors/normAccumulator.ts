import { elementCount, type Shape } from '../../shared/model/shape';
import type { Values } from './statisticsValues';

/** Rows or columns that are too many to be told apart. */
const MOST = 1_048_576;
/** Squares of numbers beyond these bounds are summed apart, scaled by an exact power of two (as in J. L. Blue's algorithm for the norm). */
const LARGE = 2 ** 480;
const SMALL = 2 ** -480;
const SCALE = 2 ** 512;

/** Euclidean norms of the finite elements of each row and column of a tensor seen as a matrix (leading axes × last axis). */
export interface MatrixNorms {
  /** `null`: more than 2^20 of them. */
  readonly rows: Float64Array<ArrayBuffer> | null;
  readonly columns: Float64Array<ArrayBuffer> | null;
}

/** One kind of sums of squares for every row or column. */
interface Sums {
  add(index: number, x: number): void;
  finish(): Float64Array<ArrayBuffer>;
}

/** Norms of rows and columns while the values of a tensor pass by in C order. */
export function createNormAccumulator(shape: Shape): { add(values: Values): void; finish(): MatrixNorms } {
  const columns = shape.at(-1) ?? 1;
  const rows = elementCount(shape) === 0 ? 0 : elementCount(shape) / columns;
  const rowSums = rows <= MOST ? createSums(rows) : null;
  const columnSums = columns <= MOST ? createSums(columns) : null;
  let row = 0;
  let column = 0;
  return {
    add(values) {
      for (let i = 0; i < values.length; i++) {
        const x = values[i] as number;
        if (x - x === 0 && x !== 0) {
          rowSums?.add(row, x);
          columnSums?.add(column, x);
        }
        if (++column === columns) {
          column = 0;
          row++;
        }
      }
    },
    finish: () => ({ rows: rowSums?.finish() ?? null, columns: columnSums?.finish() ?? null }),
  };
}

function createSums(count: number): Sums {
  const usual = new Float64Array(count);
  let large: Float64Array | null = null;
  let small: Float64Array | null = null;
  return {
    add(index, x) {
      const size = Math.abs(x);
      if (size <= LARGE && size >= SMALL) (usual[index] as number) += x * x;
      else if (size > LARGE) {
        large ??= new Float64Array(count);
        (large[index] as number) += (x / SCALE) ** 2;
      } else {
        small ??= new Float64Array(count);
        (small[index] as number) += (x * SCALE) ** 2;
      }
    },
    finish: () =>
      Float64Array.from(usual, (sum, index) => {
        const big = large?.[index] ?? 0;
        if (big > 0) return Math.sqrt(big + sum / SCALE / SCALE) * SCALE;
        const tiny = small?.[index] ?? 0;
        return tiny === 0 ? Math.sqrt(sum) : sum === 0 ? Math.sqrt(tiny) / SCALE : Math.sqrt(sum + tiny / SCALE / SCALE);
      }),
  };
}
