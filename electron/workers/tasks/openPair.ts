import { CheckpointError } from '../../../shared/contract/errors';
import type { DType } from '../../../shared/model/dtype';
import { dtypeBytes } from '../../../shared/model/dtype';
import { contiguousStrides, elementCount, formatShape, type Shape, sameShape } from '../../../shared/model/shape';
import { comparedType } from '../../tensors/comparison/comparedType';
import type { TensorStream } from '../../tensors/tensorStream';
import { openTensor } from '../../updates/openTensor';
import type { TensorPlan } from '../../updates/updateChain';

/** A stretch of a tensor in C order, in elements. */
export interface ElementRange {
  readonly from: number;
  readonly count: number;
}

export interface PairPlans {
  readonly before: TensorPlan;
  readonly after: TensorPlan;
  /** Only these elements: both plans must be plain (`isPlain`). `null`: all. */
  readonly range: ElementRange | null;
}

/** Two tensors of one shape, open. The shape is that of the whole tensors, also where the streams hold a range of them. */
export interface OpenPair {
  readonly before: TensorStream;
  readonly after: TensorStream;
  readonly shape: Shape;
  /** Elements that the streams hold, and the place of the first one. */
  readonly elements: number;
  readonly from: number;
  readonly comparedAs: DType;
  close(): Promise<void>;
}

/** Whether the elements lie one after the other, so that any range of them can be read by itself. */
export function isPlain(plan: TensorPlan): boolean {
  if (plan.kind !== 'ref') return false;
  const { strides, shape } = plan.ref;
  return strides === null || contiguousStrides(shape).every((stride, axis) => stride === strides[axis]);
}

/**
 * Opens both sides of a comparison.
 * @throws CheckpointError `invalid-request` when the shapes differ: there is no element to compare an element with; what opening throws
 */
export async function openPair({ before, after, range }: PairPlans, signal: AbortSignal): Promise<OpenPair> {
  const now = await openTensor(narrowed(after, range), signal);
  try {
    const old = await openTensor(narrowed(before, range), signal);
    const close = async () => {
      await Promise.all([old.close(), now.close()]);
    };
    const shape = range === null ? now.shape : shapeOf(after, now.shape);
    const other = range === null ? old.shape : shapeOf(before, old.shape);
    if (!sameShape(shape, other)) {
      await old.close();
      throw new CheckpointError('invalid-request', `Shapes differ: ${formatShape(other)} against ${formatShape(shape)}.`, {
        place: { group: after.kind === 'ref' ? after.group : after.chain.group },
        hint: 'Only tensors of one shape are compared element by element.',
      });
    }
    return { before: old, after: now, shape, elements: elementCount(now.shape), from: range?.from ?? 0, comparedAs: comparedType(old.dtype, now.dtype), close };
  } catch (error) {
    await now.close();
    throw error;
  }
}

function narrowed(plan: TensorPlan, range: ElementRange | null): TensorPlan {
  if (range === null) return plan;
  if (plan.kind !== 'ref' || !isPlain(plan)) throw new CheckpointError('internal', 'Only a plain tensor can be read in ranges.');
  const { ref } = plan;
  if (range.from + range.count > elementCount(ref.shape)) throw new CheckpointError('internal', 'The range ends behind the tensor.');
  const offset = ref.offset + range.from * dtypeBytes(ref.dtype);
  return { ...plan, ref: { ...ref, shape: [range.count], strides: null, offset } };
}

function shapeOf(plan: TensorPlan, otherwise: Shape): Shape {
  return plan.kind === 'ref' ? plan.ref.shape : otherwise;
}
