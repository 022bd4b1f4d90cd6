import { CheckpointError } from '../../../shared/contract/errors';
import type { DType } from '../../../shared/model/dtype';
import { type Shape, tensorBytes } from '../../../shared/model/shape';
import type { Histogram, Quantile, TensorStats } from '../../../shared/model/tensorStats';
import { finishPart } from '../../tensors/statistics/finishPart';
import type { HistogramRequest } from '../../tensors/statistics/histogramRequest';
import { histogramRange, partHistogram, patternQuantiles } from '../../tensors/statistics/partHistogram';
import { joinParts, type StatisticsPart } from '../../tensors/statistics/statisticsPart';
import type { TensorPlan } from '../../updates/updateChain';
import type { Priority, WorkerPool } from '../../workers/workerPool';
import { splitPlan } from './splitPlan';

export interface MeasureTensorOptions {
  readonly pool: WorkerPool;
  readonly signal?: AbortSignal | undefined;
  readonly priority?: Priority | undefined;
  /** Bytes done of bytes total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface MeasureTensorRequest {
  readonly histogram: HistogramRequest | null;
  /** From 0 to 1. */
  readonly quantiles: readonly number[];
}

export interface MeasuredTensor {
  readonly dtype: DType;
  readonly shape: Shape;
  readonly stats: TensorStats;
  /** `null` when none was asked for, or nothing is finite and no range was given. */
  readonly histogram: Histogram | null;
  /** None when nothing is finite. */
  readonly quantiles: readonly Quantile[];
}

/**
 * Statistics of a tensor, by one worker, or by all of them at once where it is large and lies in a file as it is. Both give the same
 * counts, extremes, histograms and quantiles; sums may differ in the last bits.
 * @throws CheckpointError what reading or reconstructing throws; `cancelled`
 */
export async function measureTensor(plan: TensorPlan, request: MeasureTensorRequest, options: MeasureTensorOptions): Promise<MeasuredTensor> {
  const parts = splitPlan(plan, options.pool.size);
  if (parts === null || plan.kind !== 'ref') {
    const { pool, ...rest } = options;
    return pool.run('statistics', { plan, ...request }, rest);
  }
  const { dtype, shape } = plan.ref;
  const first = await measureParts(parts, request.histogram, { options, total: tensorBytes(dtype, shape) });
  const stats = finishPart(dtype, first.part);
  const histogram = first.histogram ?? (await histogramOf(parts, { dtype, shape, part: first.part, stats, request, options }));
  const quantiles = await quantilesOf(plan, { dtype, part: first.part, stats, request, options });
  return { dtype, shape, stats, histogram, quantiles };
}

interface Known {
  readonly dtype: DType;
  readonly part: StatisticsPart;
  readonly stats: TensorStats;
  readonly request: MeasureTensorRequest;
  readonly options: MeasureTensorOptions;
}

/** One pass over all parts; a failure of one ends the others. */
async function measureParts(
  parts: readonly TensorPlan[],
  histogram: HistogramRequest | null,
  { options, total }: { readonly options: MeasureTensorOptions; readonly total: number },
): Promise<{ readonly part: StatisticsPart; readonly histogram: Histogram | null }> {
  const { pool, priority, onProgress } = options;
  const failed = new AbortController();
  const signal = options.signal === undefined ? failed.signal : AbortSignal.any([options.signal, failed.signal]);
  const done = parts.map(() => 0);
  let cause: unknown;
  const runs = parts.map(async (plan, index) => {
    const report = (bytes: number) => {
      done[index] = bytes;
      onProgress?.(
        done.reduce((sum, part) => sum + part, 0),
        total,
      );
    };
    try {
      return await pool.run('statisticsPart', { plan, histogram }, { signal, priority, onProgress: report });
    } catch (error) {
      cause ??= error;
      failed.abort();
      return null;
    }
  });
  const results = await Promise.all(runs);
  if (cause !== undefined) throw CheckpointError.from(cause);
  const [head, ...others] = results.filter((result) => result !== null);
  if (head === undefined) throw new CheckpointError('internal', 'A tensor was shared out into no parts.');
  let part = head.part;
  for (const other of others) {
    part = joinParts(part, other.part);
    for (const [bin, times] of other.histogram?.counts.entries() ?? [])
      if (head.histogram !== null) head.histogram.counts[bin] = (head.histogram.counts[bin] ?? 0) + times;
  }
  return { part, histogram: head.histogram };
}

/** A histogram that one pass did not give: from its counts, or by another pass that knows the range. */
async function histogramOf(
  parts: readonly TensorPlan[],
  { dtype, part, stats, request, options, shape }: Known & { readonly shape: Shape },
): Promise<Histogram | null> {
  const range = request.histogram === null ? null : histogramRange(request.histogram, stats);
  if (request.histogram === null || range === null) return null;
  const known = partHistogram(dtype, part, request.histogram, range);
  if (known !== null) return known;
  const again = await measureParts(parts, { ...request.histogram, range }, { options, total: tensorBytes(dtype, shape) });
  return again.histogram;
}

async function quantilesOf(plan: TensorPlan, { dtype, part, stats, request, options }: Known): Promise<readonly Quantile[]> {
  if (request.quantiles.length === 0 || stats.finite === 0) return [];
  if (part.kind === 'patterns') return patternQuantiles(dtype, part.counts, request.quantiles);
  const { pool, ...rest } = options;
  return (await pool.run('quantiles', { plan, quantiles: request.quantiles, finite: stats.finite }, rest)).quantiles;
}
