import type { DType } from '../../../shared/model/dtype';
import type { Shape } from '../../../shared/model/shape';
import type { HistogramRequest } from '../../tensors/statistics/histogramRequest';
import { openTensor } from '../../updates/openTensor';
import type { TensorPlan } from '../../updates/updateChain';
import { type Measured, measureStream } from './measureStream';
import type { TaskContext } from './task';

export interface StatisticsInput {
  readonly plan: TensorPlan;
  readonly histogram: HistogramRequest | null;
  /** From 0 to 1. */
  readonly quantiles: readonly number[];
}

export interface StatisticsOutput extends Measured {
  readonly dtype: DType;
  readonly shape: Shape;
}

/** Statistics of one tensor, with a histogram and exact quantiles where they are asked for. */
export async function statistics({ plan, ...request }: StatisticsInput, context: TaskContext): Promise<StatisticsOutput> {
  const stream = await openTensor(plan, context.signal);
  try {
    return { dtype: stream.dtype, shape: stream.shape, ...(await measureStream(stream, request, { context })) };
  } finally {
    await stream.close();
  }
}
