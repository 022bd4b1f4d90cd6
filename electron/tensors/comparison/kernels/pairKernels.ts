import { loadKernels } from '../../../bytes/loadKernels';
import type { ClosenessTable } from '../closenessTable';
import type { Tolerance } from '../judgeDifferences';
import { type KernelType, kernelBytes } from './kernelType';
import { PAIR_MODULE } from './pairModule';

/** Elements that the kernels take at once. */
export const KERNEL_ELEMENTS = 8192;
const GROUP = 4;

/** Places in the kernels' memory: results, both sides as float32, both as 16-bit floats, the table. */
const A = 1024;
const B = A + 4 * KERNEL_ELEMENTS;
const HALVES = B + 4 * KERNEL_ELEMENTS;
const TABLE = HALVES + 2 * KERNEL_ELEMENTS;
const TABLE_COLUMNS = 512;
/** Exponent bits of a double that are in row or column 0 with everything below, zeros above all; differences of float32 numbers begin at the next. */
const LOWEST_BITS = 873;
const TABLE_CELLS = TABLE_COLUMNS * TABLE_COLUMNS;
/** One for each element of a group; their sum is what counts. */
const TABLES = 4;
const BYTES = TABLE + 4 * TABLES * TABLE_CELLS;
/** The counts of the table are 32 bits wide. */
const MOST_COUNTED = 2 ** 31;

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

/** Kernels that know tolerances, with a table of their own: one comparison at a time uses them. */
export class PairKernels {
  readonly #pair: (a: number, b: number, end: number, table: number, step: number, rtol: number, atol: number) => void;
  readonly #fold: (table: number, end: number) => void;
  readonly #ratio: (a: number, b: number, end: number) => number;
  readonly #widen: Readonly<Record<'bfloat16' | 'float16', (from: number, end: number, to: number) => void>>;
  readonly #bytes: Uint8Array;
  readonly #doubles: Float64Array;
  readonly #words: Uint32Array;
  readonly #singles: Float32Array;
  readonly #table: Uint32Array;
  #end = 0;
  #bounds = EMPTY;
  #counted = 0;

  constructor() {
    const kernels = loadKernels(PAIR_MODULE);
    kernels.reserve(BYTES);
    const { buffer } = kernels.memory;
    this.#pair = kernels.fn('pair');
    this.#fold = kernels.fn('fold');
    this.#ratio = kernels.fn('ratio');
    this.#widen = { bfloat16: kernels.fn('widenBfloat16'), float16: kernels.fn('widenFloat16') };
    this.#bytes = new Uint8Array(buffer);
    this.#doubles = new Float64Array(buffer, 0, 8);
    this.#words = new Uint32Array(buffer, 0, 32);
    this.#singles = new Float32Array(buffer);
    this.#table = new Uint32Array(buffer, TABLE, TABLE_CELLS);
  }

  /** Takes equally many elements of both sides, at most KERNEL_ELEMENTS. What fills the last group of four is 0 on both sides and counts nothing. */
  load(dtype: KernelType, a: Uint8Array, b: Uint8Array): void {
    const size = kernelBytes(dtype);
    const count = a.byteLength / size;
    const padded = Math.ceil(count / GROUP) * GROUP;
    this.#put(dtype, a, A, padded);
    this.#put(dtype, b, B, padded);
    this.#end = A + 4 * padded;
  }

  #put(dtype: KernelType, from: Uint8Array, to: number, padded: number): void {
    const target = dtype === 'float32' ? to : HALVES;
    const end = target + padded * (dtype === 'float32' ? 4 : 2);
    this.#bytes.set(from, target);
    this.#bytes.fill(0, target + from.byteLength, end);
    if (dtype !== 'float32') this.#widen[dtype](HALVES, end, to);
  }

  /** Of what was measured, the first element with this |b - a|. */
  placeOf(delta: number): number {
    for (let i = 0; i < KERNEL_ELEMENTS; i++) {
      if (Math.abs((this.#singles[B / 4 + i] as number) - (this.#singles[A / 4 + i] as number)) === delta) return i;
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

  /** Largest |b - a| / |a| of what was measured. */
  ratio(): number {
    return this.#ratio(A, B, this.#end);
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

const EMPTY = { top: TABLE_COLUMNS, bottom: -1, left: TABLE_COLUMNS, right: -1 };
