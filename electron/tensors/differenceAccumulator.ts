import { type DType, dtypeBytes } from '../../shared/model/dtype';
import { countChanged } from './countChanged';
import { decodeToFloat64 } from './decode';

/** How two tensors of one type and shape differ. */
export interface Difference {
  /** Elements whose bits differ. */
  readonly changed: number;
  /** Euclidean norm of the difference, over the numbers whose difference is finite; complex numbers count both parts. */
  readonly norm: number;
  /** Changed numbers whose difference is NaN or infinite. */
  readonly notFinite: number;
}

/** Bytes compared, decoded and summed at once; a multiple of every element size. */
const CHUNK_BYTES = 64 * 1024;
/** A sum of squares outside of this range may have lost numbers to overflow or underflow. */
const SMALLEST_SUM = 1e-280;
const LARGEST_SUM = 1e280;

/** Type of the numbers that an element consists of. */
const PARTS: Partial<Record<DType, DType>> = { complex32: 'float16', complex64: 'float32', complex128: 'float64' };

/** Takes two tensors block by block, in step, and sums in float64. Stretches with equal bytes cost a comparison of memory only. */
export class DifferenceAccumulator {
  readonly #dtype: DType;
  readonly #number: DType;
  readonly #before = new Float64Array(CHUNK_BYTES);
  readonly #after = new Float64Array(CHUNK_BYTES);
  #changed = 0;
  #notFinite = 0;
  #sum = 0;
  /** Norm of the chunks whose squares do not fit into a double. */
  #odd = 0;

  constructor(dtype: DType) {
    this.#dtype = dtype;
    this.#number = PARTS[dtype] ?? dtype;
  }

  /** @param before, after equally many whole little-endian elements */
  add(before: Uint8Array, after: Uint8Array): void {
    for (let at = 0; at < after.byteLength; at += CHUNK_BYTES) {
      const a = before.subarray(at, at + CHUNK_BYTES);
      const b = after.subarray(at, at + CHUNK_BYTES);
      if (Buffer.compare(a, b) !== 0) this.#addChunk(a, b);
    }
  }

  finish(): Difference {
    return { changed: this.#changed, norm: Math.hypot(Math.sqrt(this.#sum), this.#odd), notFinite: this.#notFinite };
  }

  #addChunk(before: Uint8Array, after: Uint8Array): void {
    this.#changed += countChanged(before, after, dtypeBytes(this.#dtype));
    const direct = this.#number === 'float32' && before.byteOffset % 4 === 0 && after.byteOffset % 4 === 0;
    const sum = direct ? squaredDistance(floats(before), floats(after)) : sumOfSquares(this.#subtract(before, after));
    if (sum >= SMALLEST_SUM && sum <= LARGEST_SUM) this.#sum += sum;
    else this.#addOdd(before, after, this.#subtract(before, after));
  }

  /** after - before, in a buffer that the next call uses again. */
  #subtract(before: Uint8Array, after: Uint8Array): Float64Array {
    if (this.#number === 'int64' || this.#number === 'uint64') return subtractWide(before, after, this.#number === 'int64', this.#after);
    const count = decodeToFloat64(this.#number, before, this.#before);
    decodeToFloat64(this.#number, after, this.#after);
    const [a, b] = [this.#before, this.#after];
    for (let i = 0; i < count; i++) b[i] = (b[i] as number) - (a[i] as number);
    return b.subarray(0, count);
  }

  /** A chunk with a NaN, an infinity, or squares that overflow or vanish: scaled by its largest difference. */
  #addOdd(before: Uint8Array, after: Uint8Array, difference: Float64Array): void {
    const size = dtypeBytes(this.#number);
    let largest = 0;
    for (const [i, d] of difference.entries()) {
      if (Number.isFinite(d)) largest = Math.max(largest, Math.abs(d));
      // Infinity less itself is NaN, but nothing has changed.
      else if (Buffer.compare(before.subarray(i * size, (i + 1) * size), after.subarray(i * size, (i + 1) * size)) !== 0) this.#notFinite++;
    }
    if (largest === 0) return;
    let scaled = 0;
    for (const d of difference) if (Number.isFinite(d)) scaled += (d / largest) ** 2;
    this.#odd = Math.hypot(this.#odd, largest * Math.sqrt(scaled));
  }
}

/** Four sums: additions do not wait for each other. */
function sumOfSquares(values: Float64Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const four = values.length - (values.length % 4);
  for (let i = 0; i < four; i += 4) {
    a += (values[i] as number) ** 2;
    b += (values[i + 1] as number) ** 2;
    c += (values[i + 2] as number) ** 2;
    d += (values[i + 3] as number) ** 2;
  }
  for (let i = four; i < values.length; i++) a += (values[i] as number) ** 2;
  return a + b + (c + d);
}

/** 64-bit integers word by word: both differences are exact, so their sum is rounded once. */
function subtractWide(before: Uint8Array, after: Uint8Array, signed: boolean, into: Float64Array): Float64Array {
  const [a, b] = [words(before), words(after)];
  const count = a.length / 2;
  for (let i = 0; i < count; i++) {
    const [high, low] = [2 * i + 1, 2 * i];
    const top = signed ? ((b[high] ?? 0) | 0) - ((a[high] ?? 0) | 0) : (b[high] ?? 0) - (a[high] ?? 0);
    into[i] = top * 2 ** 32 + ((b[low] ?? 0) - (a[low] ?? 0));
  }
  return into.subarray(0, count);
}

/** float32 numbers subtract without being copied into doubles first. */
function squaredDistance(before: Float32Array, after: Float32Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const four = after.length - (after.length % 4);
  for (let i = 0; i < four; i += 4) {
    a += ((after[i] as number) - (before[i] as number)) ** 2;
    b += ((after[i + 1] as number) - (before[i + 1] as number)) ** 2;
    c += ((after[i + 2] as number) - (before[i + 2] as number)) ** 2;
    d += ((after[i + 3] as number) - (before[i + 3] as number)) ** 2;
  }
  for (let i = four; i < after.length; i++) a += ((after[i] as number) - (before[i] as number)) ** 2;
  return a + b + (c + d);
}

function floats(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}

function words(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}
