import { createHistogramAccumulator } from '../histogramAccumulator';
import { createEdgeHistogram, type HistogramCounter } from './edgeHistogram';
import type { HistogramRequest } from './histogramRequest';
import { symlogEdges } from './symlogEdges';

/** What counts values into the bins of a histogram over a range. Equal bins are NumPy's, edge by edge. */
export function createHistogram(
  range: { readonly min: number; readonly max: number },
  { bins, scale }: Pick<HistogramRequest, 'bins' | 'scale'>,
): HistogramCounter {
  const { min, max } = range;
  return scale === 'linear' ? createHistogramAccumulator(min, max, bins) : createEdgeHistogram(symlogEdges(min, max, bins));
}
