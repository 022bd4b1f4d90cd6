import type { TensorStream } from '../tensors/tensorStream';
import { placed, readSteps } from './chainSteps';
import { foldChain } from './foldChain';
import { openStoredObject } from './openStoredObject';
import { requireMember } from './readMember';
import type { UpdateChain } from './updateChain';

/**
 * Opens the value of a chain. All objects are verified and their headers checked now; the values are computed window by window while
 * blocks are read, with at most two objects open. Element type and shape are what NumPy gives, not what the metadata says.
 * @throws CheckpointError missing-object, corrupt-object, malformed, unsupported-format, too-large, cancelled
 */
export async function openChain(chain: UpdateChain, signal?: AbortSignal): Promise<TensorStream> {
  const steps = await readSteps(chain, openStoredObject, signal);
  const { dtype, shape } = steps.increments[steps.increments.length - 1]?.result ?? steps.header;
  const base = await openStoredObject(steps.base.object, signal).catch((error: unknown) => {
    throw placed(error, chain, steps.base);
  });
  const array = requireMember(base.members, 'parameter');
  return { dtype, shape, blocks: (cancel) => foldChain({ chain, steps, base: array }, cancel), close: () => base.close() };
}
