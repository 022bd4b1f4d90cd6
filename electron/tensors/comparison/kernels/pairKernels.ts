import { loadKernels } from '../../../bytes/loadKernels';
import type { ClosenessTable } from '../closenessTable';
import type { Tolerance } from '../judgeDifferences';
import { PAIR_MODULE } from './pairModule';

/** Elements that the kernels take at once. */
export const KERNEL_ELEMENTS = 8192;
const GROUP = 4;

/** Bytes of each side that are read to the kernels' memory at once: a part of the processor's second cache. */
export const INPUT_BYTES = 256 * 1024;
/** Behind the input, what fills the last group. */
const SPARE = 16;

/** Places in the kernels' memory: results, both sides as float32, both as 16-bit floats, both as they were read, the table. */
const A = 1024;
const B = A + 4 * KERNEL_ELEMENTS;
const HALVES = B + 4 * KERNEL_ELEMENTS;
const INPUT_A = HALVES + 2 * KERNEL_ELEMENTS;
const INPUT_B = INPUT_A + INPUT_BYTES + SPARE;
const TABLE = INPUT_B + INPUT_BYTES + SPARE;
const TABLE_COLUMNS = 512;
/** Exponent bits of a double that are in row or column 0 with everything below, zeros above all; differences of float32 numbers begin at the next. */
const LOWEST_BITS = 873;
const TABLE_CELLS = TABLE_COLUMNS * TABLE_COLUMNS;
/** One for each element of a group; their sum is what counts. */
const TABLES = 4;
const BYTES = TABLE + 4 * TABLES * TABLE_CELLS;
/** The counts of the table are 32 bits wide. */
const MOST_COUNTED = 2 ** 31;

export type KernelType = 'float32' | 'bfloat16' | 'float16';

export function isKernelType(dtype: string): dtype is KernelType {
  return dtype === 'float32' || dtype === 'bfloat16' || dtype === 'float16';
}

/** What the kernels give for a chunk. */
export interface KernelSums {
  readonly absolute: number;
  readonly squares: number;
  readonly before: number;
  readonly after: number;
  readonly product: number;
  readonly largest: number;
  readonly changed: number;
  readonly beyond: number;
  readonly flips: number;
  /** In units of the last place of float32. */
  readonly ulp: number;
  /** Largest |b - a| / |a| to within 2^-22. */
  readonly ratio: number;
}

/** What `quick` gives for a chunk; the product is `null` where it would lose digits to the others. */
export interface QuickSums extends Omit<KernelSums, 'product'> {
  readonly product: number | null;
  /** No magnitude on either side is larger. */
  readonly bound: number;
}

/** Of |a|² + |b|²: a product that is smaller has lost some bits in the sum that gives it. */
const LEAST_PRODUCT = 2 ** -5;

/** An instance of the kernels with a table of its own: one comparison at a time uses it. */
export class PairKernels {
  readonly #pair: (a: number, b: number, end: number, table: number, step: number, rtol: number, atol: number) => void;
  readonly #quick: (a: number, b: number, end: number, table: number, step: number) => void;
  readonly #product: (a: number, b: number, end: number) => number;
  readonly #fold: (table: number, end: number) => void;
  readonly #squares: (a: number, end: number) => number;
  readonly #ratio: (a: number, b: number, end: number) => number;
  readonly #widen: Readonly<Record<'bfloat16' | 'float16', (from: number, end: number, to: number) => void>>;
  /** Where both sides can be read to, for `quick`. */
  readonly input: { readonly a: Uint8Array; readonly b: Uint8Array };
  readonly #bytes: Uint8Array;
  readonly #doubles: Float64Array;
  readonly #words: Uint32Array;
  readonly #singles: Float32Array;
  readonly #table: Uint32Array;
  /** Where the elements lie as float32 that were loaded or measured last. */
  #a = A;
  #b = B;
  #end = 0;
  #bounds = EMPTY;
  #counted = 0;

  constructor() {
    const kernels = loadKernels(PAIR_MODULE);
    kernels.reserve(BYTES);
    const { buffer } = kernels.memory;
    this.#pair = kernels.fn('pair');
    this.#quick = kernels.fn('quick');
    this.#product = kernels.fn('product');
    this.#fold = kernels.fn('fold');
    this.#squares = kernels.fn('squares');
    this.#ratio = kernels.fn('ratio');
    this.#widen = { bfloat16: kernels.fn('widenBfloat16'), float16: kernels.fn('widenFloat16') };
    this.#bytes = new Uint8Array(buffer);
    this.#doubles = new Float64Array(buffer, 0, 8);
    this.#words = new Uint32Array(buffer, 0, 32);
    this.#singles = new Float32Array(buffer);
    this.#table = new Uint32Array(buffer, TABLE, TABLE_CELLS);
    this.input = { a: this.#bytes.subarray(INPUT_A, INPUT_A + INPUT_BYTES), b: this.#bytes.subarray(INPUT_B, INPUT_B + INPUT_BYTES) };
  }

  /** Takes equally many elements of both sides, at most KERNEL_ELEMENTS. What fills the last group of four is 0 on both sides and counts nothing. */
  load(dtype: KernelType, a: Uint8Array, b: Uint8Array): void {
    const size = dtype === 'float32' ? 4 : 2;
    const count = a.byteLength / size;
    const padded = Math.ceil(count / GROUP) * GROUP;
    this.#put(dtype, a, A, padded);
    this.#put(dtype, b, B, padded);
    [this.#a, this.#b, this.#end] = [A, B, A + 4 * padded];
  }

  #put(dtype: KernelType, from: Uint8Array, to: number, padded: number): void {
    const target = dtype === 'float32' ? to : HALVES;
    const end = target + padded * (dtype === 'float32' ? 4 : 2);
    this.#bytes.set(from, target);
    this.#bytes.fill(0, target + from.byteLength, end);
    if (dtype !== 'float32') this.#widen[dtype](HALVES, end, to);
  }

  /**
   * Of the elements of the input in some bytes, beyond a tolerance of 0. A sum of squares that is not finite means that an element is not; then
   * `undoQuick` must follow, for the table. @param from a multiple of 16; no more than KERNEL_ELEMENTS
   */
  quick(dtype: KernelType, from: number, bytes: number): QuickSums {
    const end = padded(from + bytes);
    this.#bytes.fill(0, INPUT_A + from + bytes, INPUT_A + end);
    this.#bytes.fill(0, INPUT_B + from + bytes, INPUT_B + end);
    let [a, b] = [INPUT_A + from, INPUT_B + from];
    this.#end = INPUT_A + end;
    if (dtype !== 'float32') {
      this.#widen[dtype](a, INPUT_A + end, A);
      this.#widen[dtype](b, INPUT_B + end, B);
      [a, b] = [A, B];
      this.#end = A + 2 * (end - from);
    }
    [this.#a, this.#b] = [a, b];
    this.#quick(a, b, this.#end, TABLE, 1);
    const [absolute = 0, squares = 0, before = 0, after = 0, same = 0, largest = 0] = this.#doubles;
    const words = this.#words;
    const elements = GROUP * (words[14] as number);
    const [ratio, big] = [this.#singles[16] as number, this.#singles[17] as number];
    const product = (before + after - squares) / 2;
    if (elements > 0 && Number.isFinite(product)) this.#widenBounds(largest, big);
    return {
      absolute,
      squares,
      before: before + same,
      after: after + same,
      product: Math.abs(product) < LEAST_PRODUCT * (before + after) ? null : product + same,
      largest,
      changed: elements - (words[12] as number),
      beyond: elements - (words[13] as number),
      flips: words[15] as number,
      ulp: words[18] as number,
      ratio,
      bound: big + largest,
    };
  }

  /** Takes the elements of the last `quick` out of the table. */
  undoQuick(): void {
    this.#quick(this.#a, this.#b, this.#end, TABLE, -1);
  }

  /** What the table may hold, by the largest |b - a| and |a|. */
  #widenBounds(delta: number, base: number): void {
    const { bottom, right } = this.#bounds;
    this.#bounds = { top: 0, bottom: Math.max(bottom, placeOf(delta)), left: 0, right: Math.max(right, placeOf(base)) };
  }

  /** Of what was measured, the first element with this |b - a|. */
  placeOf(delta: number): number {
    for (let i = 0; i < KERNEL_ELEMENTS; i++) {
      if (Math.abs((this.#singles[this.#b / 4 + i] as number) - (this.#singles[this.#a / 4 + i] as number)) === delta) return i;
    }
    return -1;
  }

  /** Of what was loaded. Sums that are not finite mean that an element is not; then `undo` must follow, for the table. */
  measure({ rtol, atol }: Tolerance): KernelSums {
    this.#pair(A, B, this.#end, TABLE, 1, rtol, atol);
    const [absolute = 0, squares = 0, before = 0, after = 0, product = 0, same = 0, largest = 0] = this.#doubles;
    const words = this.#words;
    const [top, bottom, left, right] = [words[19] as number, words[20] as number, words[21] as number, words[22] as number];
    if (top <= bottom) {
      const { top: t, bottom: b, left: l, right: r } = this.#bounds;
      this.#bounds = { top: Math.min(t, top), bottom: Math.max(b, bottom), left: Math.min(l, left), right: Math.max(r, right) };
    }
    return {
      absolute,
      squares,
      before: before + same,
      after: after + same,
      product: product + same,
      largest,
      changed: words[14] as number,
      beyond: words[15] as number,
      flips: words[16] as number,
      ulp: words[17] as number,
      ratio: this.#singles[18] as number,
    };
  }

  /** Takes the elements of the last `measure` out of the table. */
  undo(): void {
    this.#pair(A, B, this.#end, TABLE, -1, 0, 0);
  }

  /** Sum of squares of side `a`. */
  squares(): number {
    return this.#squares(A, this.#end);
  }

  /** Sum of a · b of what was measured. */
  product(): number {
    return this.#product(this.#a, this.#b, this.#end);
  }

  /** Largest |b - a| / |a| of what was measured. */
  ratio(): number {
    return this.#ratio(this.#a, this.#b, this.#end);
  }

  /** Moves what the table holds into `into` when it may soon be full, or `always`. */
  empty(into: ClosenessTable, added: number, always = false): void {
    this.#counted += added;
    if (!always && this.#counted < MOST_COUNTED) return;
    const { top, bottom, left, right } = this.#bounds;
    if (top <= bottom) this.#fold(TABLE + 4 * TABLE_COLUMNS * top, TABLE + 4 * TABLE_COLUMNS * (bottom + 1));
    for (let row = top; row <= bottom; row++) {
      for (let place = row * TABLE_COLUMNS + left; place <= row * TABLE_COLUMNS + right; place++) {
        const count = this.#table[place] as number;
        if (count === 0) continue;
        this.#table[place] = 0;
        // Row 0 is no difference at all.
        if (row > 0) into.add(row + LOWEST_BITS, (place % TABLE_COLUMNS) + LOWEST_BITS, count);
      }
    }
    this.#bounds = EMPTY;
    this.#counted = 0;
  }
}

const padded = (bytes: number) => Math.ceil(bytes / SPARE) * SPARE;

/** Row or column of the table for a finite magnitude. */
function placeOf(magnitude: number): number {
  WORD_OF.setFloat64(0, magnitude);
  return Math.min(TABLE_COLUMNS - 1, Math.max(0, (WORD_OF.getUint32(0) >>> 20) - LOWEST_BITS));
}

const WORD_OF = new DataView(new ArrayBuffer(8));

const EMPTY = { top: TABLE_COLUMNS, bottom: -1, left: TABLE_COLUMNS, right: -1 };
