export interface SpectrumPoint {
  readonly x: number;
  readonly y: number;
  readonly value: number;
  /** Counted from 1. */
  readonly place: number;
}

export interface SpectrumLayout {
  readonly points: readonly SpectrumPoint[];
  /** Powers of ten from top to bottom. */
  readonly ticks: readonly { readonly at: number; readonly exponent: number }[];
  /** Between the last singular value that counts and the next one; `null` without a rank or where all count. */
  readonly rankAt: number | null;
}

/** What is smaller than this beside the largest one is drawn at the bottom: it is rounding. */
const DEEPEST = 1e-12;

/** Singular values, descending, on a logarithmic scale. @param rank how many of them count; `null` when nobody knows */
export function layoutSpectrum(
  values: readonly number[],
  { rank, width, height }: { readonly rank: number | null; readonly width: number; readonly height: number },
): SpectrumLayout {
  const largest = values[0] ?? 0;
  if (!(largest > 0) || !Number.isFinite(largest)) return { points: [], ticks: [], rankAt: null };
  const least = values.reduce((low, value) => (value > largest * DEEPEST ? Math.min(low, value) : low), largest);
  const top = Math.ceil(Math.log10(largest));
  const bottom = Math.min(Math.floor(Math.log10(least)), top - 1);
  const level = (value: number) => (value <= 0 ? height : Math.min(height, ((top - Math.log10(value)) / (top - bottom)) * height));
  const step = width / values.length;
  const points = values.map((value, index) => ({ x: (index + 0.5) * step, y: level(value), value, place: index + 1 }));
  const stride = Math.max(1, Math.ceil((top - bottom) / Math.max(1, Math.floor(height / 24))));
  const ticks: { at: number; exponent: number }[] = [];
  for (let exponent = top; exponent >= bottom; exponent -= stride) ticks.push({ at: ((top - exponent) / (top - bottom)) * height, exponent });
  return { points, ticks, rankAt: rank === null || rank === 0 || rank >= values.length ? null : rank * step };
}
