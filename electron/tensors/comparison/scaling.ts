import type { DType } from '../../../shared/model/dtype';
import { dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import type { PairStructure } from '../../../shared/model/pairNumbers';
import { encodeDoubles } from '../kernels/encodeDoubles';
import { createDecodedPair, decodePair } from './decodePair';
import type { PairSource, VisitElements } from './pairSource';
import { exponentBits, unitsOf } from './roundingNoise';

export type Scaling = NonNullable<PairStructure['scaling']>;

/**
 * A product rounded once is half a unit off at most; a little more, since 16-bit floats are often multiplied in float32 and rounded a second
 * time.
 */
const HALF_UNIT = 0.505;
/** Each factor must explain so many elements on average: any single element is its predecessor times something. */
const LEAST_ELEMENTS = 4;
const CHUNK_ELEMENTS = 4096;
const FEW_ELEMENTS = 16;
/** Rows or columns up to which factors are looked for. */
const MOST_FACTORS = 2 ** 22;

/** For every line (row, column, or the whole) the factors that each of its elements allows: an element b = a · f, rounded, leaves an interval. */
interface Lines {
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Elements that constrain the factor. */
  readonly counts: Float64Array;
  possible: boolean;
}

/**
 * Whether `b` is `a` with every row (axis 0), every column (last axis) or everything multiplied by a factor, within rounding. One pass, which
 * ends as soon as nothing is possible any more, and a second one to see whether the factors give exactly `b`.
 * All elements must be finite. @returns `null` for other changes, and for types that are not real floating-point numbers
 */
export async function findScaling(source: PairSource): Promise<Scaling | null> {
  const { shape, elements, dtype } = source;
  if (dtypeKind(dtype) !== 'float' || source.a !== source.b || elements < LEAST_ELEMENTS) return null;
  const [rows = 1, columns = 1] = [shape[0], shape.at(-1)];
  const perRow = elements / rows;
  const extents = { perRow, columns };
  // Most changes are none, which shows in the first elements: no need to read a whole block of both.
  if (source.ranges && !(await isPossible(source, extents))) return null;
  const kinds = { all: createLines(1), rows: createLines(shape.length < 2 ? 0 : rows), columns: createLines(shape.length < 2 ? 0 : columns) };
  await source.read(narrowing(dtype, kinds, extents));
  for (const along of ['all', 'rows', 'columns'] as const) {
    const lines = kinds[along];
    const factors = lines.possible ? factorsOf(dtype, lines) : null;
    if (factors === null) continue;
    const factorAt =
      along === 'all'
        ? () => factors.values[0] as number
        : along === 'rows'
          ? (place: number) => factors.values[Math.floor(place / perRow)] as number
          : (place: number) => factors.values[place % columns] as number;
    const exact = factors.representable && (await givesExactly(source, factorAt));
    return { along, exact, least: factors.least, largest: factors.largest };
  }
  return null;
}

interface Extents {
  /** Elements of a row (axis 0), and extent of the last axis. */
  readonly perRow: number;
  readonly columns: number;
}

async function isPossible(source: PairSource, extents: Extents): Promise<boolean> {
  const { perRow, columns } = extents;
  const first = Math.min(source.elements, Math.max(CHUNK_ELEMENTS, 2 * columns));
  const kinds = { all: createLines(1), rows: createLines(Math.ceil(first / perRow)), columns: createLines(columns) };
  const visit = narrowing(source.dtype, kinds, extents);
  const possible = () => kinds.all.possible || kinds.rows.possible || kinds.columns.possible;
  // The beginnings of two lines mostly say it.
  if (columns > FEW_ELEMENTS && source.elements >= 2 * columns) {
    for (const from of [0, columns]) await source.readRange(from, FEW_ELEMENTS, visit);
    if (!possible()) return false;
  }
  await source.readRange(0, first, visit);
  return possible();
}

function createLines(count: number): Lines {
  const possible = count > 0 && count <= MOST_FACTORS;
  const used = possible ? count : 0;
  return {
    low: new Float64Array(used).fill(Number.NEGATIVE_INFINITY),
    high: new Float64Array(used).fill(Number.POSITIVE_INFINITY),
    counts: new Float64Array(used),
    possible,
  };
}

function narrowing(dtype: DType, { all, rows, columns }: Readonly<Record<Scaling['along'], Lines>>, extents: Extents): VisitElements {
  const decoded = createDecodedPair(CHUNK_ELEMENTS);
  const units = unitsOf(dtype);
  const words = new Uint32Array(decoded.b.buffer);
  const step = CHUNK_ELEMENTS * dtypeBytes(dtype);
  const chunk = (at: number): boolean => {
    for (let i = 0; i < decoded.count; i++) {
      const [x, y] = [decoded.a[i] as number, decoded.b[i] as number];
      const place = at + i;
      if (x === 0) {
        // Zero times any factor is zero.
        if (y === 0) continue;
        return false;
      }
      const slack = HALF_UNIT * (units[exponentBits(words, i)] as number);
      const [one, other] = [(y - slack) / x, (y + slack) / x];
      const [low, high] = one < other ? [one, other] : [other, one];
      if (all.possible) narrow(all, 0, low, high);
      if (rows.possible) narrow(rows, Math.floor(place / extents.perRow), low, high);
      if (columns.possible) narrow(columns, place % extents.columns, low, high);
      if (!all.possible && !rows.possible && !columns.possible) return false;
    }
    return true;
  };
  return (a, b, at) => {
    for (let from = 0; from < a.byteLength; from += step) {
      decodePair(dtype, { a: a.subarray(from, from + step), b: b.subarray(from, from + step) }, decoded);
      if (chunk(at + from / dtypeBytes(dtype))) continue;
      for (const lines of [all, rows, columns]) lines.possible = false;
      return false;
    }
    return undefined;
  };
}

function narrow(lines: Lines, line: number, low: number, high: number): void {
  const from = Math.max(lines.low[line] as number, low);
  const to = Math.min(lines.high[line] as number, high);
  lines.low[line] = from;
  lines.high[line] = to;
  lines.counts[line] = (lines.counts[line] as number) + 1;
  if (from > to) lines.possible = false;
}

interface Factors {
  readonly values: Float64Array;
  /** Whether every factor is a number of the type. */
  readonly representable: boolean;
  readonly least: number;
  readonly largest: number;
}

/** A factor for every line; `null` when too few elements speak for them, or none is other than 1. */
function factorsOf(dtype: DType, { low, high, counts }: Lines): Factors | null {
  const values = new Float64Array(low.length);
  let representable = true;
  let scaled = 0;
  let explained = 0;
  let least = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (let line = 0; line < low.length; line++) {
    const [from, to] = [low[line] as number, high[line] as number];
    const { factor, own } = from <= 1 && to >= 1 ? { factor: 1, own: true } : between(dtype, from, to);
    values[line] = factor;
    if (factor !== 1) {
      scaled++;
      explained += counts[line] as number;
      representable &&= own;
    }
    if (counts[line] === 0) continue;
    if (factor < least) least = factor;
    if (factor > largest) largest = factor;
  }
  return scaled === 0 || explained < scaled * LEAST_ELEMENTS ? null : { values, representable, least, largest };
}

/** A number of the type in the interval, if there is one; else its middle. */
function between(dtype: DType, from: number, to: number): { readonly factor: number; readonly own: boolean } {
  const middle = from + (to - from) / 2;
  const units = unitsOf(dtype);
  const unit = units[exponentBits(new Uint32Array(Float64Array.of(middle).buffer), 0)] as number;
  for (const candidate of [middle, middle - unit, middle + unit, from, to]) {
    const rounded = roundTo(dtype, candidate);
    if (rounded >= from && rounded <= to) return { factor: rounded, own: true };
  }
  return { factor: middle, own: false };
}

function roundTo(dtype: DType, value: number): number {
  const pair = createDecodedPair(1);
  const bytes = encodeDoubles(dtype, Float64Array.of(value));
  decodePair(dtype, { a: bytes, b: bytes }, pair);
  return pair.a[0] as number;
}

/** Whether each element times its factor, rounded in the type, is the other one, bit for bit. Products of two floats of up to 32 bits are exact in a double. */
async function givesExactly(source: PairSource, factorAt: (place: number) => number): Promise<boolean> {
  const { dtype } = source;
  const size = dtypeBytes(dtype);
  const step = CHUNK_ELEMENTS * size;
  const decoded = createDecodedPair(CHUNK_ELEMENTS);
  let exact = true;
  await source.read((a, b, at) => {
    for (let from = 0; from < a.byteLength && exact; from += step) {
      const expected = b.subarray(from, from + step);
      decodePair(dtype, { a: a.subarray(from, from + step), b: expected }, decoded);
      const products = decoded.delta.subarray(0, decoded.count);
      for (let i = 0; i < products.length; i++) products[i] = (decoded.a[i] as number) * factorAt(at + from / size + i);
      exact = Buffer.compare(encodeDoubles(dtype, products), expected) === 0;
    }
    return exact ? undefined : false;
  });
  return exact;
}
