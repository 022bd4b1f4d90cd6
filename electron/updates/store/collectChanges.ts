import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { elementCount, type Shape } from '../../../shared/model/shape';
import { bytesOf, lanesOf } from '../../tensors/kernels/lanes';
import { changedPositions } from './changedPositions';
import { exactDelta, hasDelta } from './exactDelta';

/** A sparse update of more than this part of the elements is given up: index and difference take as much as three or four elements do. */
const MOST_CHANGED = 1 / 4;
/** Bytes of indices and differences that are held at most. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Changed elements of one value: flat positions and what is added there. */
export interface Changes {
  readonly count: number;
  /** Ascending; int64 when the value has 2^31 elements or more. */
  readonly indices: Int32Array | BigInt64Array;
  /** Raw elements in the type of the value. */
  readonly data: Uint8Array;
}

/** Collects the changed elements between two values of one type and shape, fed side by side from the front. */
export class ChangeCollector {
  readonly #dtype: DType;
  readonly #item: number;
  readonly #limit: number;
  readonly #wide: boolean;
  #indices: Int32Array | BigInt64Array;
  #data: Uint8Array;
  #count = 0;
  #reason: string | null;

  constructor(dtype: DType, shape: Shape) {
    this.#dtype = dtype;
    this.#item = dtypeBytes(dtype);
    const total = elementCount(shape);
    this.#wide = total >= 2 ** 31;
    this.#limit = Math.max(1, Math.min(Math.floor(total * MOST_CHANGED), Math.floor(MOST_BYTES / (this.#item + (this.#wide ? 8 : 4)))));
    this.#indices = this.#wide ? new BigInt64Array(0) : new Int32Array(0);
    this.#data = new Uint8Array(0);
    this.#reason = shape.length === 0 ? 'a single number has no positions' : hasDelta(dtype) ? null : `${dtype} has no differences`;
  }

  /** Why there is no sparse update of what was seen so far; `null` when there is one. Ends a sentence after "because". */
  get reason(): string | null {
    return this.#reason;
  }

  /** @param first flat position of the first element of both */
  add(first: number, previous: Uint8Array, next: Uint8Array): void {
    if (this.#reason !== null) return;
    const positions = changedPositions(previous, next, this.#item);
    if (positions.length === 0) return;
    if (this.#count + positions.length > this.#limit) {
      this.#giveUp('too many elements changed');
      return;
    }
    const before = gather(previous, positions, this.#item);
    const after = gather(next, positions, this.#item);
    const delta = exactDelta(this.#dtype, lanesOf(this.#dtype, before), lanesOf(this.#dtype, after));
    if (delta === null) {
      this.#giveUp('adding a difference does not give the exact value of every element');
      return;
    }
    this.#reserve(this.#count + positions.length);
    this.#data.set(bytesOf(delta), this.#count * this.#item);
    if (this.#indices instanceof Int32Array) for (const [i, at] of positions.entries()) this.#indices[this.#count + i] = first + at;
    else for (const [i, at] of positions.entries()) this.#indices[this.#count + i] = BigInt(first + at);
    this.#count += positions.length;
  }

  /** @returns `null` when it was given up */
  finish(): Changes | null {
    if (this.#reason !== null) return null;
    return { count: this.#count, indices: this.#indices.subarray(0, this.#count), data: this.#data.subarray(0, this.#count * this.#item) };
  }

  #giveUp(reason: string): void {
    this.#reason = reason;
    this.#indices = new Int32Array(0);
    this.#data = new Uint8Array(0);
  }

  #reserve(count: number): void {
    if (count <= this.#indices.length) return;
    const size = Math.min(this.#limit, Math.max(1024, count, 2 * this.#indices.length));
    const data = new Uint8Array(size * this.#item);
    data.set(this.#data.subarray(0, this.#count * this.#item));
    this.#data = data;
    if (this.#indices instanceof Int32Array) {
      const indices = new Int32Array(size);
      indices.set(this.#indices);
      this.#indices = indices;
    } else {
      const indices = new BigInt64Array(size);
      indices.set(this.#indices);
      this.#indices = indices;
    }
  }
}

/** The elements at some positions, one behind the other. */
function gather(bytes: Uint8Array, positions: Int32Array, item: number): Uint8Array {
  const result = new Uint8Array(positions.length * item);
  const unit = item >= 4 && bytes.byteOffset % 4 === 0 ? 4 : 1;
  const from = unit === 4 ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4) : bytes;
  const to = unit === 4 ? new Uint32Array(result.buffer) : result;
  const units = item / unit;
  for (let i = 0; i < positions.length; i++) {
    const at = (positions[i] ?? 0) * units;
    for (let part = 0; part < units; part++) to[i * units + part] = from[at + part] ?? 0;
  }
  return result;
}
