import type { DecodedPair } from './decodePair';
import { EXPONENTS, EXPONENTS_FROM, noteMaximum, type PairPart } from './pairPart';

/** |b - a| <= atol + rtol · |a| counts as close. */
export interface Tolerance {
  readonly rtol: number;
  readonly atol: number;
}

interface JudgeOptions {
  readonly tolerance: Tolerance;
  /** Place of the first element in the whole tensor. */
  readonly at: number;
  readonly complex: boolean;
  /** 1 where an element takes part; without it all do. */
  readonly mask?: Uint8Array;
}

/** Upper halves of doubles hold their exponents; numbers are little-endian on all hosts. */
const BIAS = 1023;

/** Counts and maxima over the differences of a chunk that are not 0, all of them of elements that are finite on both sides. */
export function judgeDifferences(part: PairPart, { a, b, delta, count }: DecodedPair, { tolerance, at, complex, mask }: JudgeOptions): void {
  const { rtol, atol } = tolerance;
  const deltaWords = new Uint32Array(delta.buffer, delta.byteOffset, 2 * count);
  const baseWords = new Uint32Array(a.buffer, a.byteOffset, 2 * count);
  const { closeness } = part;
  let beyond = 0;
  let flips = 0;
  let relative = part.maxRelative;
  let largest = part.maxAbs;
  let place = -1;
  for (let i = 0; i < count; i++) {
    const size = Math.abs(delta[i] as number);
    if (size === 0 || (mask !== undefined && mask[i] === 0)) continue;
    const x = a[i] as number;
    const base = Math.abs(x);
    if (size > atol + rtol * base) beyond++;
    if (!complex && (x < 0 ? (b[i] as number) > 0 : x > 0 && (b[i] as number) < 0)) flips++;
    // The difference of two numbers near the largest double may be infinite, but is not many times as large as they.
    const ratio = size === Number.POSITIVE_INFINITY && base > 0 ? 1 + Math.abs(b[i] as number) / base : size / base;
    if (ratio > relative) relative = ratio;
    if (size > largest) {
      largest = size;
      place = i;
    }
    const row = exponentPlace(deltaWords[2 * i + 1] as number);
    const column = exponentPlace(baseWords[2 * i + 1] as number);
    closeness[row * EXPONENTS + column] = (closeness[row * EXPONENTS + column] as number) + 1;
  }
  part.beyond += beyond;
  part.signFlips += flips;
  part.maxRelative = relative;
  if (place >= 0) noteMaximum(part, largest, at + place);
}

/** Row or column of the closeness table for a double whose upper half is `high`; 0 has the lowest exponent there is. */
function exponentPlace(high: number): number {
  const place = ((high >>> 20) & 0x7ff) - BIAS - EXPONENTS_FROM;
  return place < 0 ? 0 : place >= EXPONENTS ? EXPONENTS - 1 : place;
}
