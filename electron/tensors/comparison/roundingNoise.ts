import { type DType, dtypeKind } from '../../../shared/model/dtype';

/** Digits of the significand, the leading one included, and exponent of the least normal number. */
const FORMATS: Partial<Record<DType, { readonly digits: number; readonly lowest: number }>> = {
  float8_e4m3fn: { digits: 4, lowest: -6 },
  float8_e4m3fnuz: { digits: 4, lowest: -7 },
  float8_e5m2: { digits: 3, lowest: -14 },
  float8_e5m2fnuz: { digits: 3, lowest: -15 },
  float8_e8m0fnu: { digits: 1, lowest: -127 },
  float16: { digits: 11, lowest: -14 },
  bfloat16: { digits: 8, lowest: -126 },
  float32: { digits: 24, lowest: -126 },
  float64: { digits: 53, lowest: -1022 },
};

const BIAS = 1023;

/**
 * Distance from one number of the type to the next one up, by the 11 exponent bits of a double near it; all 0 for types whose numbers are exact.
 * Zero and subnormals have that of the least normal number.
 */
export function unitsOf(dtype: DType): Float64Array {
  const units = tables.get(dtype) ?? makeUnits(dtype);
  tables.set(dtype, units);
  return units;
}

const tables = new Map<DType, Float64Array>();

function makeUnits(dtype: DType): Float64Array {
  const units = new Float64Array(2048);
  const format = FORMATS[dtype];
  if (format === undefined || dtypeKind(dtype) !== 'float') return units;
  for (let bits = 0; bits < 2047; bits++) units[bits] = 2 ** Math.max(-1074, Math.max(bits - BIAS, format.lowest) - format.digits + 1);
  return units;
}

/** Exponent bits of each double, through the words of the array it lies in; numbers are little-endian on all hosts. */
export function exponentBits(words: Uint32Array, i: number): number {
  return ((words[2 * i + 1] as number) >>> 20) & 0x7ff;
}

export interface NoiseTypes {
  readonly a: DType;
  readonly b: DType;
}

/**
 * How large a singular value rounding alone can make: errors are independent and evenly spread over a unit in the last place, so their
 * variance is unit² / 12, and the norm of such a matrix is about the largest norm of its rows plus that of its columns, in the mean, and
 * a term in √log (Bandeira and van Handel, 2016).
 *
 * Counted are, where an element changed: the rounding of `b`; that of the update itself before it was added, in the type of `b`, or in float32
 * where a float64 update turns out to be nothing but float32 numbers; and that of `a` where the types differ, since then one is a
 * conversion of the other.
 */
export class RoundingNoise {
  readonly #unitsA: Float64Array;
  readonly #unitsB: Float64Array;
  readonly #single = unitsOf('float32');
  readonly #rows: Float64Array;
  readonly #columns: Float64Array;
  /** As `#rows` and `#columns`, if the update were float32. */
  readonly #singleRows: Float64Array;
  readonly #singleColumns: Float64Array;
  #largest = 0;
  #allSingle = true;

  constructor({ a, b }: NoiseTypes, { rows, columns }: { readonly rows: number; readonly columns: number }) {
    this.#unitsA = a === b ? new Float64Array(2048) : unitsOf(a);
    this.#unitsB = unitsOf(b);
    this.#rows = new Float64Array(rows);
    this.#columns = new Float64Array(columns);
    this.#singleRows = new Float64Array(b === 'float64' ? rows : 0);
    this.#singleColumns = new Float64Array(b === 'float64' ? columns : 0);
  }

  /** Elements of one row from `column` on. */
  add({ a, b, delta }: { readonly a: Float64Array; readonly b: Float64Array; readonly delta: Float64Array }, row: number, column: number): void {
    const [wordsA, wordsB, wordsD] = [wordsIn(a), wordsIn(b), wordsIn(delta)];
    let sum = 0;
    let single = 0;
    for (let i = 0; i < delta.length; i++) {
      const d = delta[i] as number;
      if (d === 0) continue;
      const [x, y, z] = [
        this.#unitsA[exponentBits(wordsA, i)] as number,
        this.#unitsB[exponentBits(wordsB, i)] as number,
        this.#unitsB[exponentBits(wordsD, i)] as number,
      ];
      const variance = (x * x + y * y + z * z) / 12;
      if (variance > this.#largest) this.#largest = variance;
      sum += variance;
      this.#columns[column + i] = (this.#columns[column + i] as number) + variance;
      if (this.#singleRows.length === 0) continue;
      if (Math.fround(d) !== d) this.#allSingle = false;
      const unit = this.#single[exponentBits(wordsD, i)] as number;
      single += (unit * unit) / 12;
      this.#singleColumns[column + i] = (this.#singleColumns[column + i] as number) + (unit * unit) / 12;
    }
    this.#rows[row] = (this.#rows[row] as number) + sum;
    if (this.#singleRows.length > 0) this.#singleRows[row] = (this.#singleRows[row] as number) + single;
  }

  /** Singular values up to this one may be nothing but rounding. */
  level(): number {
    const count = this.#rows.length + this.#columns.length;
    const of = (rows: Float64Array, columns: Float64Array) => Math.sqrt(largest(rows)) + Math.sqrt(largest(columns));
    const stored = of(this.#rows, this.#columns) * MARGIN + 3 * Math.sqrt(this.#largest * Math.log(count + 1));
    return this.#allSingle && this.#singleRows.length > 0 ? Math.max(stored, of(this.#singleRows, this.#singleColumns) * MARGIN) : stored;
  }
}

const MARGIN = 1.5;

function largest(values: Float64Array): number {
  let found = 0;
  for (const value of values) if (value > found) found = value;
  return found;
}

function wordsIn(values: Float64Array): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
}
