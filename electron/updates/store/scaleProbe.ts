import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { contiguousStrides, elementCount, type Shape } from '../../../shared/model/shape';
import { decodeToFloat64 } from '../../tensors/decode';

/** An axis along which a factor is looked for; -1: one factor for all elements. */
export type ScaleAxis = number;

/** Changed elements that are looked at in one run, and how far one is searched for. */
const TRIALS = 16;
const REACH = 1024;
/** How far two quotients of the same factor may lie apart: both products were rounded. */
const TOLERANCE: { readonly [D in DType]?: number } = { float64: 2 ** -50, float32: 2 ** -21, float16: 2 ** -8, bfloat16: 2 ** -5 };

/** Whether values of a type can be scaled exactly: NumPy multiplies no 8-bit floats, and integers by integers only. */
export function canBeScaled(dtype: DType): boolean {
  return TOLERANCE[dtype] !== undefined;
}

/**
 * Finds out from a few changed elements along which axes a value may have been multiplied: the element and a neighbour that would have
 * the same factor must have the same quotient. Cheap, so that hopeless axes cost no pass.
 */
export class ScaleProbe {
  readonly #dtype: DType;
  readonly #shape: Shape;
  readonly #strides: readonly number[];
  readonly #axes: Set<ScaleAxis>;
  readonly #tolerance: number;
  #tested = 0;

  constructor(dtype: DType, shape: Shape) {
    this.#dtype = dtype;
    this.#shape = shape;
    this.#strides = contiguousStrides(shape);
    this.#tolerance = TOLERANCE[dtype] ?? 0;
    const axes = shape.length < 2 ? [] : shape.flatMap((extent, axis) => (extent > 1 ? [axis] : []));
    this.#axes = new Set(canBeScaled(dtype) && elementCount(shape) > 1 ? [-1, ...axes] : []);
  }

  /** Axes that are still possible, those with the fewest factors first; none before a changed element was seen. */
  get axes(): readonly ScaleAxis[] {
    if (this.#tested === 0) return [];
    return [...this.#axes].sort((a, b) => (this.#shape[a] ?? 1) - (this.#shape[b] ?? 1));
  }

  /** @param first flat position of the first element of both */
  add(first: number, previous: Uint8Array, next: Uint8Array): void {
    const item = dtypeBytes(this.#dtype);
    const count = previous.byteLength / item;
    for (let trial = 0; trial < TRIALS && this.#axes.size > 0; trial++) {
      const from = Math.floor((trial * count) / TRIALS);
      for (let i = from; i < Math.min(count, from + REACH); i++) {
        const before = this.#number(previous, i);
        if (before === 0 || !Number.isFinite(before) || before === this.#number(next, i)) continue;
        this.#test({ first, count, previous, next }, i);
        break;
      }
    }
  }

  #test(run: Run, at: number): void {
    this.#tested++;
    const quotient = this.#number(run.next, at) / this.#number(run.previous, at);
    for (const axis of this.#axes) {
      const other = this.#partner(run.first + at, axis) - run.first;
      if (other < 0 || other >= run.count) continue;
      const before = this.#number(run.previous, other);
      const after = this.#number(run.next, other);
      const fits = before === 0 ? after === 0 : Math.abs(after / before - quotient) <= this.#tolerance * Math.abs(quotient);
      if (!fits) this.#axes.delete(axis);
    }
  }

  /** An element that would have the same factor: the next one on an axis inside this one, else on the axis outside. */
  #partner(at: number, axis: ScaleAxis): number {
    if (axis < 0) return at + 1;
    const stride = this.#strides[axis] ?? 1;
    const same = (other: number) => Math.floor(other / stride) === Math.floor(at / stride);
    if (stride > 1) return same(at + 1) ? at + 1 : at - 1;
    return at + stride * (this.#shape[axis] ?? 1);
  }

  #number(bytes: Uint8Array, at: number): number {
    const item = dtypeBytes(this.#dtype);
    decodeToFloat64(this.#dtype, bytes.subarray(at * item, (at + 1) * item), one);
    return one[0] ?? 0;
  }
}

interface Run {
  readonly first: number;
  readonly count: number;
  readonly previous: Uint8Array;
  readonly next: Uint8Array;
}

const one = new Float64Array(1);
