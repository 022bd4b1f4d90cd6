import { type DType, dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { countChanged } from '../countChanged';
import { addOddChunk } from './addOddChunk';
import { ClosenessTable } from './closenessTable';
import { createDecodedPair, type DecodedPair, decodePair } from './decodePair';
import { judgeDifferences, type Tolerance } from './judgeDifferences';
import { isKernelType, KERNEL_ELEMENTS, type KernelType, PairKernels } from './kernels/pairKernels';
import { emptyPart, noteMaximum, type PairChunk, type PairPart } from './pairPart';
import { addSum } from './sum';
import { largestUlp } from './ulpDistance';

/** Elements decoded and summed at once: several passes over them stay in the processor's cache. */
const CHUNK_ELEMENTS = KERNEL_ELEMENTS;
/** A sum of squares outside of this range may have lost numbers to overflow or underflow. */
const SMALLEST_SUM = 1e-280;
const LARGEST_SUM = 1e280;

export interface PairAccumulator {
  /** @param at place of the first element in the whole tensor; chunks come in order */
  add(a: Uint8Array, b: Uint8Array, at: number): void;
  /** Called once, at the end. */
  finish(): PairPart;
}

export interface PairOptions {
  readonly tolerance: Tolerance;
  /** Whether every NaN counts as the same: where the tensors were of different types, their payloads mean nothing. */
  readonly equalNaN: boolean;
}

/**
 * Takes two tensors of one element type block by block, in step, and sums in doubles: each chunk plainly, the chunks with compensation. A chunk
 * with equal bytes costs a comparison of memory and the sum of squares.
 */
export function createPairAccumulator(dtype: DType, options: PairOptions): PairAccumulator {
  return isKernelType(dtype) ? createKernelAccumulator(dtype, options) : createPlainAccumulator(dtype, options);
}

/** The same in loops over doubles, for every type; the kernels are tested against it. */
export function createPlainAccumulator(dtype: DType, { tolerance, equalNaN }: PairOptions): PairAccumulator {
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
      part.closeness = table.take();
      tables.push(table);
    },
  });
}

/** For float32 and what is widened to it; squares of such numbers neither overflow nor vanish in a double. */
function createKernelAccumulator(dtype: KernelType, { tolerance, equalNaN }: PairOptions): PairAccumulator {
  const part = emptyPart();
  const kernels = freeKernels.pop() ?? new PairKernels();
  const table = takeTable();
  const size = dtypeBytes(dtype);

  function addOdd(chunk: PairChunk): void {
    part.changed += countChanged(chunk.a, chunk.b, size);
    const decoded = createDecodedPair(chunk.a.byteLength / size);
    addOddChunk(part, chunk, { dtype, decoded, tolerance, equalNaN, complex: false, floating: true, table });
  }

  function addChanged(chunk: PairChunk): void {
    const count = chunk.a.byteLength / size;
    const found = kernels.measure(tolerance);
    kernels.empty(table, count);
    if (!Number.isFinite(found.before) || !Number.isFinite(found.after)) {
      kernels.undo();
      addOdd(chunk);
      return;
    }
    addSums(part, count, found);
    part.changed += found.changed;
    part.beyond += found.beyond;
    part.signFlips += found.flips;
    if (found.largest > part.maxAbs) {
      const { a, b } = kernels.values(count);
      noteMaximum(part, found.largest, chunk.at + a.findIndex((x, i) => Math.abs((b[i] as number) - x) === found.largest));
    }
    // About as large is looked at in doubles.
    if (found.ratio >= part.maxRelative * (1 - 2 ** -20)) part.maxRelative = Math.max(part.maxRelative, kernels.ratio());
    part.maxUlp = Math.max(part.maxUlp, dtype === 'float32' ? found.ulp : dtype === 'bfloat16' ? found.ulp / 65_536 : largestUlp(dtype, chunk.a, chunk.b));
  }

  return chunked(part, size, {
    add(chunk) {
      kernels.load(dtype, chunk.a, chunk.b);
      if (Buffer.compare(chunk.a, chunk.b) !== 0) {
        addChanged(chunk);
        return;
      }
      const squares = kernels.squares();
      if (Number.isFinite(squares)) addSums(part, chunk.a.byteLength / size, { absolute: 0, squares: 0, before: squares, after: squares, product: squares });
      else addOdd(chunk);
    },
    finish() {
      kernels.empty(table, 0, true);
      part.closeness = table.take();
      tables.push(table);
      freeKernels.push(kernels);
    },
  });
}

/** Tables and kernels of comparisons that ended; those of one that was cancelled are not clean, and are not used again. */
const tables: ClosenessTable[] = [];
const freeKernels: PairKernels[] = [];

function takeTable(): ClosenessTable {
  return tables.pop() ?? new ClosenessTable();
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
    finish() {
      finish();
      return part;
    },
  };
}

function addSums(part: PairPart, count: number, { absolute, squares, before, after, product }: ChunkSums): void {
  part.finite += count;
  addSum(part.absolute, absolute);
  addSum(part.squares, squares);
  addSum(part.before, before);
  addSum(part.after, after);
  addSum(part.product, product);
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
