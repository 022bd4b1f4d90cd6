import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { elementCount, type Shape } from '../../../shared/model/shape';
import { bytesOf, lanesOf } from '../../tensors/kernels/lanes';
import { exactDelta, hasDelta } from './exactDelta';
import { type ChangedElements, forEachChange } from './forEachChange';
import { GrowingBytes } from './growingBytes';

/** A sparse update of more than this part of the elements is given up: index and difference take as much as three or four elements do. */
const MOST_CHANGED = 1 / 4;
/** Bytes of indices and elements that are held at most. */
const MOST_BYTES = 256 * 1024 * 1024;

const TOO_MANY = 'too many elements changed';

/** Changed elements of one value: flat positions, and what is stored for each. */
export interface Changes {
  readonly count: number;
  /** Ascending; int64 when the value has 2^31 elements or more. */
  readonly indices: Int32Array | BigInt64Array;
  /** Raw elements in the type of the value: what is added, or the new elements themselves. */
  readonly data: Uint8Array;
}

/** Collects the changed elements between two values of one type and shape, fed side by side from the front. */
export class ChangeCollector {
  readonly #dtype: DType;
  readonly #item: number;
  readonly #wide: boolean;
  /** Changed elements at most: for differences, and for the new elements, which may be as many as take fewer bytes than the value. */
  readonly #most: { readonly differences: number; readonly values: number };
  #indices: GrowingBytes;
  #differences: GrowingBytes | null;
  #values: GrowingBytes | null;
  #count = 0;
  #reason: string | null;

  /** @param values whether the new elements are collected too, not only differences */
  constructor(dtype: DType, shape: Shape, values = false) {
    this.#dtype = dtype;
    this.#item = dtypeBytes(dtype);
    const total = elementCount(shape);
    this.#wide = total >= 2 ** 31;
    const pair = this.#item + this.#indexBytes;
    const held = Math.floor(MOST_BYTES / pair);
    const differences = Math.max(1, Math.min(Math.floor(total * MOST_CHANGED), held));
    this.#most = { differences, values: values ? Math.min(Math.ceil((total * this.#item) / pair), held) : 0 };
    this.#reason = shape.length === 0 ? 'a single number has no positions' : hasDelta(dtype) ? null : `${dtype} has no differences`;
    const most = Math.max(differences, this.#most.values);
    this.#indices = new GrowingBytes(most * this.#indexBytes);
    this.#differences = this.#reason === null ? new GrowingBytes(differences * this.#item) : null;
    this.#values = values ? new GrowingBytes(most * this.#item) : null;
  }

  /** Why there are no differences of what was seen so far; `null` when there are. Ends a sentence after "because". */
  get reason(): string | null {
    return this.#reason;
  }

  /** @param first flat position of the first element of both */
  add(first: number, previous: Uint8Array, next: Uint8Array): void {
    if (this.#givenUp) return;
    forEachChange(previous, next, { item: this.#item, visit: (changed) => this.#addSome(first + changed.first, changed) });
  }

  /** From here on no differences are collected. */
  dropDifferences(reason: string): void {
    this.#reason ??= reason;
    this.#differences = null;
  }

  /** What to add to the changed elements; `null` when it was given up. */
  finish(): Changes | null {
    return this.#with(this.#differences);
  }

  /** The new elements; `null` when they were not asked for, or are too many. */
  finishValues(): Changes | null {
    return this.#with(this.#values);
  }

  #with(data: GrowingBytes | null): Changes | null {
    if (data === null) return null;
    const { buffer, byteOffset, byteLength } = this.#indices.content;
    const indices = this.#wide ? new BigInt64Array(buffer, byteOffset, byteLength / 8) : new Int32Array(buffer, byteOffset, byteLength / 4);
    return { count: this.#count, indices, data: data.content };
  }

  get #indexBytes(): number {
    return this.#wide ? 8 : 4;
  }

  get #givenUp(): boolean {
    return this.#differences === null && this.#values === null;
  }

  #addSome(first: number, { positions, before, after }: ChangedElements): boolean {
    this.#count += positions.length;
    if (this.#count > this.#most.differences) this.dropDifferences(TOO_MANY);
    if (this.#count > this.#most.values) this.#values = null;
    const elements = gather(after, positions, this.#item);
    if (this.#differences !== null) this.#addDifferences(gather(before, positions, this.#item), elements);
    this.#values?.extend(elements.byteLength).set(elements);
    if (this.#givenUp) this.#indices = new GrowingBytes(0);
    else this.#addIndices(first, positions);
    return !this.#givenUp;
  }

  #addDifferences(before: Uint8Array, after: Uint8Array): void {
    if (this.#differences === null) return;
    const delta = exactDelta(this.#dtype, lanesOf(this.#dtype, before), lanesOf(this.#dtype, after));
    if (delta === null) this.dropDifferences('adding a difference does not give the exact value of every element');
    else this.#differences.extend(delta.byteLength).set(bytesOf(delta));
  }

  #addIndices(first: number, positions: Int32Array): void {
    const { buffer, byteOffset } = this.#indices.extend(positions.length * this.#indexBytes);
    if (this.#wide) {
      const indices = new BigInt64Array(buffer, byteOffset, positions.length);
      for (let i = 0; i < indices.length; i++) indices[i] = BigInt(first + (positions[i] ?? 0));
    } else {
      const indices = new Int32Array(buffer, byteOffset, positions.length);
      for (let i = 0; i < indices.length; i++) indices[i] = first + (positions[i] ?? 0);
    }
  }
}

/** The elements at some positions of an aligned run, one behind the other. */
function gather(bytes: Uint8Array, positions: Int32Array, item: number): Uint8Array {
  const result = new Uint8Array(positions.length * item);
  const { buffer, byteOffset, byteLength } = bytes;
  if (item === 1) gatherUnits(bytes, result, { positions, units: 1 });
  else if (item === 2) gatherUnits(new Uint16Array(buffer, byteOffset, byteLength / 2), new Uint16Array(result.buffer), { positions, units: 1 });
  else gatherUnits(new Uint32Array(buffer, byteOffset, byteLength / 4), new Uint32Array(result.buffer), { positions, units: item / 4 });
  return result;
}

type Units = Uint8Array | Uint16Array | Uint32Array;

function gatherUnits(from: Units, to: Units, { positions, units }: { readonly positions: Int32Array; readonly units: number }): void {
  if (units === 1) {
    for (let i = 0; i < positions.length; i++) to[i] = from[positions[i] ?? 0] ?? 0;
    return;
  }
  for (let i = 0; i < positions.length; i++) {
    const at = (positions[i] ?? 0) * units;
    for (let part = 0; part < units; part++) to[i * units + part] = from[at + part] ?? 0;
  }
}
