import { CheckpointError } from '../../shared/contract/errors';
import { elementCount } from '../../shared/model/shape';
import type { ZarrArray } from '../encodings/zarr/openZarrObject';
import { isBig, type Lanes, lanesPerElement } from '../tensors/kernels/lanes';
import { readView } from './readMember';
import { readPairs, scanIndices } from './sparsePairs';
import type { HeldBytes } from './updateType';

/** Pairs up to this many are decoded at once, and kept until the first window has had its own. */
const MOST_AT_ONCE = 1024 * 1024;

/** Lists of one length. */
export interface PairArrays {
  /** Flat positions, whole numbers. */
  readonly indices: ZarrArray;
  readonly values: ZarrArray;
}

export interface PairPiece {
  /** In the window, ascending. */
  readonly positions: Int32Array;
  /** As many elements, in the type of the array; not to be changed. */
  readonly values: Lanes;
}

interface Decoded {
  /** int32 where every position fits. */
  readonly indices: Int32Array | Float64Array;
  readonly values: Lanes;
}

/** Positions and elements of one update, which are handed out window by window, each window beginning where the one before it ended. */
export interface OrderedPairs {
  /** Whether the positions ascend strictly; only then there are pieces. */
  readonly ascending: boolean;
  /** Calls `use` with the pairs of a window, piece by piece. `arrays` are those that were opened, or the same opened anew. */
  each(window: { readonly start: number; readonly count: number }, arrays: PairArrays, use: (piece: PairPiece) => void): Promise<void>;
}

export interface PairOptions {
  /** Pairs that count; there may be more. */
  readonly count: number;
  /** Elements of the value. */
  readonly total: number;
  readonly held: HeldBytes;
  readonly signal: AbortSignal | undefined;
}

/** Looks at all positions. @throws CheckpointError malformed when one is outside [0, total); what reading throws */
export async function openPairs(arrays: PairArrays, options: PairOptions): Promise<OrderedPairs> {
  const { count, total, signal } = options;
  if (count > MOST_AT_ONCE) return new Pairs(await scanIndices(arrays.indices, { count, total, signal }), null, options);
  const indices = await readPositions(arrays.indices, options);
  const ascending = checkPositions(indices, total);
  if (!ascending) return new Pairs(false, null, options);
  return new Pairs(true, { indices, values: await readView(arrays.values, { start: 0, count }, signal) }, options);
}

class Pairs implements OrderedPairs {
  readonly ascending: boolean;
  readonly #options: PairOptions;
  #decoded: Decoded | null;
  /** The first pair that no window has had. */
  #next = 0;
  #counted = false;

  constructor(ascending: boolean, decoded: Decoded | null, options: PairOptions) {
    this.ascending = ascending;
    this.#decoded = decoded;
    this.#options = options;
  }

  async each(window: { readonly start: number; readonly count: number }, arrays: PairArrays, use: (piece: PairPiece) => void): Promise<void> {
    const end = window.start + window.count;
    const width = lanesPerElement(arrays.values.dtype);
    const decoded = this.#decoded;
    if (decoded !== null) {
      const to = countBelow(decoded.indices, end);
      const indices = decoded.indices.subarray(this.#next, to);
      use({ positions: inWindow(indices, window.start), values: decoded.values.subarray(this.#next * width, to * width) });
      this.#next = to;
      if (end >= this.#options.total || !this.#mayStay(decoded)) this.#decoded = null;
      return;
    }
    const { count, signal } = this.#options;
    const members = new Map([
      ['data', arrays.values],
      ['indices', arrays.indices],
    ]);
    for await (const { indices, values } of readPairs(members, { from: this.#next, count, signal })) {
      const inside = countBelow(indices, end);
      use({ positions: inWindow(indices.subarray(0, inside), window.start), values: values.subarray(0, inside * width) });
      this.#next += inside;
      if (inside < indices.length) break;
    }
  }

  /** Whether they may be kept for the windows that follow, where there is room. */
  #mayStay({ indices, values }: Decoded): boolean {
    if (this.#counted) return true;
    const bytes = indices.byteLength + values.byteLength;
    if (bytes > this.#options.held.left) return false;
    this.#options.held.left -= bytes;
    this.#counted = true;
    return true;
  }
}

/** The first `count` indices as numbers that hold every position exactly. */
async function readPositions(array: ZarrArray, { count, total, signal }: PairOptions): Promise<Int32Array | Float64Array> {
  const lanes = await readView(array, { start: 0, count: Math.min(count, elementCount(array.shape)) }, signal);
  if (lanes instanceof Int32Array) return lanes;
  const numbers = isBig(lanes) ? Float64Array.from(lanes, Number) : Float64Array.from(lanes);
  // One outside of int32 stays what it is, and is refused.
  return total <= 2 ** 31 && numbers.every((number) => number >= 0 && number < total) ? Int32Array.from(numbers) : numbers;
}

/** @returns whether they ascend strictly @throws CheckpointError malformed */
function checkPositions(indices: Int32Array | Float64Array, total: number): boolean {
  let last = -1;
  let ascending = true;
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i] ?? 0;
    if (index < 0 || index >= total) throw new CheckpointError('malformed', `A sparse update has the index ${index}, but its value has ${total} elements.`);
    ascending &&= index > last;
    last = index;
  }
  return ascending;
}

function inWindow(indices: Int32Array | Float64Array, start: number): Int32Array {
  if (start === 0 && indices instanceof Int32Array) return indices;
  const positions = new Int32Array(indices.length);
  for (let i = 0; i < positions.length; i++) positions[i] = (indices[i] ?? 0) - start;
  return positions;
}

/** How many of the ascending indices are below `end`. */
function countBelow(indices: Int32Array | Float64Array, end: number): number {
  let low = 0;
  let high = indices.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((indices[middle] ?? 0) < end) low = middle + 1;
    else high = middle;
  }
  return low;
}
