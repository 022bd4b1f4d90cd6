import { openRef } from '../tensors/openRef';
import type { TensorStream } from '../tensors/tensorStream';
import { openChain } from './openChain';
import type { TensorPlan } from './updateChain';

/**
 * Opens the value of a parameter group wherever it comes from, in bounded memory.
 * @throws CheckpointError whatever opening a file or a chain of objects can give, with the group named
 */
export async function openTensor(plan: TensorPlan, signal?: AbortSignal): Promise<TensorStream> {
  return plan.kind === 'ref' ? openRef(plan.ref, plan.group) : openChain(plan.chain, signal);
}
