import type { Quantile } from '../../../shared/model/tensorStats';

/** The two places (from 0) in ascending order between which a quantile lies, and how far: NumPy's method `linear`. */
export interface QuantilePlace {
  readonly at: number;
  readonly lower: number;
  readonly upper: number;
  readonly part: number;
}

/** @param count finite elements, at least one; @param at from 0 to 1 */
export function quantilePlace(at: number, count: number): QuantilePlace {
  const place = at * (count - 1);
  const lower = Math.min(count - 1, Math.floor(place));
  return { at, lower, upper: Math.min(count - 1, lower + 1), part: place - lower };
}

/** As NumPy interpolates: from the nearer of the two, so that equal ones give themselves. */
export function interpolate({ at, part }: QuantilePlace, lower: number, upper: number): Quantile {
  const step = upper - lower;
  // A step that no double holds: the two are weighed instead.
  if (!Number.isFinite(step)) return { at, value: lower * (1 - part) + upper * part };
  return { at, value: part >= 0.5 ? upper - step * (1 - part) : lower + step * part };
}

/** Quantiles of values that ascend, each occurring so many times. @returns none when nothing is counted */
export function countedQuantiles(quantiles: readonly number[], counted: Iterable<readonly [value: number, times: number]>): readonly Quantile[] {
  const entries = [...counted].filter(([, times]) => times > 0);
  const total = entries.reduce((sum, [, times]) => sum + times, 0);
  if (total === 0) return [];
  const ends: number[] = [];
  let end = 0;
  for (const [, times] of entries) {
    end += times;
    ends.push(end);
  }
  const valueAt = (place: number) => {
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (place < (ends[middle] ?? 0)) high = middle;
      else low = middle + 1;
    }
    return entries[low]?.[0] ?? 0;
  };
  return quantiles.map((at) => {
    const place = quantilePlace(at, total);
    return interpolate(place, valueAt(place.lower), valueAt(place.upper));
  });
}
