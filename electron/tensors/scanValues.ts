import type { Values } from './statisticsValues';

export interface Extremes {
  /** +Infinity when there is nothing. */
  readonly low: number;
  /** -Infinity when there is nothing. */
  readonly high: number;
}

/** What one pass sees: NaN takes no part in the extremes, infinities do; both end up in the sum, as does a sum that overflows. */
export interface Scan extends Extremes {
  readonly zeros: number;
  readonly sum: number;
}

/** One pass over a chunk of values. */
export function scanValues(values: Values): Scan {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let zeros = 0;
  // Four sums: additions do not wait for each other, and rounding errors grow a quarter as fast.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const four = values.length - (values.length % 4);
  for (let i = 0; i < four; i += 4) {
    const w = values[i] as number;
    const x = values[i + 1] as number;
    const y = values[i + 2] as number;
    const z = values[i + 3] as number;
    a += w;
    b += x;
    c += y;
    d += z;
    if (w < low) low = w;
    if (w > high) high = w;
    if (x < low) low = x;
    if (x > high) high = x;
    if (y < low) low = y;
    if (y > high) high = y;
    if (z < low) low = z;
    if (z > high) high = z;
    if (w === 0) zeros++;
    if (x === 0) zeros++;
    if (y === 0) zeros++;
    if (z === 0) zeros++;
  }
  for (let i = four; i < values.length; i++) {
    const w = values[i] as number;
    a += w;
    if (w < low) low = w;
    if (w > high) high = w;
    if (w === 0) zeros++;
  }
  return { low, high, zeros, sum: a + b + (c + d) };
}

/** How many values are not finite, and the extremes of those that are. */
export function scanOdd(values: Values): Extremes & { readonly nan: number; readonly positiveInfinity: number; readonly negativeInfinity: number } {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let nan = 0;
  let positiveInfinity = 0;
  let negativeInfinity = 0;
  for (let i = 0; i < values.length; i++) {
    const x = values[i] as number;
    if (x - x === 0) {
      if (x < low) low = x;
      if (x > high) high = x;
    } else if (x > 0) positiveInfinity++;
    else if (x < 0) negativeInfinity++;
    else nan++;
  }
  return { low, high, nan, positiveInfinity, negativeInfinity };
}
