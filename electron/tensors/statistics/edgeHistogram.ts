import type { Histogram } from '../../../shared/model/tensorStats';
import type { Values } from '../statisticsValues';

export interface HistogramCounter {
  add(values: Values): void;
  /** `times` elements of one value. */
  addMany(value: number, times: number): void;
  finish(): Histogram;
}

/** Counts finite values between ascending edges; a bin holds its lower edge, the last one both. What is outside is not counted. */
export function createEdgeHistogram(edges: Float64Array<ArrayBuffer>): HistogramCounter {
  const bins = edges.length - 1;
  const counts = new Float64Array(bins);
  const [min, max] = [edges[0] ?? 0, edges[bins] ?? 0];

  function addMany(x: number, times: number): void {
    if (!(x >= min && x <= max)) return;
    let low = 0;
    let high = bins;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (x >= (edges[middle] as number)) low = middle;
      else high = middle;
    }
    (counts[low] as number) += times;
  }

  return {
    add(values) {
      for (let i = 0; i < values.length; i++) addMany(values[i] as number, 1);
    },
    addMany,
    finish: () => ({ min, max, counts, edges: bins > 1 ? edges : null }),
  };
}
