import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { decodeToFloat64 } from '../decode';
import type { ClosenessTable } from './closenessTable';
import { type DecodedPair, decodePair, type Factors, partType } from './decodePair';
import { judgeDifferences, type Tolerance } from './judgeDifferences';
import type { PairChunk, PairPart } from './pairPart';
import { addSum } from './sum';
import { largestUlp } from './ulpDistance';

/** Squares of numbers beyond these bounds overflow or vanish in a double; such quantities are scaled by an exact power of two. */
const LARGE = 2 ** 480;
const SMALL = 2 ** -480;
/** The squares of the largest doubles, and sums of many, are far from both ends in this scale. */
const SCALE_BITS = 600;

export interface OddOptions {
  readonly dtype: DType;
  readonly decoded: DecodedPair;
  readonly tolerance: Tolerance;
  readonly equalNaN: boolean;
  readonly complex: boolean;
  readonly floating: boolean;
  readonly table: ClosenessTable;
}

/**
 * Adds what a chunk with NaN, infinities, or squares that overflow or vanish gives, except for the number of changed elements: only elements
 * that are finite on both sides, each of |b - a|, |a| and |b| in a scale of its own, since a tiny change of ordinary numbers is as common as
 * huge numbers.
 */
export function addOddChunk(part: PairPart, chunk: PairChunk, { dtype, decoded, tolerance, equalNaN, complex, floating, table }: OddOptions): void {
  const mask = finiteMask(dtype, chunk);
  const { lost, sameNaN, nanAppeared, nanGone } = countLost(dtype, chunk, mask);
  part.notFinite += lost;
  part.beyond += lost;
  part.nanAppeared += nanAppeared;
  part.nanGone += nanGone;
  if (equalNaN) part.changed -= sameNaN;
  decodePair(dtype, chunk, decoded);
  judgeDifferences(part, decoded, { tolerance, at: chunk.at, complex, table, mask });
  if (floating) part.maxUlp = Math.max(part.maxUlp, largestUlp(dtype, chunk.a, chunk.b));
  for (const taking of mask) part.finite += taking;

  // Scaled down, no magnitude and no difference of finite numbers overflows.
  decodePair(dtype, chunk, decoded, both(0.25));
  const scale = { a: bitsFor(decoded.a, mask), b: bitsFor(decoded.b, mask), delta: bitsFor(decoded.delta, mask) };
  // Huge numbers must not be scaled up with their tiny differences, nor may a huge difference overflow before it is scaled down.
  const [first, then] = scale.delta > 0 ? [2 ** -scale.delta, 1] : [1, 2 ** -scale.delta];
  decodePair(dtype, chunk, decoded, both(first));
  addSum(part.absolute, sumOf(decoded.delta, mask, then), scale.delta);
  addSum(part.squares, squaresOf(decoded.delta, mask, then), 2 * scale.delta);
  decodePair(dtype, chunk, decoded, { a: 2 ** -scale.a, b: 2 ** -scale.b });
  addSum(part.before, squaresOf(decoded.a, mask), 2 * scale.a);
  addSum(part.after, squaresOf(decoded.b, mask), 2 * scale.b);
  addSum(part.product, innerOf(decoded, mask, complex), scale.a + scale.b);
}

const both = (factor: number): Factors => ({ a: factor, b: factor });

/** 1 for every element that is finite on both sides, complex numbers in both parts. */
export function finiteMask(dtype: DType, { a, b }: { readonly a: Uint8Array; readonly b: Uint8Array }): Uint8Array {
  const type = partType(dtype);
  const count = a.byteLength / dtypeBytes(dtype);
  const each = type === null ? 1 : 2;
  const [x, y] = [numbers(type ?? dtype, a), numbers(type ?? dtype, b)];
  const mask = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    let sum = 0;
    for (let k = i * each; k < (i + 1) * each; k++) sum += (x[k] as number) * 0 + (y[k] as number) * 0;
    mask[i] = sum === 0 ? 1 : 0;
  }
  return mask;
}

/**
 * `lost`: elements that are finite on one side only, or not finite in different ways; a complex number with a NaN is NaN. `sameNaN`: NaN on both
 * sides, of other bits.
 */
function countLost(dtype: DType, { a, b }: PairChunk, mask: Uint8Array): Record<'lost' | 'sameNaN' | 'nanAppeared' | 'nanGone', number> {
  const type = partType(dtype) ?? dtype;
  const each = type === dtype ? 1 : 2;
  const size = dtypeBytes(dtype);
  const [x, y] = [numbers(type, a), numbers(type, b)];
  const counts = { lost: 0, sameNaN: 0, nanAppeared: 0, nanGone: 0 };
  for (const [i, taking] of mask.entries()) {
    if (taking === 1) continue;
    const [from, to] = [i * each, (i + 1) * each];
    const [left, right] = [x.subarray(from, to), y.subarray(from, to)];
    const [leftNaN, rightNaN] = [left.some(Number.isNaN), right.some(Number.isNaN)];
    if (leftNaN && rightNaN) {
      if (Buffer.compare(a.subarray(i * size, (i + 1) * size), b.subarray(i * size, (i + 1) * size)) !== 0) counts.sameNaN++;
    } else if (leftNaN || rightNaN || left.some((value, k) => kindOf(value) !== kindOf(right[k] as number))) {
      counts.lost++;
      if (rightNaN) counts.nanAppeared++;
      if (leftNaN) counts.nanGone++;
    }
  }
  return counts;
}

/** 0 for finite numbers, else the sign of the infinity. */
function kindOf(value: number): number {
  return Number.isFinite(value) ? 0 : Math.sign(value);
}

function numbers(dtype: DType, bytes: Uint8Array): Float64Array {
  const values = new Float64Array(bytes.byteLength / dtypeBytes(dtype));
  decodeToFloat64(dtype, bytes, values);
  return values;
}

/** Exponent of the power of two that a quantity, given as a quarter of itself, is divided by. */
function bitsFor(quarters: Float64Array, mask: Uint8Array): number {
  let largest = 0;
  for (let i = 0; i < mask.length; i++) if (mask[i] === 1) largest = Math.max(largest, Math.abs(quarters[i] as number));
  return largest > LARGE ? SCALE_BITS : largest < SMALL ? -SCALE_BITS : 0;
}

function sumOf(values: Float64Array, mask: Uint8Array, factor: number): number {
  let sum = 0;
  for (let i = 0; i < mask.length; i++) if (mask[i] === 1) sum += Math.abs(values[i] as number) * factor;
  return sum;
}

function squaresOf(values: Float64Array, mask: Uint8Array, factor = 1): number {
  let sum = 0;
  for (let i = 0; i < mask.length; i++) if (mask[i] === 1) sum += ((values[i] as number) * factor) ** 2;
  return sum;
}

function innerOf({ a, b, product }: DecodedPair, mask: Uint8Array, complex: boolean): number {
  let sum = 0;
  for (let i = 0; i < mask.length; i++) if (mask[i] === 1) sum += complex ? (product[i] as number) : (a[i] as number) * (b[i] as number);
  return sum;
}
