import { type DType, dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { countChanged } from '../countChanged';
import { addOddChunk } from './addOddChunk';
import { createDecodedPair, type DecodedPair, decodePair } from './decodePair';
import { judgeDifferences, type Tolerance } from './judgeDifferences';
import { emptyPart, type PairPart } from './pairPart';
import { addSum } from './sum';
import { largestUlp } from './ulpDistance';

/** Elements decoded and summed at once: several passes over them stay in the processor's cache. */
const CHUNK_ELEMENTS = 8192;
/** A sum of squares outside of this range may have lost numbers to overflow or underflow. */
const SMALLEST_SUM = 1e-280;
const LARGEST_SUM = 1e280;

/** A part that reaches into both tensors at once: equally many elements, of the type they are compared in. */
export interface PairChunk {
  readonly a: Uint8Array;
  readonly b: Uint8Array;
  /** Place of the first element in the whole tensor. */
  readonly at: number;
}

export interface PairAccumulator {
  /** @param at place of the first element in the whole tensor; chunks come in order */
  add(a: Uint8Array, b: Uint8Array, at: number): void;
  readonly part: PairPart;
}

/**
 * Takes two tensors of one element type block by block, in step, and sums in doubles: each chunk plainly, the chunks with compensation.
 * A chunk with equal bytes costs a comparison of memory and the sum of squares.
 * @param equalNaN whether every NaN counts as the same: where the tensors were of different types, their payloads mean nothing
 */
export function createPairAccumulator(dtype: DType, tolerance: Tolerance, equalNaN: boolean): PairAccumulator {
  const part = emptyPart();
  const decoded = createDecodedPair(CHUNK_ELEMENTS);
  const size = dtypeBytes(dtype);
  const kind = dtypeKind(dtype);
  const complex = kind === 'complex';
  const floating = complex || kind === 'float';

  function addChunk(chunk: PairChunk): void {
    const { a, b, at } = chunk;
    const equal = Buffer.compare(a, b) === 0;
    if (!equal) part.changed += countChanged(a, b, size);
    decodePair(dtype, chunk, decoded);
    const sums = equal ? sumSame(decoded.a, decoded.count) : sumPairs(decoded, complex);
    const { before, after, squares } = sums;
    if (!fits(before) || !fits(after) || !fits(squares)) {
      addOddChunk(part, chunk, { dtype, decoded, tolerance, equalNaN, complex, floating });
      return;
    }
    part.finite += decoded.count;
    addSum(part.absolute, sums.absolute);
    addSum(part.squares, squares);
    addSum(part.before, before);
    addSum(part.after, after);
    addSum(part.product, sums.product);
    if (equal) return;
    judgeDifferences(part, decoded, { tolerance, at, complex });
    if (floating) part.maxUlp = Math.max(part.maxUlp, largestUlp(dtype, a, b));
  }

  return {
    part,
    add(a, b, at) {
      const step = CHUNK_ELEMENTS * size;
      for (let from = 0; from < b.byteLength; from += step) {
        addChunk({ a: a.subarray(from, from + step), b: b.subarray(from, from + step), at: at + from / size });
      }
      part.elements += b.byteLength / size;
    },
  };
}

/** Whether a sum of squares is exact enough: NaN and infinities end up in it, as does what overflowed or vanished. */
function fits(sum: number): boolean {
  return sum === 0 || (sum >= SMALLEST_SUM && sum <= LARGEST_SUM);
}

interface ChunkSums {
  readonly absolute: number;
  readonly squares: number;
  readonly before: number;
  readonly after: number;
  readonly product: number;
}

/** Both sides are the same. */
function sumSame(a: Float64Array, count: number): ChunkSums {
  let squares = 0;
  let absolute = 0;
  for (let i = 0; i < count; i++) {
    const x = a[i] as number;
    squares += x * x;
    absolute += Math.abs(x);
  }
  const before = squares === 0 && absolute !== 0 ? Number.NaN : squares;
  return { absolute: 0, squares: 0, before, after: before, product: before };
}

/** Sums of a chunk. One of squares is NaN where all of them vanished though there was something to square. */
function sumPairs({ a, b, delta, product, count }: DecodedPair, complex: boolean): ChunkSums {
  let absolute = 0;
  let squares = 0;
  let before = 0;
  let after = 0;
  let inner = 0;
  let sizeA = 0;
  let sizeB = 0;
  for (let i = 0; i < count; i++) {
    const x = a[i] as number;
    const y = b[i] as number;
    const d = delta[i] as number;
    absolute += Math.abs(d);
    sizeA += Math.abs(x);
    sizeB += Math.abs(y);
    squares += d * d;
    before += x * x;
    after += y * y;
    inner += complex ? (product[i] as number) : x * y;
  }
  const vanished = (sum: number, sizes: number) => (sum === 0 && sizes !== 0 ? Number.NaN : sum);
  return { absolute, squares: vanished(squares, absolute), before: vanished(before, sizeA), after: vanished(after, sizeB), product: inner };
}
