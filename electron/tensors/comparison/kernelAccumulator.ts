import { dtypeBytes } from '../../../shared/model/dtype';
import { countChanged } from '../countChanged';
import { addOddChunk } from './addOddChunk';
import { createDecodedPair } from './decodePair';
import type { KernelType } from './kernels/kernelType';
import { KERNEL_ELEMENTS, PairKernels } from './kernels/pairKernels';
import { INPUT_BYTES, QuickKernels, type QuickSums } from './kernels/quickKernels';
import { addSums, freeTables, type PairAccumulator, type PairOptions, takeTable } from './pairOptions';
import { emptyPart, noteMaximum, type PairChunk } from './pairPart';
import { largestUlp } from './ulpDistance';

/** What an instance of either kernels found and can look up, of the elements it measured last. */
interface Maxima {
  readonly largest: number;
  readonly ratio: number;
}
type Looks = Pick<QuickKernels, 'placeOf' | 'ratio'>;

/**
 * For float32 and what is widened to it; squares of such numbers neither overflow nor vanish in a double. Without a tolerance all that was read
 * is looked at in one go; with one, and where an element is not finite, chunk by chunk.
 */
export function createKernelAccumulator(dtype: KernelType, { tolerance, equalNaN, closeness }: PairOptions): PairAccumulator {
  const part = emptyPart();
  const quick = freeQuick.pop() ?? new QuickKernels();
  const isTolerant = tolerance.rtol !== 0 || tolerance.atol !== 0;
  const tolerant = isTolerant ? (freeTolerant.pop() ?? new PairKernels()) : null;
  const table = takeTable();
  const size = dtypeBytes(dtype);
  const { input } = quick;

  function addOdd(chunk: PairChunk): void {
    part.changed += countChanged(chunk.a, chunk.b, size);
    const decoded = createDecodedPair(chunk.a.byteLength / size);
    addOddChunk(part, chunk, { dtype, decoded, tolerance, equalNaN, complex: false, floating: true, table });
  }

  function note(kernels: Looks, { largest, ratio }: Maxima, at: number): void {
    const isLargest = largest > part.maxAbs;
    // About as large is looked at in doubles; nothing is larger than an infinity.
    const isRelative = ratio >= part.maxRelative * (1 - 2 ** -20) && part.maxRelative !== Number.POSITIVE_INFINITY;
    if (isLargest) noteMaximum(part, largest, at + kernels.placeOf(largest));
    if (isRelative) part.maxRelative = Math.max(part.maxRelative, kernels.ratio(ratio));
  }

  function addTolerant(kernels: PairKernels, chunk: PairChunk): void {
    kernels.load(dtype, chunk.a, chunk.b);
    const found = kernels.measure(tolerance);
    kernels.empty(table, chunk.a.byteLength / size);
    if (!Number.isFinite(found.before) || !Number.isFinite(found.after)) {
      kernels.undo();
      addOdd(chunk);
      return;
    }
    addSums(part, chunk.a.byteLength / size, found);
    part.changed += found.changed;
    part.beyond += found.beyond;
    part.signFlips += found.flips;
    note(kernels, found, chunk.at);
    part.maxUlp = Math.max(part.maxUlp, dtype === 'float32' ? found.ulp : dtype === 'bfloat16' ? found.ulp / 65_536 : largestUlp(dtype, chunk.a, chunk.b));
  }

  /** Some bytes of the input. @returns false, and nothing was added, where an element is not finite */
  function addQuick(from: number, bytes: number, at: number): boolean {
    const found = quick.quick(dtype, { from, bytes, counts: closeness });
    if (!Number.isFinite(found.before) || !Number.isFinite(found.after)) {
      quick.undo();
      return false;
    }
    quick.empty(table, bytes / size);
    addSums(part, bytes / size, { ...found, product: found.product ?? quick.product() });
    if (found.looked === 0) return true;
    // Where they are in the table, those without a difference are taken off in the end.
    part.changed += found.looked + found.zeros - found.equal;
    part.beyond += found.looked - found.equal;
    // Else the table tells in the end.
    if (!closeness) part.differing += found.looked - found.equal;
    part.signFlips += found.flips;
    note(quick, found, at);
    noteUlp(found);
    return true;
  }

  /** Numbers of one sign are no further from each other than the larger one from zero, which most changes of sign exceed. */
  function noteUlp({ steps, bound }: QuickSums): void {
    const unit = dtype === 'bfloat16' ? 65_536 : 1;
    if (dtype !== 'float16') part.maxUlp = Math.max(part.maxUlp, steps / unit);
    if (dtype === 'float16' || part.maxUlp * unit < stepsFromZero(bound)) part.maxUlp = Math.max(part.maxUlp, quick.steps());
  }

  function addInput(bytes: number, at: number): void {
    part.elements += bytes / size;
    if (tolerant === null && addQuick(0, bytes, at)) return;
    const step = KERNEL_ELEMENTS * size;
    for (let from = 0; from < bytes; from += step) {
      const end = Math.min(bytes, from + step);
      const chunk = { a: input.a.subarray(from, end), b: input.b.subarray(from, end), at: at + from / size };
      if (tolerant !== null && Buffer.compare(chunk.a, chunk.b) !== 0) addTolerant(tolerant, chunk);
      else if (!addQuick(from, end - from, chunk.at)) addOdd(chunk);
    }
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
      quick.empty(table, 0, true);
      tolerant?.empty(table, 0, true);
      const equal = quick.takeEqual();
      part.changed -= equal;
      part.beyond -= equal;
      const taken = table.take();
      part.differing += taken.counts.reduce((sum, count) => sum + count, 0);
      if (closeness) part.closeness = taken;
      freeTables.push(table);
      freeQuick.push(quick);
      if (tolerant !== null) freeTolerant.push(tolerant);
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

/** Kernels of comparisons that ended; those of one that was cancelled are not clean, and are not used again. */
const freeQuick: QuickKernels[] = [];
const freeTolerant: PairKernels[] = [];
