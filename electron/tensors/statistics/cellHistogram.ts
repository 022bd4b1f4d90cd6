import type { Histogram } from '../../../shared/model/tensorStats';

/** Fewest bins that show a shape. */
const ENOUGH_BINS = 24;
const SMALLEST_EXPONENT = -126;

/**
 * A histogram of float32 from how often the upper 16 bits occur, without another look at the elements: exact, because the numbers that share
 * those bits lie inside one bin when bins are at least a 128th of the least power of two above all magnitudes wide, and start at multiples of
 * their width. A number on an edge belongs to the bin that is farther from zero.
 * @returns at most `bins` bins; `null` when fewer than a few dozen are possible, as for numbers that lie close together far from zero
 */
export function cellHistogram(
  cells: Float64Array,
  { min, max, bins }: { readonly min: number; readonly max: number; readonly bins: number },
): Histogram | null {
  if (min === max) return null;
  const largest = Math.max(Math.abs(min), Math.abs(max));
  let exponent = Math.max(SMALLEST_EXPONENT, Math.floor(Math.log2(largest)));
  while (2 ** exponent <= largest) exponent++;
  let width = 2 ** (exponent - 7);
  const place = (x: number, step: number) => (x < 0 ? -Math.floor(-x / step) - 1 : Math.floor(x / step));
  const span = (step: number) => place(max, step) - place(min, step) + 1;
  while (span(width) > bins) width *= 2;
  if (span(width) < Math.min(ENOUGH_BINS, bins / 2)) return null;
  const first = place(min, width);
  const counts = new Float64Array(span(width));
  const value = new Float32Array(1);
  const bits = new Uint32Array(value.buffer);
  for (let cell = 0; cell < cells.length; cell++) {
    const times = cells[cell] as number;
    if (times === 0) continue;
    bits[0] = cell * 65_536;
    const x = value[0] as number;
    // The cells of infinities and NaN.
    if (x - x !== 0) continue;
    // -0.0 shares its cell with the smallest negative numbers, and counts with them where there are negative numbers at all.
    const negative = cell >= 32_768 && min < 0;
    const at = (negative ? -Math.floor(Math.abs(x) / width) - 1 : Math.floor(Math.abs(x) / width)) - first;
    (counts[Math.min(counts.length - 1, at)] as number) += times;
  }
  return { min: first * width, max: (first + counts.length) * width, counts, edges: null };
}
