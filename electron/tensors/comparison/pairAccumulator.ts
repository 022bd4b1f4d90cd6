import { type DType, dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { countChanged } from '../countChanged';
import { addOddChunk } from './addOddChunk';
import { createDecodedPair, type DecodedPair, decodePair } from './decodePair';
import { judgeDifferences } from './judgeDifferences';
import { createKernelAccumulator } from './kernelAccumulator';
import { isKernelType } from './kernels/kernelType';
import { addSums, type ChunkSums, freeTables, type PairAccumulator, type PairOptions, takeTable } from './pairOptions';
import { emptyPart, type PairChunk, type PairPart } from './pairPart';
import { largestUlp } from './ulpDistance';

/** Elements decoded and summed at once: several passes over them stay in the processor's cache. */
const CHUNK_ELEMENTS = 8192;
/** A sum of squares outside of this range may have lost numbers to overflow or underflow. */
const SMALLEST_SUM = 1e-280;
const LARGEST_SUM = 1e280;

/**
 * Takes two tensors of one element type block by block, in step, and sums in doubles: each chunk plainly, the chunks with compensation. A chunk
 * with equal bytes costs a comparison of memory and the sum of squares.
 */
export function createPairAccumulator(dtype: DType, options: PairOptions): PairAccumulator {
  return isKernelType(dtype) ? createKernelAccumulator(dtype, options) : createPlainAccumulator(dtype, options);
}

/** The same in loops over doubles, for every type; the kernels are tested against it. */
export function createPlainAccumulator(dtype: DType, { tolerance, equalNaN, closeness }: PairOptions): PairAccumulator {
  const part = emptyPart();
  const decoded = createDecodedPair(CHUNK_ELEMENTS);
  const table = takeTable();
  const size = dtypeBytes(dtype);
  const kind = dtypeKind(dtype);
  const complex = kind === 'complex';
  const floating = complex || kind === 'float';

  return chunked(part, size, {
    add(chunk) {
      const { a, b, at } = chunk;
      const equal = Buffer.compare(a, b) === 0;
      if (!equal) part.changed += countChanged(a, b, size);
      decodePair(dtype, chunk, decoded);
      const sums = equal ? sumSame(decoded.a, decoded.count) : sumPairs(decoded, complex);
      if (!fits(sums.before) || !fits(sums.after) || !fits(sums.squares)) {
        addOddChunk(part, chunk, { dtype, decoded, tolerance, equalNaN, complex, floating, table });
        return;
      }
      addSums(part, decoded.count, sums);
      if (equal) return;
      judgeDifferences(part, decoded, { tolerance, at, complex, table });
      if (floating) part.maxUlp = Math.max(part.maxUlp, largestUlp(dtype, a, b));
    },
    finish() {
      const taken = table.take();
      part.differing += taken.counts.reduce((sum, count) => sum + count, 0);
      if (closeness) part.closeness = taken;
      freeTables.push(table);
    },
  });
}

function chunked(part: PairPart, size: number, { add, finish }: { add(chunk: PairChunk): void; finish(): void }): PairAccumulator {
  return {
    add(a, b, at) {
      const step = CHUNK_ELEMENTS * size;
      for (let from = 0; from < b.byteLength; from += step) {
        add({ a: a.subarray(from, from + step), b: b.subarray(from, from + step), at: at + from / size });
      }
      part.elements += b.byteLength / size;
    },
    input: null,
    addInput() {},
    finish() {
      finish();
      return part;
    },
  };
}

/** Whether a sum of squares is exact enough: NaN and infinities end up in it, as does what overflowed or vanished. */
function fits(sum: number): boolean {
  return sum === 0 || (sum >= SMALLEST_SUM && sum <= LARGEST_SUM);
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
