import type { DType } from '../../../shared/model/dtype';
import { type Shape, tensorBytes } from '../../../shared/model/shape';
import { createNormAccumulator, type MatrixNorms } from '../../tensors/normAccumulator';
import { createValueReader } from '../../tensors/statisticsValues';
import { openTensor } from '../../updates/openTensor';
import type { TensorPlan } from '../../updates/updateChain';
import { forEachBlock } from './forEachBlock';
import type { TaskContext } from './task';

export interface NormsInput {
  readonly plan: TensorPlan;
}

export interface NormsOutput extends MatrixNorms {
  readonly dtype: DType;
  readonly shape: Shape;
}

/** Euclidean norms of the rows and columns of a tensor seen as a matrix (leading axes × last axis). */
export async function norms({ plan }: NormsInput, context: TaskContext): Promise<NormsOutput> {
  const stream = await openTensor(plan, context.signal);
  try {
    const accumulator = createNormAccumulator(stream.shape);
    const readValues = createValueReader(stream.dtype);
    await forEachBlock(stream, (block) => readValues(block, accumulator.add), { context, before: 0, total: tensorBytes(stream.dtype, stream.shape) });
    return { dtype: stream.dtype, shape: stream.shape, ...accumulator.finish() };
  } finally {
    await stream.close();
  }
}
