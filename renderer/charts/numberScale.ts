/**
 * Where a number stands between the colours of a legend. `log`: magnitudes over many powers of ten, zero by itself; `linear` from `low` to `high`;
 * `diverging`: around zero.
 */
export interface NumberScale {
  readonly kind: 'log' | 'linear' | 'diverging';
  readonly low: number;
  readonly high: number;
}

/** Extremes of the numbers known so far. */
export interface NumberRange {
  /** Least magnitude that is not zero; infinite when there is none. */
  readonly leastPositive: number;
  /** Greatest magnitude. */
  readonly greatest: number;
}

export const NO_RANGE: NumberRange = { leastPositive: Number.POSITIVE_INFINITY, greatest: 0 };

export function widenRange(range: NumberRange, value: number): NumberRange {
  const size = Math.abs(value);
  if (!Number.isFinite(size) || (size <= range.greatest && (size === 0 || size >= range.leastPositive))) return range;
  return { leastPositive: size > 0 ? Math.min(range.leastPositive, size) : range.leastPositive, greatest: Math.max(range.greatest, size) };
}

export function scaleOf(kind: NumberScale['kind'], range: NumberRange): NumberScale {
  if (kind === 'linear') return { kind, low: 0, high: range.greatest > 0 ? range.greatest : 1 };
  if (kind === 'diverging') return { kind, low: range.greatest > 0 ? -range.greatest : -1, high: range.greatest > 0 ? range.greatest : 1 };
  return range.greatest > 0 ? { kind, low: range.leastPositive, high: range.greatest } : { kind, low: 1, high: 1 };
}

/** 0 to 1. On a logarithmic scale zero is 0, the least number that is not zero a fifth, so that the two are told apart. */
export function shareOf({ kind, low, high }: NumberScale, value: number): number {
  if (kind === 'log') {
    const size = Math.abs(value);
    if (size === 0) return 0;
    if (high <= low) return 1;
    return clamp(0.2 + (0.8 * Math.log(size / low)) / Math.log(high / low));
  }
  return high > low ? clamp((value - low) / (high - low)) : 0.5;
}

function clamp(share: number): number {
  return Math.max(0, Math.min(1, share));
}
