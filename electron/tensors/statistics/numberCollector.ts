import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { decodeToFloat64 } from '../decode';
import { scanCarefully } from './carefulScan';
import { addPatterns } from './distinctCounter';
import { leastNormal } from './leastNormal';
import { joinMoments, LARGE, type Moments, SMALL, zeroMoments } from './moments';
import { CELLS, CHUNK, type ChunkScan, type Scanner } from './scanner';
import type { NumberPart, PartCollector } from './statisticsPart';
import { createWideIntegers, sumWide } from './wideIntegers';

/** Counters have 32 bits: they are emptied before one can run over. */
const EMPTY_AFTER = 2 ** 31;
/** Squares about the pivot may be so many times as large as those about the mean before digits are missing. */
const FAR = 1024;

/**
 * One-pass statistics of elements of more than 16 bits. Counts and extremes are exact. Every chunk is summed in doubles about the mean of what
 * came before (about its own, where that is far away), so a large common offset does not drown the deviation.
 */
export function createNumberCollector(dtype: DType, scanner: Scanner): PartCollector<NumberPart> {
  const size = dtypeBytes(dtype);
  const normal = leastNormal(dtype);
  const isFloat = dtype === 'float32';
  const wide = dtype === 'int64' || dtype === 'uint64' ? createWideIntegers(dtype === 'int64') : null;
  const cells = isFloat ? new Float64Array(CELLS) : null;
  const tally = { count: 0, nan: 0, positiveInfinity: 0, negativeInfinity: 0, zeros: 0, subnormals: 0 };
  let pending = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let moments: Moments = zeroMoments(0);

  function empty(): void {
    pending = 0;
    if (cells !== null) for (const [cell, counted] of scanner.takeCounts().entries()) (cells[cell] as number) += counted;
  }

  function note(low: number, high: number, counted: { readonly zeros: number; readonly below?: number }): void {
    tally.zeros += counted.zeros;
    // Of floats they are in cells of their own.
    if (normal > 0 && !isFloat) tally.subnormals += (counted.below ?? counted.zeros) - counted.zeros;
    if (low < min) min = low;
    if (high > max) max = high;
  }

  function carefully(values: Float32Array | Float64Array, sums: Pick<Moments, 'sum' | 'lost'> | null = null): void {
    const seen = scanCarefully(values, normal);
    tally.nan += seen.nan;
    tally.positiveInfinity += seen.positiveInfinity;
    tally.negativeInfinity += seen.negativeInfinity;
    note(seen.low, seen.high, seen);
    moments = joinMoments(moments, sums === null || seen.moments.exponent !== 0 ? seen.moments : { ...seen.moments, ...sums });
  }

  /** A number near the mean so far; for float32 one of 24 bits, so that distances from it are exact. */
  function pivotNow(): number {
    const mean = moments.count === 0 ? 0 : ((moments.sum + moments.lost) / moments.count) * 2 ** moments.exponent;
    return isFloat ? Math.fround(mean) : mean;
  }

  /** `count` elements in the scanner, a multiple of four; only floats lie elsewhere than at the beginning. */
  function scan(count: number, block: Uint8Array, from = 0): void {
    const values = (isFloat ? scanner.floats : scanner.doubles).subarray(from, from + count);
    const pivot = pivotNow();
    const seen = isFloat ? scanner.scanFloats(from, count, pivot) : scanner.scanDoubles(count, pivot, normal);
    if (isFloat) scanner.addFloatPatterns(from, count);
    pending += count;
    if (pending >= EMPTY_AFTER) empty();
    const largest = Math.max(Math.abs(seen.low), Math.abs(seen.high));
    if (seen.sum - seen.sum !== 0 || (!isFloat && (largest > LARGE || largest < SMALL))) {
      carefully(values);
      return;
    }
    note(seen.low, seen.high, seen);
    const sums = wide === null ? seen : exactSums(block);
    wide?.look(block, scanner.doubles.subarray(0, count), seen);
    moments = joinMoments(moments, momentsOf(values, { ...seen, sum: sums.sum, lost: sums.lost }, { pivot, from }));
  }

  function momentsOf(
    { length: count }: Float32Array | Float64Array,
    seen: Omit<ChunkScan, 'below'>,
    { pivot, from }: { readonly pivot: number; readonly from: number },
  ): Moments {
    const { sum, lost, sizes } = seen;
    const about = (squares: number, from: number) => {
      const distance = sum - count * from + lost;
      return Math.max(0, squares - (distance * distance) / count);
    };
    let m2 = about(seen.squares, pivot);
    if (seen.squares > FAR * m2) {
      const mean = (sum + lost) / count;
      const nearer = isFloat ? Math.fround(mean) : mean;
      if (nearer !== pivot) m2 = about(isFloat ? scanner.squaresOfFloats(from, count, nearer) : scanner.scanDoubles(count, nearer, normal).squares, nearer);
    }
    return { count, sum, lost, m2, l1: sizes, exponent: 0 };
  }

  function exactSums(block: Uint8Array): { readonly sum: number; readonly lost: number } {
    const bytes = block.byteOffset % 4 === 0 ? block : Uint8Array.from(block);
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    return sumWide(words, dtype === 'int64' ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4) : words);
  }

  /** Up to three elements that no group of four is made of. */
  function rest(block: Uint8Array): void {
    const count = decodeToFloat64(dtype, block, scanner.doubles);
    const values = scanner.doubles.slice(0, count);
    carefully(values, wide === null ? null : exactSums(block));
    const [low, high] = [Math.min(...values), Math.max(...values)];
    wide?.look(block, values, { low, high });
    if (cells === null) return;
    addPatterns(scanner.registers, dtype, block);
    for (let at = 3; at < block.byteLength; at += 4) {
      const cell = ((block[at] as number) << 8) | (block[at - 1] as number);
      (cells[cell] as number)++;
    }
  }

  return {
    add(block) {
      const elements = block.byteLength / size;
      tally.count += elements;
      if (!isFloat) addPatterns(scanner.registers, dtype, block);
      const whole = elements - (elements % 4);
      for (let at = 0; at < whole; at += CHUNK) {
        const count = Math.min(CHUNK, whole - at);
        const piece = block.subarray(at * size, (at + count) * size);
        if (isFloat) scanner.bytes.set(piece);
        else decodeToFloat64(dtype, piece, scanner.doubles);
        scan(count, piece);
      }
      if (whole < elements) rest(block.subarray(whole * size));
    },
    input: isFloat ? scanner.bytes : null,
    addInput(bytes) {
      const elements = bytes / size;
      const whole = elements - (elements % 4);
      tally.count += elements;
      // The rest is decoded where the input lies.
      const left = scanner.bytes.slice(whole * size, bytes);
      for (let at = 0; at < whole; at += CHUNK) scan(Math.min(CHUNK, whole - at), scanner.bytes, at);
      if (left.byteLength > 0) rest(left);
    },
    part() {
      empty();
      if (cells !== null) tally.subnormals = belowNormal(cells) - tally.zeros;
      return { kind: 'numbers', ...tally, min, max, exact: wide?.exact() ?? null, moments, registers: Uint8Array.from(scanner.registers), cells };
    },
  };
}

/** Elements of float32 whose exponent has no bit: zeros and subnormals of either sign. */
function belowNormal(cells: Float64Array): number {
  let sum = 0;
  for (const sign of [0, CELLS / 2]) for (let cell = sign; cell < sign + 128; cell++) sum += cells[cell] as number;
  return sum;
}
