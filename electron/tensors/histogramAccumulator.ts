import type { HistogramCounter } from './statistics/edgeHistogram';

/** Part of a bin beside its edges; rounding moves a value by far less. */
const NEAR = 1e-6;

/**
 * Counts finite values in `bins` equal bins from `min` to `max`, the last one closed; what is outside is not counted.
 * A value that rounding put on the wrong side of an edge (min + k · step, as NumPy takes it) is put right, so counts agree with NumPy's.
 * When `min` equals `max` there is nothing to divide: one bin holds everything.
 */
export function createHistogramAccumulator(min: number, max: number, bins: number): HistogramCounter {
  const used = min === max ? 1 : bins;
  const counts = new Float64Array(used);
  const factor = exactFactor(max - min);
  const low = min * factor;
  const span = max * factor - low;
  const edges = new Float64Array(used + 1);
  for (let k = 0; k <= used; k++) edges[k] = k === used ? max * factor : low + k * (span / used);
  const perBin = used / span;
  const last = used - 1;

  /** For values that are near an edge, where the product may have been rounded across it, or not finite. */
  function addCarefully(x: number, times: number): void {
    if (x - x !== 0 || x < low || x > (edges[used] as number)) return;
    let bin = used === 1 ? 0 : Math.min(last, Math.trunc((x - low) * perBin));
    if (x < (edges[bin] as number)) bin--;
    else if (bin < last && x >= (edges[bin + 1] as number)) bin++;
    (counts[bin] as number) += times;
  }

  return {
    add(values) {
      for (let i = 0; i < values.length; i++) {
        const x = (values[i] as number) * factor;
        const place = (x - low) * perBin;
        const bin = place | 0;
        const inside = place - bin;
        // False for NaN, which a constant (0 · ∞), NaN and infinities give.
        if (inside > NEAR && inside < 1 - NEAR && bin < used) (counts[bin] as number)++;
        else addCarefully(x, 1);
      }
    },
    addMany: (value, times) => addCarefully(value * factor, times),
    finish: () => ({ min, max, counts, edges: null }),
  };
}

/** A power of two that brings a range which is infinite or subnormal to where it can be divided; exact for every value inside it. */
function exactFactor(range: number): number {
  if (!Number.isFinite(range)) return 0.5;
  return range > 0 && range < 2 ** -900 ? 2 ** 512 : 1;
}
