import type { Histogram } from '../../../shared/model/tensorStats';
import type { HistogramRequest } from '../../tensors/statistics/histogramRequest';
import type { StatisticsPart } from '../../tensors/statistics/statisticsPart';
import { openTensor } from '../../updates/openTensor';
import type { TensorPlan } from '../../updates/updateChain';
import { firstPass } from './measureStream';
import type { TaskContext } from './task';

export interface StatisticsPartInput {
  readonly plan: TensorPlan;
  /** Counted only where its range is known. */
  readonly histogram: HistogramRequest | null;
}

export interface StatisticsPartOutput {
  readonly part: StatisticsPart;
  readonly histogram: Histogram | null;
}

/** What one pass over some elements of a tensor gives, to be joined with that of the others. */
export async function statisticsPart({ plan, histogram }: StatisticsPartInput, context: TaskContext): Promise<StatisticsPartOutput> {
  const stream = await openTensor(plan, context.signal);
  try {
    return await firstPass(stream, { histogram }, { context });
  } finally {
    await stream.close();
  }
}
