import { loadKernels } from '../../../bytes/loadKernels';
import type { ClosenessTable } from '../closenessTable';
import { type KernelType, kernelBytes } from './kernelType';
import { LOOK_MODULE } from './lookModule';
import { QUICK_MODULE } from './quickModule';

/** Bytes of each side that are read to the kernels' memory at once: a part of the processor's second cache. */
export const INPUT_BYTES = 256 * 1024;
/** Elements that are looked at together. */
const GROUP = 8;
/** Elements that are widened at once, and where to. */
const BLOCK_ELEMENTS = 2048;
const A = 2048;
const B = A + 4 * BLOCK_ELEMENTS;
/** Behind what is read and what is widened: what fills the last group, and what is written beyond. */
const SPARE = 64;
const INPUT_A = 20_480;
const INPUT_B = INPUT_A + INPUT_BYTES + SPARE;
/** As in `quick.wat`. */
const TABLE = 0x100000;
const TABLE_COLUMNS = 256;
const TABLE_ROWS = 280;
/** Exponent bits of a double that row 0 stands for, and of what column 1 holds less 1. */
const LOWEST_ROW = 873;
const LOWEST_COLUMN = 895;
/** The counts of the table are 32 bits wide. */
const MOST_COUNTED = 2 ** 31;
/** A root of a sum of squares may be rounded down. */
const ROUNDED = 1 + 2 ** -20;

const KINDS = { float32: 0, bfloat16: 1, float16: 2 } as const;

/** What `quick` gives. */
export interface QuickSums {
  readonly absolute: number;
  readonly squares: number;
  readonly before: number;
  readonly after: number;
  /** `null` where it would lose digits to the others. */
  readonly product: number | null;
  readonly largest: number;
  /** Elements in groups with a change: those among them without a difference are in the table, or are `equal`. */
  readonly looked: number;
  /** Elements without a difference in groups with a change, where there is no table; else 0. */
  readonly equal: number;
  /** Elements that are zero on both sides and changed their sign. */
  readonly zeros: number;
  readonly flips: number;
  /** Largest distance of two numbers of different signs, in units of the last place of float32. */
  readonly steps: number;
  /** Largest |b - a| / |a| to within 2^-22. */
  readonly ratio: number;
  /** No magnitude of an element that differs is larger. */
  readonly bound: number;
}

/** Of |a|² + |b|²: a product that is smaller has lost some bits in the sum that gives it. */
const LEAST_PRODUCT = 2 ** -5;

type Block = (a: number, b: number, end: number) => number;

/** Kernels that ask for no tolerance, with a table of their own: one comparison at a time uses them. */
export class QuickKernels {
  readonly #quick: (a: number, b: number, end: number, kind: number, step: number) => void;
  readonly #widen: (from: number, bytes: number, kind: number, to: number) => number;
  readonly #product: Block;
  readonly #ratio: (a: number, b: number, end: number, least: number) => number;
  readonly #steps: { readonly 4: Block; readonly 2: Block };
  readonly #find: (a: number, b: number, end: number, delta: number) => number;
  readonly #next: (at: number, end: number) => number;
  /** Where both sides can be read to. */
  readonly input: { readonly a: Uint8Array; readonly b: Uint8Array };
  readonly #bytes: Uint8Array;
  readonly #doubles: Float64Array;
  readonly #words: Uint32Array;
  readonly #singles: Float32Array;
  readonly #table: Uint32Array;
  /** What was measured last. */
  #dtype: KernelType = 'float32';
  #a = 0;
  #b = 0;
  #end = 0;
  #counts = true;
  /** Last row of the table that holds something. */
  #bottom = -1;
  #counted = 0;
  #equal = 0;

  constructor() {
    const kernels = loadKernels(QUICK_MODULE);
    const { buffer } = kernels.memory;
    this.#quick = kernels.fn('quick');
    this.#widen = kernels.fn('widen');
    const looks = loadKernels(LOOK_MODULE, kernels.memory);
    this.#product = looks.fn('product');
    this.#ratio = looks.fn('ratio');
    this.#steps = { 4: looks.fn('steps32'), 2: looks.fn('steps16') };
    this.#find = looks.fn('find');
    this.#next = looks.fn('next');
    this.#bytes = new Uint8Array(buffer);
    this.#doubles = new Float64Array(buffer, 0, 64);
    this.#words = new Uint32Array(buffer, 0, 128);
    this.#singles = new Float32Array(buffer, 0, 128);
    this.#table = new Uint32Array(buffer, TABLE, TABLE_ROWS * TABLE_COLUMNS);
    this.input = { a: this.#bytes.subarray(INPUT_A, INPUT_A + INPUT_BYTES), b: this.#bytes.subarray(INPUT_B, INPUT_B + INPUT_BYTES) };
  }

  /**
   * Of the elements of the input in some bytes. A sum of squares that is not finite means that an element is not; then `undo` must follow, for the
   * table. What fills the last group is 0 on both sides and has no difference.
   * @param from a multiple of 32
   * @param counts whether differences are counted in the table, which takes longer than all the rest
   */
  quick(dtype: KernelType, { from, bytes, counts }: { readonly from: number; readonly bytes: number; readonly counts: boolean }): QuickSums {
    const group = GROUP * kernelBytes(dtype);
    const end = from + Math.ceil(bytes / group) * group;
    this.#bytes.fill(0, INPUT_A + from + bytes, INPUT_A + end);
    this.#bytes.fill(0, INPUT_B + from + bytes, INPUT_B + end);
    [this.#dtype, this.#a, this.#b, this.#end, this.#counts] = [dtype, INPUT_A + from, INPUT_B + from, INPUT_A + end, counts];
    this.#quick(this.#a, this.#b, this.#end, KINDS[dtype], counts ? 1 : 0);
    const [absolute, squares, before, after, same] = [this.#sum(0), this.#sum(2), this.#sum(4), this.#sum(6), this.#sum(8)];
    const largest = Math.max(this.#doubles[30] as number, this.#doubles[31] as number);
    const product = (before + after - squares) / 2;
    const looked = GROUP * (this.#words[68] as number);
    const base = Math.sqrt(before) * ROUNDED;
    if (counts && looked > 0 && Number.isFinite(product)) this.#bottom = Math.max(this.#bottom, exponentBits(largest) - LOWEST_ROW, 0);
    return {
      absolute,
      squares,
      before: before + same,
      after: after + same,
      product: Math.abs(product) < LEAST_PRODUCT * (before + after) ? null : product + same,
      largest,
      looked,
      equal: this.#count(104),
      zeros: this.#count(100),
      flips: this.#count(92),
      steps: mostOf(this.#words, 96),
      ratio: mostOf(this.#singles, 64),
      bound: Math.max(base, Math.sqrt(after) * ROUNDED),
    };
  }

  /** A sum of two lanes with what rounding took from each. */
  #sum(at: number): number {
    const value = (lane: number) => this.#doubles[lane] as number;
    return value(at) + value(at + 1) + (value(at + 10) + value(at + 11));
  }

  #count(at: number): number {
    const lane = (place: number) => this.#words[place] as number;
    return lane(at) + lane(at + 1) + lane(at + 2) + lane(at + 3);
  }

  /** Takes the elements of the last `quick` out of the table. */
  undo(): void {
    if (this.#counts) this.#quick(this.#a, this.#b, this.#end, KINDS[this.#dtype], -1);
  }

  /** Of what was measured, the first element with this |b - a|. */
  placeOf(delta: number): number {
    let place = -1;
    this.#eachBlock((a, b, end, at) => {
      const found = this.#find(a, b, end, delta);
      if (found >= 0) place = at + found;
      return found < 0;
    });
    return place;
  }

  /** Sum of a · b of what was measured. */
  product(): number {
    let sum = 0;
    this.#eachBlock((a, b, end) => {
      sum += this.#product(a, b, end);
      return true;
    });
    return sum;
  }

  /** Largest |b - a| / |a| of what was measured, which is about `about`. */
  ratio(about: number): number {
    let largest = 0;
    this.#eachBlock((a, b, end) => {
      largest = Math.max(largest, this.#ratio(a, b, end, about * (1 - 2 ** -20)));
      return true;
    });
    return largest;
  }

  /** Largest distance of what was measured in steps from one number of the type to the next; both zeros are one number. */
  steps(): number {
    return this.#steps[kernelBytes(this.#dtype)](this.#a, this.#b, this.#end) >>> 0;
  }

  /** Hands on float32 numbers, as places in memory, and which element is the first; until a visit returns false. */
  #eachBlock(visit: (a: number, b: number, end: number, at: number) => boolean): void {
    const size = kernelBytes(this.#dtype);
    const kind = KINDS[this.#dtype];
    for (let from = this.#a; from < this.#end; from += BLOCK_ELEMENTS * size) {
      const bytes = Math.min(BLOCK_ELEMENTS * size, this.#end - from);
      const [a, b] = [this.#widen(from, bytes, kind, A), this.#widen(from + this.#b - this.#a, bytes, kind, B)];
      if (!visit(a, b, a + (bytes / size) * 4, (from - this.#a) / size)) return;
    }
  }

  /** Moves what the table holds into `into` when it may soon be full, or `always`. */
  empty(into: ClosenessTable, added: number, always = false): void {
    this.#counted += added;
    if (!always && this.#counted < MOST_COUNTED) return;
    const end = TABLE + 4 * TABLE_COLUMNS * (this.#bottom + 1);
    for (let at = TABLE; at < end; at += 16) {
      at = this.#next(at, end);
      for (let place = (at - TABLE) / 4; place < (Math.min(at + 16, end) - TABLE) / 4; place++) this.#move(place, into);
    }
    this.#bottom = -1;
    this.#counted = 0;
  }

  #move(place: number, into: ClosenessTable): void {
    const count = this.#table[place] as number;
    if (count === 0) return;
    this.#table[place] = 0;
    const row = Math.floor(place / TABLE_COLUMNS);
    if (row === 0) this.#equal += count;
    else into.add(row + LOWEST_ROW, (place % TABLE_COLUMNS) + LOWEST_COLUMN, count);
  }

  /** How many elements without a difference were in the table until it was emptied; counted once. */
  takeEqual(): number {
    const equal = this.#equal;
    this.#equal = 0;
    return equal;
  }
}

/** The largest of four lanes. */
function mostOf(of: Uint32Array | Float32Array, at: number): number {
  return Math.max(of[at] as number, of[at + 1] as number, of[at + 2] as number, of[at + 3] as number);
}

function exponentBits(magnitude: number): number {
  WORD_OF.setFloat64(0, magnitude);
  return WORD_OF.getUint32(0) >>> 20;
}

const WORD_OF = new DataView(new ArrayBuffer(8));
