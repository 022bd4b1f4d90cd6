import type { ClosenessTable } from './closenessTable';
import type { DecodedPair } from './decodePair';
import { noteMaximum, type PairPart } from './pairPart';
import { exponentBits } from './roundingNoise';

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
  readonly table: ClosenessTable;
  /** 1 where an element takes part; without it all do. */
  readonly mask?: Uint8Array;
}

/** Counts and maxima over the differences of a chunk that are not 0, all of them of elements that are finite on both sides. */
export function judgeDifferences(part: PairPart, { a, b, delta, count }: DecodedPair, { tolerance, at, complex, table, mask }: JudgeOptions): void {
  const { rtol, atol } = tolerance;
  const deltaWords = new Uint32Array(delta.buffer, delta.byteOffset, 2 * count);
  const baseWords = new Uint32Array(a.buffer, a.byteOffset, 2 * count);
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
    table.add(exponentBits(deltaWords, i), exponentBits(baseWords, i));
  }
  part.beyond += beyond;
  part.signFlips += flips;
  part.maxRelative = relative;
  if (place >= 0) noteMaximum(part, largest, at + place);
}
