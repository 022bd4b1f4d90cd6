import type { DType } from '../../shared/model/dtype';
import type { TensorStats } from '../../shared/model/tensorStats';
import { type Extremes, scanOdd, scanValues } from './scanValues';
import { leastNormal } from './statistics/leastNormal';
import type { Values } from './statisticsValues';

/** Squares of numbers beyond these bounds overflow or vanish in a double; such chunks are scaled by an exact power of two. */
const LARGE = 2 ** 480;
const SMALL = 2 ** -480;
const SCALE_BITS = 512;

/** Mean and sum of squared deviations of `count` finite numbers, each number divided by 2^`exponent`. */
interface Moments {
  count: number;
  mean: number;
  m2: number;
  /** Sum of the magnitudes. */
  l1: number;
  exponent: number;
}

/**
 * Statistics of a stream of values in bounded memory. Counts and extremes are exact. Mean and deviations are summed in doubles, chunk by
 * chunk around each chunk's own mean, and the chunks are joined by Chan, Golub and LeVeque's pairwise formula
 * (M2 = M2a + M2b + d² · na·nb / n), so a large common offset does not drown the deviation.
 */
export function createStatisticsAccumulator(dtype: DType): { add(values: Values): void; finish(): Omit<TensorStats, 'distinct' | 'exact'> } {
  const all: Moments = { count: 0, mean: 0, m2: 0, l1: 0, exponent: 0 };
  const normal = leastNormal(dtype);
  let subnormals = 0;
  let count = 0;
  let nan = 0;
  let positiveInfinity = 0;
  let negativeInfinity = 0;
  let zeros = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;

  return {
    add(values) {
      if (values.length === 0) return;
      const { zeros: none, sum, ...extremes } = scanValues(values);
      count += values.length;
      zeros += none;
      if (normal > 0) for (let i = 0; i < values.length; i++) if (Math.abs(values[i] as number) < normal && values[i] !== 0) subnormals++;
      // NaN and infinities end up in the sum; a sum that overflowed looks the same and takes the careful path as well.
      const odd = Number.isFinite(sum) ? null : scanOdd(values);
      nan += odd?.nan ?? 0;
      positiveInfinity += odd?.positiveInfinity ?? 0;
      negativeInfinity += odd?.negativeInfinity ?? 0;
      const finite = odd === null ? values.length : values.length - odd.nan - odd.positiveInfinity - odd.negativeInfinity;
      if (finite === 0) return;
      const { low, high } = odd ?? extremes;
      if (low < min) min = low;
      if (high > max) max = high;
      merge(all, momentsOf(values, { low, high, finite, sum: odd === null ? sum : Number.NaN }));
    },

    finish() {
      const finite = all.count;
      const scale = 2 ** all.exponent;
      const counts = { count, finite, nan, positiveInfinity, negativeInfinity, zeros, subnormals };
      if (finite === 0) return { ...counts, min: null, max: null, mean: null, std: null, l1: 0, norm: 0 };
      // A mean outside the extremes can only be a rounding error.
      const mean = Math.min(max, Math.max(min, all.mean * scale));
      const std = Math.sqrt(all.m2 / finite) * scale;
      // |x|² = M2 + n · mean²: both terms are positive, nothing cancels. Root and scale apart, so that it overflows only if it must.
      const norm = Math.sqrt(all.m2 + finite * all.mean * all.mean) * scale;
      return { ...counts, min, max, mean, std, l1: all.l1 * scale, norm };
    },
  };
}

interface ChunkFacts extends Extremes {
  readonly finite: number;
  /** Sum of the values; NaN when it has to be taken again without what is not finite, or overflowed. */
  readonly sum: number;
}

function momentsOf(values: Values, { low, high, finite, sum }: ChunkFacts): Moments {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  // Zeros take the finest scale, so that they leave the scale of whatever they are joined with.
  if (largest === 0) return { count: finite, mean: 0, m2: 0, l1: 0, exponent: -SCALE_BITS };
  const exponent = largest > LARGE ? SCALE_BITS : largest < SMALL ? -SCALE_BITS : 0;
  if (exponent === 0 && finite === values.length && Number.isFinite(sum)) {
    const mean = sum / finite;
    let l1 = 0;
    for (let i = 0; i < values.length; i++) l1 += Math.abs(values[i] as number);
    return { count: finite, mean, m2: squaredDeviations(values, mean), l1, exponent };
  }
  const factor = 2 ** -exponent;
  let total = 0;
  let l1 = 0;
  for (let i = 0; i < values.length; i++) {
    const x = values[i] as number;
    if (x - x !== 0) continue;
    total += x * factor;
    l1 += Math.abs(x * factor);
  }
  const mean = total / finite;
  let m2 = 0;
  for (let i = 0; i < values.length; i++) {
    const x = values[i] as number;
    if (x - x !== 0) continue;
    const delta = x * factor - mean;
    m2 += delta * delta;
  }
  return { count: finite, mean, m2, l1, exponent };
}

/** Sum of (x - mean)²; every value is finite. */
function squaredDeviations(values: Values, mean: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const four = values.length - (values.length % 4);
  for (let i = 0; i < four; i += 4) {
    const w = (values[i] as number) - mean;
    const x = (values[i + 1] as number) - mean;
    const y = (values[i + 2] as number) - mean;
    const z = (values[i + 3] as number) - mean;
    a += w * w;
    b += x * x;
    c += y * y;
    d += z * z;
  }
  for (let i = four; i < values.length; i++) {
    const w = (values[i] as number) - mean;
    a += w * w;
  }
  return a + b + (c + d);
}

/** Joins `part` into `all`, in the coarser of the two scales: what vanishes there is below the last bit of the result. */
function merge(all: Moments, part: Moments): void {
  if (all.count === 0) {
    Object.assign(all, part);
    return;
  }
  const exponent = Math.max(all.exponent, part.exponent);
  const [na, nb] = [all.count, part.count];
  const count = na + nb;
  const meanA = all.mean * 2 ** (all.exponent - exponent);
  const meanB = part.mean * 2 ** (part.exponent - exponent);
  const m2A = rescale(all.m2, all.exponent - exponent);
  const m2B = rescale(part.m2, part.exponent - exponent);
  const delta = meanB - meanA;
  all.l1 = all.l1 * 2 ** (all.exponent - exponent) + part.l1 * 2 ** (part.exponent - exponent);
  all.count = count;
  all.mean = meanA + delta * (nb / count);
  all.m2 = m2A + m2B + delta * delta * (na * (nb / count));
  all.exponent = exponent;
}

/** A squared quantity moved by `bits` of the unsquared scale, in two steps: 2^(2·bits) itself may not be a double. */
function rescale(squared: number, bits: number): number {
  const factor = 2 ** bits;
  return squared * factor * factor;
}
