/**
 * Sums over `count` finite numbers, each number divided by 2^`exponent` first, so that squares neither overflow nor vanish. The sum is
 * `sum + lost`, where `lost` is what rounding took from it.
 */
export interface Moments {
  readonly count: number;
  readonly sum: number;
  readonly lost: number;
  /** Sum of squared deviations from the mean. */
  readonly m2: number;
  /** Sum of the magnitudes. */
  readonly l1: number;
  readonly exponent: number;
}

/** Numbers beyond these bounds are scaled by 2^∓SCALE_BITS. */
export const LARGE = 2 ** 480;
export const SMALL = 2 ** -480;
export const SCALE_BITS = 512;

/** Nothing, or zeros: the finest scale, so that they leave the scale of whatever they are joined with. */
export function zeroMoments(count: number): Moments {
  return { count, sum: 0, lost: 0, m2: 0, l1: 0, exponent: -SCALE_BITS };
}

/**
 * Both together, by Chan, Golub and LeVeque's formula M2 = M2a + M2b + d² · na · nb / n, in the coarser of the two scales: what vanishes
 * there is below the last bit of the result. The sum is joined without loss (Knuth's TwoSum).
 */
export function joinMoments(a: Moments, b: Moments): Moments {
  if (a.count === 0) return b;
  if (b.count === 0) return a;
  const exponent = Math.max(a.exponent, b.exponent);
  const [left, right] = [rescale(a, exponent), rescale(b, exponent)];
  const count = a.count + b.count;
  const delta = (right.sum + right.lost) / b.count - (left.sum + left.lost) / a.count;
  const sum = left.sum + right.sum;
  const part = sum - left.sum;
  const lost = left.sum - (sum - part) + (right.sum - part) + (left.lost + right.lost);
  const between = delta * delta * (a.count * (b.count / count));
  return { count, sum, lost, m2: left.m2 + right.m2 + between, l1: left.l1 + right.l1, exponent };
}

function rescale(moments: Moments, exponent: number): Moments {
  if (moments.exponent === exponent) return moments;
  const factor = 2 ** (moments.exponent - exponent);
  // In two steps: the square of the factor itself may not be a double.
  return { ...moments, sum: moments.sum * factor, lost: moments.lost * factor, m2: moments.m2 * factor * factor, l1: moments.l1 * factor, exponent };
}

/** Mean, population's deviation, L1 and L2 of at least one number whose extremes are known. */
export function finishMoments(
  { count, sum, lost, m2, l1, exponent }: Moments,
  { min, max }: { readonly min: number; readonly max: number },
): { readonly mean: number; readonly std: number; readonly l1: number; readonly norm: number } {
  const scale = 2 ** exponent;
  const scaled = (sum + lost) / count;
  // A mean outside the extremes can only be a rounding error.
  const mean = Math.min(max, Math.max(min, scaled * scale));
  // |x|² = M2 + n · mean²: both terms are positive, nothing cancels. Root and scale apart, so that it overflows only if it must.
  return { mean, std: Math.sqrt(m2 / count) * scale, l1: l1 * scale, norm: Math.sqrt(m2 + count * scaled * scaled) * scale };
}
