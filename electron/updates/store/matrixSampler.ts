import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { elementCount, type Shape } from '../../../shared/model/shape';
import { lanesOf } from '../../tensors/kernels/lanes';

/** Rows and columns that are sampled: more than the largest rank that is looked for, so that a larger one shows. */
const SAMPLES = 24;
/** Elements of a matrix at most. */
const LARGEST = 64 * 1024 * 1024;

/** Some rows and columns of `next - previous`, in double. */
export interface MatrixSamples {
  readonly rows: number;
  readonly columns: number;
  readonly rowIndices: readonly number[];
  readonly columnIndices: readonly number[];
  /** `rowIndices.length` rows of `columns` elements. */
  readonly rowValues: Float64Array;
  /** `columnIndices.length` columns of `rows` elements, one after the other. */
  readonly columnValues: Float64Array;
  /** Largest magnitude of the new value where it was sampled. */
  readonly scale: number;
}

/** Whether a low-rank difference is looked for. */
export function isSampled(dtype: DType, shape: Shape): boolean {
  const [rows = 0, columns = 0] = shape;
  return (dtype === 'float32' || dtype === 'float64') && shape.length === 2 && Math.min(rows, columns) >= 8 && elementCount(shape) <= LARGEST;
}

/** Picks rows and columns of the difference out of two matrices that pass by side by side. */
export class MatrixSampler {
  readonly #dtype: DType;
  readonly #rows: number;
  readonly #columns: number;
  readonly #rowIndices: readonly number[];
  readonly #columnIndices: readonly number[];
  readonly #rowValues: Float64Array;
  readonly #columnValues: Float64Array;
  #scale = 0;

  constructor(dtype: DType, [rows = 0, columns = 0]: Shape) {
    this.#dtype = dtype;
    this.#rows = rows;
    this.#columns = columns;
    this.#rowIndices = spread(rows);
    this.#columnIndices = spread(columns);
    this.#rowValues = new Float64Array(this.#rowIndices.length * columns);
    this.#columnValues = new Float64Array(this.#columnIndices.length * rows);
  }

  /** @param first flat position of the first element of both */
  add(first: number, previous: Uint8Array, next: Uint8Array): void {
    const before = lanesOf(this.#dtype, previous);
    const after = lanesOf(this.#dtype, next);
    const end = first + previous.byteLength / dtypeBytes(this.#dtype);
    const difference = (at: number): number => {
      const value = Number(after[at - first] ?? 0);
      this.#scale = Math.max(this.#scale, Math.abs(value));
      return value - Number(before[at - first] ?? 0);
    };
    const columns = this.#columns;
    for (const [i, row] of this.#rowIndices.entries()) {
      const from = Math.max(first, row * columns);
      const to = Math.min(end, (row + 1) * columns);
      for (let at = from; at < to; at++) this.#rowValues[i * columns + at - row * columns] = difference(at);
    }
    for (const [i, column] of this.#columnIndices.entries()) {
      for (let row = Math.max(0, Math.ceil((first - column) / columns)); row * columns + column < end; row++) {
        this.#columnValues[i * this.#rows + row] = difference(row * columns + column);
      }
    }
  }

  finish(): MatrixSamples {
    return {
      rows: this.#rows,
      columns: this.#columns,
      rowIndices: this.#rowIndices,
      columnIndices: this.#columnIndices,
      rowValues: this.#rowValues,
      columnValues: this.#columnValues,
      scale: this.#scale,
    };
  }
}

/** Up to so many different indices, spread out, none of them in step with powers of two. */
function spread(extent: number): number[] {
  const count = Math.min(SAMPLES, extent);
  return Array.from({ length: count }, (_, i) => Math.floor(((i + ((i * 0.618034) % 1)) * extent) / count));
}
