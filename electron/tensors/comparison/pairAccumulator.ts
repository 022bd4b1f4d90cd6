import { type DType, dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { countChanged } from '../countChanged';
import { addOddChunk } from './addOddChunk';
import { ClosenessTable } from './closenessTable';
import { createDecodedPair, type DecodedPair, decodePair } from './decodePair';
import { judgeDifferences, type Tolerance } from './judgeDifferences';
import { INPUT_BYTES, isKernelType, KERNEL_ELEMENTS, type KernelSums, type KernelType, PairKernels, type QuickSums } from './kernels/pairKernels';
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
  /**
   * Where both sides can be read to instead of memory of the caller's, a piece at a time; `null` for types without kernels. What is there is taken
   * by `addInput`, as by `add`.
   */
  readonly input: { readonly a: Uint8Array; readonly b: Uint8Array } | null;
  /** @param bytes of each side, whole elements */
  addInput(bytes: number, at: number): void;
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
  const isTolerant = tolerance.rtol !== 0 || tolerance.atol !== 0;
  const { input } = kernels;

  function addOdd(chunk: PairChunk): void {
    part.changed += countChanged(chunk.a, chunk.b, size);
    const decoded = createDecodedPair(chunk.a.byteLength / size);
    addOddChunk(part, chunk, { dtype, decoded, tolerance, equalNaN, complex: false, floating: true, table });
  }

  function note(chunk: PairChunk, found: Omit<KernelSums, 'product'>): void {
    part.changed += found.changed;
    part.beyond += found.beyond;
    part.signFlips += found.flips;
    const isLargest = found.largest > part.maxAbs;
    // About as large is looked at in doubles; nothing is larger than an infinity.
    const isRelative = found.ratio >= part.maxRelative * (1 - 2 ** -20) && part.maxRelative !== Number.POSITIVE_INFINITY;
    if (isLargest) noteMaximum(part, found.largest, chunk.at + kernels.placeOf(found.largest));
    if (isRelative) part.maxRelative = Math.max(part.maxRelative, kernels.ratio());
  }

  /** By the kernel that knows tolerances. */
  function addTolerant(chunk: PairChunk): void {
    kernels.load(dtype, chunk.a, chunk.b);
    const found = kernels.measure(tolerance);
    kernels.empty(table, chunk.a.byteLength / size);
    if (!Number.isFinite(found.before) || !Number.isFinite(found.after)) {
      kernels.undo();
      addOdd(chunk);
      return;
    }
    addSums(part, chunk.a.byteLength / size, found);
    note(chunk, found);
    part.maxUlp = Math.max(part.maxUlp, dtype === 'float32' ? found.ulp : dtype === 'bfloat16' ? found.ulp / 65_536 : largestUlp(dtype, chunk.a, chunk.b));
  }

  function addQuick(chunk: PairChunk, from: number): void {
    const bytes = chunk.a.byteLength;
    const found = kernels.quick(dtype, from, bytes);
    if (!Number.isFinite(found.before) || !Number.isFinite(found.after)) {
      kernels.undoQuick();
      addOdd(chunk);
      return;
    }
    kernels.empty(table, bytes / size);
    addSums(part, bytes / size, { ...found, product: found.product ?? kernels.product() });
    if (found.changed === 0) return;
    note(chunk, found);
    if (dtype === 'float16') part.maxUlp = Math.max(part.maxUlp, largestUlp(dtype, chunk.a, chunk.b));
    else noteUlp(chunk, found);
  }

  /** Numbers of one sign are no further from each other than the larger one from zero, which most changes of sign exceed. */
  function noteUlp({ a, b }: PairChunk, { ulp, bound }: QuickSums): void {
    const unit = dtype === 'float32' ? 1 : 65_536;
    part.maxUlp = Math.max(part.maxUlp, ulp / unit);
    if (part.maxUlp * unit < stepsFromZero(bound)) part.maxUlp = Math.max(part.maxUlp, largestUlp(dtype, a, b));
  }

  function addInput(bytes: number, at: number): void {
    const step = CHUNK_ELEMENTS * size;
    for (let from = 0; from < bytes; from += step) {
      const end = Math.min(bytes, from + step);
      const chunk = { a: input.a.subarray(from, end), b: input.b.subarray(from, end), at: at + from / size };
      if (isTolerant && Buffer.compare(chunk.a, chunk.b) !== 0) addTolerant(chunk);
      else addQuick(chunk, from);
    }
    part.elements += bytes / size;
  }

  return {
    add(a, b, at) {
      for (let from = 0; from < b.byteLength; from += INPUT_BYTES) {
        const [left, right] = [a.subarray(from, from + INPUT_BYTES), b.subarray(from, from + INPUT_BYTES)];
        input.a.set(left);
        input.b.set(right);
        addInput(right.byteLength, at + from / size);
      }
    },
    input,
    addInput,
    finish() {
      kernels.empty(table, 0, true);
      part.closeness = table.take();
      tables.push(table);
      freeKernels.push(kernels);
      return part;
    },
  };
}

/** How many float32 numbers lie between 0 and a magnitude, or a few more. */
function stepsFromZero(magnitude: number): number {
  SINGLE[0] = magnitude;
  return (SINGLE_BITS[0] as number) + 1;
}

const SINGLE = new Float32Array(1);
const SINGLE_BITS = new Uint32Array(SINGLE.buffer);

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
    input: null,
    addInput() {},
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
