import type { DType } from '../../../shared/model/dtype';
import { type Shape, tensorBytes } from '../../../shared/model/shape';
import type { SliceView, TensorPreview } from '../../../shared/model/tensorStats';
import { createPreviewAccumulator } from '../../tensors/previewAccumulator';
import { createValueReader } from '../../tensors/statisticsValues';
import { createViewPicker } from '../../tensors/viewPicker';
import { viewRef } from '../../tensors/viewRef';
import { openTensor } from '../../updates/openTensor';
import type { TensorPlan } from '../../updates/updateChain';
import { forEachBlock } from './forEachBlock';
import type { TaskContext } from './task';

export interface SliceInput {
  readonly plan: TensorPlan;
  readonly view: SliceView;
  readonly maxRows: number;
  readonly maxColumns: number;
}

export interface SliceOutput {
  readonly dtype: DType;
  /** Of the whole tensor. */
  readonly shape: Shape;
  readonly preview: TensorPreview;
}

/**
 * Part of a tensor, averaged down to at most `maxRows` × `maxColumns`. Of a tensor in a file only the part is read; a chain of updates is
 * reconstructed as it passes by.
 * @throws CheckpointError `invalid-request` when the part is not inside the tensor
 */
export async function slice({ plan, view, maxRows, maxColumns }: SliceInput, context: TaskContext): Promise<SliceOutput> {
  const most = { rows: maxRows, columns: maxColumns };
  if (plan.kind === 'ref') {
    const part = { ...plan, ref: viewRef(plan.ref, view) };
    const stream = await openTensor(part, context.signal);
    try {
      const preview = createPreviewAccumulator(stream.shape, most);
      const readValues = createValueReader(stream.dtype);
      await forEachBlock(stream, (block) => readValues(block, preview.add), { context, before: 0, total: tensorBytes(stream.dtype, stream.shape) });
      return { dtype: plan.ref.dtype, shape: plan.ref.shape, preview: preview.finish() };
    } finally {
      await stream.close();
    }
  }
  const stream = await openTensor(plan, context.signal);
  try {
    const picker = createViewPicker(stream, view, most);
    await forEachBlock(stream, picker.add, { context, before: 0, total: tensorBytes(stream.dtype, stream.shape) });
    return { dtype: stream.dtype, shape: stream.shape, preview: picker.finish() };
  } finally {
    await stream.close();
  }
}
