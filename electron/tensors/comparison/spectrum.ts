import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { createDecodedPair, type DecodedPair, decodePair } from './decodePair';
import type { MatrixSize, PairSource, VisitElements } from './pairSource';
import { pivotedDiagonal } from './pivotedDiagonal';
import { findRange, type KeptRows } from './rangeFinder';
import { RoundingNoise } from './roundingNoise';
import { singularValues } from './singularValues';

export interface Spectrum {
  readonly rank: number;
  /** Whether the values found did not fall to the level of rounding, and there are more. */
  readonly atLeast: boolean;
  /** Largest first. */
  readonly values: readonly number[];
}

/** Multiplications that may be spent. */
export interface SpectrumBudget {
  /** On the head of a spectrum that does not fall away. */
  readonly head: number;
  /** On one that a sample says does. */
  readonly lowRank: number;
}

/** Matrices up to this size, one side of at most `EXACT_SIDE`, are taken as they are. */
const EXACT_ELEMENTS = 2 ** 20;
const EXACT_SIDE = 128;
/** Rows and columns of the sample. A submatrix has at most the rank of the whole. */
const SAMPLE = 64;
/** Ranks up to which a sample speaks for a low one: enough of its values are nothing but rounding. */
const LOW = 48;
const RUNS = 8;
/** Values beside those that are wanted, so that these are right (Halko, Martinsson, Tropp 2011). */
const OVERSAMPLING = 10;
const HEAD = 24;
const MOST = 128;
/** One in so many elements is few. */
const FEW = 10;
/** So many times the level of rounding is well above it. */
const CLEAR = 4;
/** Multiplications up to which more of a spectrum is looked for that may not fall away at all. */
const GROWTH = 1e8;
/** What reading, decoding and judging an element costs, in multiplications. */
const READING = 12;
/** Values that are handed on. */
const SHOWN = 64;
/** Bytes of doubles that the factors of a large matrix may take. */
const FACTOR_BYTES = 96 * 1024 * 1024;

/**
 * Numerical rank of b - a and the head of its spectrum. All elements must be finite.
 * @param differing elements that differ, which is what multiplications are spent on
 * @returns `null` where it would cost more than the budget, and not even a sample can tell
 */
export async function spectrumOf(
  source: PairSource,
  size: MatrixSize,
  options: { readonly differing: number; readonly budget: SpectrumBudget },
): Promise<Spectrum | null> {
  const side = Math.min(size.rows, size.columns);
  if (options.differing === 0) return { rank: 0, atLeast: false, values: new Array<number>(Math.min(side, SHOWN)).fill(0) };
  if (side <= EXACT_SIDE && size.rows * size.columns <= EXACT_ELEMENTS) return exactSpectrum(source, size);
  const { rank: sample, clear } = await sampleRank(source, size);
  await source.pause();
  // A low-rank update changes nearly everything. Where few elements changed, how many they are says more, and their rank costs as much to find.
  const low = clear && sample <= LOW && options.differing * FEW >= size.rows * size.columns;
  const cost = (wanted: number) =>
    (low ? 2 : 4) * (options.differing * wanted + size.rows * size.columns * READING + (size.rows + size.columns) * wanted * wanted);
  const fits = (wanted: number, budget: number) => (size.rows + size.columns) * wanted * 8 <= FACTOR_BYTES && cost(wanted) <= budget;
  let wanted = Math.min(side, low ? sample + OVERSAMPLING : HEAD);
  if (!fits(wanted, low ? options.budget.lowRank : options.budget.head)) {
    return low || sample === 0 ? null : { rank: sample, atLeast: sample < side, values: [] };
  }
  for (;;) {
    const found = await estimate(source, size, { wanted, power: !low });
    const next = Math.min(side, MOST, wanted * 2);
    // The sample may have seen less than there is: rows that changed by themselves, for one.
    const goesOn = found.atLeast && next > wanted && fits(next, low ? options.budget.lowRank : GROWTH);
    if (!goesOn) return { ...found, rank: Math.max(found.rank, sample) };
    wanted = next;
  }
}

/** Rank by values above the level of rounding; below the last digits of the largest there is nothing to be told. */
function rankOf(values: readonly number[], noise: number, size: MatrixSize): number {
  const floor = Math.max(noise, (values[0] ?? 0) * Math.max(size.rows, size.columns) * 2 ** -52);
  return values.filter((value) => value > floor).length;
}

async function exactSpectrum(source: PairSource, size: MatrixSize): Promise<Spectrum> {
  const { rows, columns } = size;
  const tall = rows >= columns;
  const values = new Float64Array(rows * columns);
  const noise = new RoundingNoise(source, size);
  await source.read(
    byRows(source, size.columns, (row) => {
      noise.add(row, row.row, row.column);
      const { delta } = row;
      if (!tall) values.set(delta, row.row * columns + row.column);
      else for (let i = 0; i < delta.length; i++) values[(row.column + i) * rows + row.row] = delta[i] as number;
    }),
  );
  await source.pause();
  const all = singularValues({ rows: Math.max(rows, columns), columns: Math.min(rows, columns), values });
  return { rank: rankOf(all, noise.level(), size), atLeast: false, values: all.slice(0, SHOWN) };
}

/**
 * Numerical rank of some rows and columns, a lower bound of that of the whole; `clear` where the values fall from well above the level of rounding
 * to below it. A change that is small beside rounding has them all around it, and has no rank to speak of.
 */
async function sampleRank(source: PairSource, size: MatrixSize): Promise<{ readonly rank: number; readonly clear: boolean }> {
  const runs = spreadRows(size.rows);
  const columns = spread(size.columns, SAMPLE);
  const small = { rows: runs.reduce((sum, { count }) => sum + count, 0), columns: columns.length };
  const picked = await readSample(source, size, { runs, columns });
  const noise = new RoundingNoise(source, small);
  const values = new Float64Array(small.rows * small.columns);
  for (let row = 0; row < small.rows; row++) {
    const cut = (all: Float64Array) => all.subarray(row * small.columns, (row + 1) * small.columns);
    const delta = cut(picked.delta);
    noise.add({ a: cut(picked.a), b: cut(picked.b), delta }, row, 0);
    if (small.rows < small.columns) values.set(delta, row * small.columns);
    else for (let i = 0; i < delta.length; i++) values[i * small.rows + row] = delta[i] as number;
  }
  const diagonal = pivotedDiagonal({ rows: Math.max(small.rows, small.columns), columns: Math.min(small.rows, small.columns), values });
  const above = (level: number) => diagonal.filter((value) => value > level).length;
  const rank = above(CLEAR * noise.level());
  return { rank, clear: rank === above(noise.level()) };
}

/** Elements where some rows and columns cross, row by row; only these are decoded. */
async function readSample(
  source: PairSource,
  size: MatrixSize,
  { runs, columns }: { readonly runs: readonly Run[]; readonly columns: readonly number[] },
): Promise<DecodedPair> {
  const places = new Float64Array(runs.reduce((sum, { count }) => sum + count, 0) * columns.length);
  let filled = 0;
  for (const { from, count } of runs) {
    for (let row = from; row < from + count; row++) for (const column of columns) places[filled++] = row * size.columns + column;
  }
  const bytes = dtypeBytes(source.dtype);
  const [a, b] = [new Uint8Array(places.length * bytes), new Uint8Array(places.length * bytes)];
  let next = 0;
  const pick: VisitElements = (left, right, at) => {
    const end = at + left.byteLength / bytes;
    for (let place = places[next]; place !== undefined && place < end; place = places[++next]) {
      const from = (place - at) * bytes;
      for (let i = 0; i < bytes; i++) {
        a[next * bytes + i] = left[from + i] as number;
        b[next * bytes + i] = right[from + i] as number;
      }
    }
    return next < places.length;
  };
  if (!source.ranges) await source.read(pick);
  else for (const { from, count } of runs) await source.readRange(from * size.columns, count * size.columns, pick);
  const decoded = createDecodedPair(places.length);
  decodePair(source.dtype, { a, b }, decoded);
  return decoded;
}

/** Neighbouring rows, as `from` and `count`. */
interface Run {
  readonly from: number;
  readonly count: number;
}

/** Rows in a few runs, each of which is read at once. */
function spreadRows(rows: number): Run[] {
  if (rows <= SAMPLE) return [{ from: 0, count: rows }];
  const count = SAMPLE / RUNS;
  return spread(Math.floor(rows / count), RUNS).map((place) => ({ from: place * count, count }));
}

/** `count` different places below `extent`, ascending: one in every stretch, where a hash puts it. */
function spread(extent: number, count: number): number[] {
  if (extent <= count) return Array.from({ length: extent }, (_, i) => i);
  return Array.from({ length: count }, (_, i) => {
    const [from, to] = [Math.floor((i * extent) / count), Math.floor(((i + 1) * extent) / count)];
    return from + ((Math.imul(i + 1, 2654435761) >>> 0) % (to - from));
  });
}

async function estimate(source: PairSource, size: MatrixSize, options: { readonly wanted: number; readonly power: boolean }): Promise<Spectrum> {
  const noise = new RoundingNoise(source, size);
  let first = true;
  const pass: KeptRows = async (visit) => {
    await source.read(
      byRows(source, size.columns, (row) => {
        if (first) noise.add(row, row.row, row.column);
        visit(row.row, row.column, row.delta);
      }),
    );
    first = false;
    await source.pause();
  };
  const values = await findRange(pass, size, options);
  const rank = rankOf(values, noise.level(), size);
  const complete = options.wanted >= Math.min(size.rows, size.columns);
  // The last ones are there to make the others right, and are not.
  const sure = complete ? values : values.slice(0, Math.max(1, options.wanted - OVERSAMPLING));
  return { rank, atLeast: rank === values.length && !complete, values: sure.slice(0, SHOWN) };
}

interface MatrixRow {
  readonly row: number;
  readonly column: number;
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly delta: Float64Array;
}

/** Takes elements apart into rows of the matrix, or parts of them where blocks end inside a row. Valid until the visit ends. */
function byRows(source: PairSource, columns: number, visit: (row: MatrixRow) => void): VisitElements {
  const decode = decoder(source.dtype);
  return (a, b, at) => {
    decode(a, b, (part, from) => {
      for (let done = 0; done < part.delta.length; ) {
        const place = at + from + done;
        const column = place % columns;
        const count = Math.min(columns - column, part.delta.length - done);
        const cut = (values: Float64Array) => values.subarray(done, done + count);
        visit({ row: Math.floor(place / columns), column, a: cut(part.a), b: cut(part.b), delta: cut(part.delta) });
        done += count;
      }
    });
    return undefined;
  };
}

const CHUNK_ELEMENTS = 8192;

function decoder(dtype: DType): (a: Uint8Array, b: Uint8Array, visit: (part: Omit<MatrixRow, 'row' | 'column'>, from: number) => void) => void {
  const decoded = createDecodedPair(CHUNK_ELEMENTS);
  return (a, b, visit) => {
    const size = dtypeBytes(dtype);
    const step = CHUNK_ELEMENTS * size;
    for (let at = 0; at < a.byteLength; at += step) {
      decodePair(dtype, { a: a.subarray(at, at + step), b: b.subarray(at, at + step) }, decoded);
      const { count } = decoded;
      visit({ a: decoded.a.subarray(0, count), b: decoded.b.subarray(0, count), delta: decoded.delta.subarray(0, count) }, at / size);
    }
  };
}
