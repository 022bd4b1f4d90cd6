import { readSteps } from './chainSteps';
import { peekStoredObject } from './openStoredObject';
import type { UpdateChain } from './updateChain';
import type { TensorHeader } from './updateType';

/**
 * Element type and shape that a chain gives, from the headers of its objects alone: what NumPy computes, not what the metadata says.
 * Sizes are verified, contents are not.
 * @throws CheckpointError missing-object, corrupt-object (size), malformed, unsupported-format, cancelled
 */
export async function readChainHeader(chain: UpdateChain, signal?: AbortSignal): Promise<TensorHeader> {
  const { header, increments } = await readSteps(chain, peekStoredObject, signal);
  return increments[increments.length - 1]?.result ?? header;
}
