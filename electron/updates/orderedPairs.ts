import { CheckpointError } from '../../shared/contract/errors';
import { elementCount } from '../../shared/model/shape';
import type { ZarrArray } from '../encodings/zarr/openZarrObject';
import { isBig, type Lanes, lanesPerElement } from '../tensors/kernels/lanes';
import type { OrderedPairs, PairArrays, PairPiece, PairWindow } from './pairs';
import { readView } from './readMember';
import { readPairs, scanIndices } from './sparsePairs';

/** Pairs up to this many are decoded when they are opened. */
const MOST_AT_ONCE = 1024 * 1024;

export interface PairOptions {
  /** Pairs that count; there may be more. */
  readonly count: number;
  /** Elements of the value. */
  readonly total: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Looks at all positions. Up to a million pairs, which is a few megabytes, stay decoded until they are released.
 * @throws CheckpointError malformed when a position is outside [0, total); what reading throws
 */
export async function openPairs(arrays: PairArrays, options: PairOptions): Promise<OrderedPairs> {
  const { count, total, signal } = options;
  if (count > MOST_AT_ONCE) return new Pairs(await scanIndices(arrays.indices, { count, total, signal }), null, options);
  const indices = await readPositions(arrays.indices, count, signal);
  const ascending = ascends(indices);
  // Of ascending ones the ends tell that all are inside.
  checkInside(ascending && indices.length > 0 ? [indices[0] ?? 0, indices[indices.length - 1] ?? 0] : indices, total);
  if (!ascending || indices instanceof Float64Array) return new Pairs(ascending, null, options);
  return new Pairs(true, { indices, values: await readView(arrays.values, { start: 0, count }, signal) }, options);
}

interface Decoded {
  readonly indices: Int32Array;
  readonly values: Lanes;
}

class Pairs implements OrderedPairs {
  readonly ascending: boolean;
  readonly #options: PairOptions;
  #decoded: Decoded | null;
  /** The first pair that no window has had. */
  #next = 0;

  constructor(ascending: boolean, decoded: Decoded | null, options: PairOptions) {
    this.ascending = ascending;
    this.#decoded = decoded;
    this.#options = options;
  }

  get bytes(): number {
    return this.#decoded === null ? 0 : this.#decoded.indices.byteLength + this.#decoded.values.byteLength;
  }

  release(): void {
    this.#decoded = null;
  }

  async each(window: PairWindow, arrays: PairArrays, use: (piece: PairPiece) => void): Promise<void> {
    const end = window.start + window.count;
    const width = lanesPerElement(arrays.values.dtype);
    if (this.#decoded !== null) {
      const { indices, values } = this.#decoded;
      const from = this.#next;
      this.#next = countBelow(indices, end, from);
      if (this.#next === from) return;
      use({ positions: indices.subarray(from, this.#next), first: window.start, values: values.subarray(from * width, this.#next * width) });
      return;
    }
    const { count, signal } = this.#options;
    const members = new Map([
      ['data', arrays.values],
      ['indices', arrays.indices],
    ]);
    for await (const { indices, values } of readPairs(members, { from: this.#next, count, signal })) {
      const inside = countBelow(indices, end, 0);
      use({ positions: inWindow(indices.subarray(0, inside), window.start), first: 0, values: values.subarray(0, inside * width) });
      this.#next += inside;
      if (inside < indices.length) break;
    }
  }
}

/** The first `count` indices, in int32 or as numbers that hold every position exactly. */
async function readPositions(array: ZarrArray, count: number, signal: AbortSignal | undefined): Promise<Int32Array | Float64Array> {
  const lanes = await readView(array, { start: 0, count: Math.min(count, elementCount(array.shape)) }, signal);
  if (lanes instanceof Int32Array) return lanes;
  const numbers = isBig(lanes) ? Float64Array.from(lanes, Number) : Float64Array.from(lanes);
  return numbers.every((number) => number === (number | 0)) ? Int32Array.from(numbers) : numbers;
}

/** Whether they do so strictly. */
function ascends(indices: Int32Array | Float64Array): boolean {
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i] ?? 0;
    if (index <= last) return false;
    last = index;
  }
  return true;
}

function checkInside(indices: ArrayLike<number>, total: number): void {
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i] ?? 0;
    if (index < 0 || index >= total) throw new CheckpointError('malformed', `A sparse update has the index ${index}, but its value has ${total} elements.`);
  }
}

function inWindow(indices: Float64Array, start: number): Int32Array {
  const positions = new Int32Array(indices.length);
  for (let i = 0; i < positions.length; i++) positions[i] = (indices[i] ?? 0) - start;
  return positions;
}

/** How many of the ascending indices are below `end`, where those before `from` are. */
function countBelow(indices: Int32Array | Float64Array, end: number, from: number): number {
  let low = from;
  let high = indices.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((indices[middle] ?? 0) < end) low = middle + 1;
    else high = middle;
  }
  return low;
}
