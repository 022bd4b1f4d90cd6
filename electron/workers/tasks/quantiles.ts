import type { Quantile } from '../../../shared/model/tensorStats';
import { openTensor } from '../../updates/openTensor';
import type { TensorPlan } from '../../updates/updateChain';
import { selectQuantiles } from './measureStream';
import type { TaskContext } from './task';

export interface QuantilesInput {
  /** Of elements of more than 16 bits. */
  readonly plan: TensorPlan;
  /** From 0 to 1. */
  readonly quantiles: readonly number[];
  /** How many elements are finite, as its statistics say. */
  readonly finite: number;
}

export interface QuantilesOutput {
  readonly quantiles: readonly Quantile[];
}

/** Exact quantiles of a tensor whose statistics are known. */
export async function quantiles({ plan, ...request }: QuantilesInput, context: TaskContext): Promise<QuantilesOutput> {
  const stream = await openTensor(plan, context.signal);
  try {
    return { quantiles: await selectQuantiles(stream, request, context) };
  } finally {
    await stream.close();
  }
}
