import type { DType } from '../../../shared/model/dtype';
import type { Histogram, TensorStats } from '../../../shared/model/tensorStats';
import { cellHistogram } from './cellHistogram';
import { createHistogram } from './createHistogram';
import type { HistogramRequest } from './histogramRequest';
import { patternValues } from './patternValues';
import { countedQuantiles } from './quantiles';
import type { StatisticsPart } from './statisticsPart';

/** The range a histogram covers; `null` when nothing is finite and no range was asked for. */
export function histogramRange({ range }: HistogramRequest, { min, max }: TensorStats): { readonly min: number; readonly max: number } | null {
  return range ?? (min === null || max === null ? null : { min, max });
}

/** A histogram that follows from what one pass counted; `null` when the elements have to be looked at again. */
export function partHistogram(
  dtype: DType,
  part: StatisticsPart,
  request: HistogramRequest,
  range: { readonly min: number; readonly max: number },
): Histogram | null {
  if (part.kind === 'patterns') {
    const { values, ascending } = patternValues(dtype);
    const histogram = createHistogram(range, request);
    for (const pattern of ascending) {
      const times = part.counts[pattern] as number;
      if (times > 0) histogram.addMany(values[pattern] as number, times);
    }
    return histogram.finish();
  }
  if (part.cells === null || request.range !== null || request.scale !== 'linear') return null;
  return cellHistogram(part.cells, { ...range, bins: request.bins });
}

/** Quantiles that follow from how often each pattern occurs. */
export function patternQuantiles(dtype: DType, counts: Float64Array, quantiles: readonly number[]) {
  const { values, ascending } = patternValues(dtype);
  return countedQuantiles(
    quantiles,
    Array.from(ascending, (pattern) => [values[pattern] as number, counts[pattern] as number] as const),
  );
}
