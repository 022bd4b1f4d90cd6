import type { DType } from '../../../shared/model/dtype';
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
    if (before instanceof Float32Array && after instanceof Float32Array) this.#addSamples(first, { before, after, sample: sample32 });
    else if (before instanceof Float64Array && after instanceof Float64Array) this.#addSamples(first, { before, after, sample: sample64 });
  }

  #addSamples<T extends Float32Array | Float64Array>(first: number, { before, after, sample }: Pass<T>): void {
    const end = first + after.length;
    const columns = this.#columns;
    const into = (target: Float64Array, at: number, run: Omit<Run, 'at'>) => {
      this.#scale = Math.max(this.#scale, sample(target.subarray(at, at + run.count), { before, after }, { ...run, at: run.from - first }));
    };
    for (const [i, row] of this.#rowIndices.entries()) {
      const from = Math.max(first, row * columns);
      const to = Math.min(end, (row + 1) * columns);
      if (from < to) into(this.#rowValues, i * columns + from - row * columns, { from, count: to - from, step: 1 });
    }
    for (const [i, column] of this.#columnIndices.entries()) {
      const row = Math.max(0, Math.ceil((first - column) / columns));
      const from = row * columns + column;
      if (from < end) into(this.#columnValues, i * this.#rows + row, { from, count: Math.ceil((end - from) / columns), step: columns });
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

interface Sides<T> {
  readonly before: T;
  readonly after: T;
}

interface Pass<T> extends Sides<T> {
  readonly sample: (into: Float64Array, sides: Sides<T>, run: Run) => number;
}

/** Elements that are taken: so many, from a flat position on, which is `at` in the block, each so far behind the one before. */
interface Run {
  readonly from: number;
  readonly at: number;
  readonly count: number;
  readonly step: number;
}

/** Differences at some places. A loop for each width, as in `exactDelta`. @returns the largest magnitude of the new elements there */
function sample32(into: Float64Array, { before, after }: Sides<Float32Array>, { at, step }: Run): number {
  let largest = 0;
  for (let i = 0, place = at; i < into.length; i++, place += step) {
    const value = after[place] ?? 0;
    largest = Math.max(largest, Math.abs(value));
    into[i] = value - (before[place] ?? 0);
  }
  return largest;
}

function sample64(into: Float64Array, { before, after }: Sides<Float64Array>, { at, step }: Run): number {
  let largest = 0;
  for (let i = 0, place = at; i < into.length; i++, place += step) {
    const value = after[place] ?? 0;
    largest = Math.max(largest, Math.abs(value));
    into[i] = value - (before[place] ?? 0);
  }
  return largest;
}

/** Up to so many different indices, spread out, none of them in step with powers of two. */
function spread(extent: number): number[] {
  const count = Math.min(SAMPLES, extent);
  return Array.from({ length: count }, (_, i) => Math.floor(((i + ((i * 0.618034) % 1)) * extent) / count));
}
