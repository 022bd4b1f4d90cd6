/**
 * Where a number stands between the colours of a legend. `log`: magnitudes over many powers of ten, zero by itself; `linear` from `low` to `high`;
 * `diverging`: around zero, by the logarithm of the magnitude to both sides, from `high` down to `least`.
 */
export interface NumberScale {
  readonly kind: 'log' | 'linear' | 'diverging';
  readonly low: number;
  readonly high: number;
  /** Least magnitude that is told from zero, or (for `log`) from smaller ones. */
  readonly least: number;
}

/** Powers of ten that colours can still tell; what is smaller has the colour of the least. */
const SPAN = 1e-6;

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
  const high = range.greatest > 0 ? range.greatest : 1;
  const least = Math.max(Math.min(range.leastPositive, high), high * SPAN);
  if (kind === 'linear') return { kind, low: 0, high, least: 0 };
  return { kind, low: kind === 'diverging' ? -high : least, high, least };
}

/** 0 to 1. On a logarithmic scale zero is 0, the least number that is not zero a fifth, so that the two are told apart. */
export function shareOf({ kind, low, high, least }: NumberScale, value: number): number {
  if (kind === 'linear') return high > low ? clamp((value - low) / (high - low)) : 0.5;
  const size = magnitudeShare(Math.abs(value), least, high);
  return kind === 'log' ? size : 0.5 + (Math.sign(value) * size) / 2;
}

function magnitudeShare(size: number, least: number, high: number): number {
  if (size === 0) return 0;
  if (high <= least) return 1;
  return Math.max(0.2, clamp(0.2 + (0.8 * Math.log(size / least)) / Math.log(high / least)));
}

function clamp(share: number): number {
  return Math.max(0, Math.min(1, share));
}
