import { type Extremes, scanOdd } from '../scanValues';
import type { Values } from '../statisticsValues';
import { LARGE, type Moments, SCALE_BITS, SMALL, zeroMoments } from './moments';

/** What a chunk holds that has NaN or infinities, or numbers whose squares no double holds; slower than the scan of ordinary ones. */
export interface CarefulScan extends Extremes {
  readonly nan: number;
  readonly positiveInfinity: number;
  readonly negativeInfinity: number;
  readonly zeros: number;
  readonly below: number;
  readonly moments: Moments;
}

/** @param normal the least normal number, for `below`, which counts zeros as well */
export function scanCarefully(values: Values, normal: number): CarefulScan {
  const odd = scanOdd(values);
  let zeros = 0;
  let below = 0;
  for (let i = 0; i < values.length; i++) {
    const x = values[i] as number;
    if (x === 0) zeros++;
    if (Math.abs(x) < normal) below++;
  }
  const finite = values.length - odd.nan - odd.positiveInfinity - odd.negativeInfinity;
  return { ...odd, zeros, below, moments: carefulMoments(values, finite, odd) };
}

function carefulMoments(values: Values, finite: number, { low, high }: Extremes): Moments {
  const largest = finite === 0 ? 0 : Math.max(Math.abs(low), Math.abs(high));
  if (largest === 0) return zeroMoments(finite);
  const exponent = largest > LARGE ? SCALE_BITS : largest < SMALL ? -SCALE_BITS : 0;
  const factor = 2 ** -exponent;
  let sum = 0;
  let lost = 0;
  let l1 = 0;
  for (let i = 0; i < values.length; i++) {
    const x = (values[i] as number) * factor;
    if (x - x !== 0) continue;
    const next = sum + x;
    const part = next - sum;
    lost += sum - (next - part) + (x - part);
    sum = next;
    l1 += Math.abs(x);
  }
  const mean = (sum + lost) / finite;
  let m2 = 0;
  for (let i = 0; i < values.length; i++) {
    const delta = (values[i] as number) * factor - mean;
    if (delta - delta === 0) m2 += delta * delta;
  }
  return { count: finite, sum, lost, m2, l1, exponent };
}
