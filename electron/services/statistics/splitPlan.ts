import { dtypeBytes } from '../../../shared/model/dtype';
import { elementCount } from '../../../shared/model/shape';
import type { TensorPlan } from '../../updates/updateChain';

/** From this size on the elements of one tensor are shared out among the workers. */
const SPLIT_BYTES = 64 * 1024 * 1024;
/** Smallest part: what it costs to start one is little beside it. */
const PART_BYTES = 16 * 1024 * 1024;
/** Parts for each worker, so that one that is slower holds nobody up for long. */
const PARTS_EACH = 4;

/**
 * A large contiguous tensor of a file as vectors of its elements, in order; `null` for any other, which is read as one: a chain of updates
 * would be reconstructed once for every part.
 */
export function splitPlan(plan: TensorPlan, workers: number): readonly TensorPlan[] | null {
  if (plan.kind !== 'ref' || plan.ref.strides !== null || workers < 2) return null;
  const item = dtypeBytes(plan.ref.dtype);
  const elements = elementCount(plan.ref.shape);
  const bytes = elements * item;
  if (bytes < SPLIT_BYTES) return null;
  const parts = Math.max(workers, Math.min(workers * PARTS_EACH, Math.floor(bytes / PART_BYTES)));
  // Whole groups of elements that kernels take at once.
  const each = Math.ceil(elements / parts / 4096) * 4096;
  const result: TensorPlan[] = [];
  for (let first = 0; first < elements; first += each) {
    const count = Math.min(each, elements - first);
    result.push({ ...plan, ref: { ...plan.ref, shape: [count], offset: plan.ref.offset + first * item } });
  }
  return result;
}
