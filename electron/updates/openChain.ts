import { throwIfCancelled } from '../../shared/contract/cancelled';
import type { ZarrArray } from '../encodings/zarr/openZarrObject';
import { bytesOf } from '../tensors/kernels/lanes';
import { BLOCK_BYTES, type TensorStream } from '../tensors/tensorStream';
import { atStep, readSteps, splitChain } from './chainSteps';
import { type FoldedValue, foldAtOnce } from './foldAtOnce';
import { foldChain } from './foldChain';
import { openKeptObject, openStoredObject } from './openStoredObject';
import { requireMember } from './readMember';
import type { UpdateChain } from './updateChain';

/**
 * Opens the value of a chain. All objects are verified and their headers checked now. A small value is computed now as well and stays in memory
 * until it is closed; a large one is computed window by window while blocks are read, with at most two objects open. Element type and shape are
 * what NumPy gives, not what the metadata says.
 * @throws CheckpointError missing-object, corrupt-object, malformed, unsupported-format, too-large, cancelled
 */
export async function openChain(chain: UpdateChain, signal?: AbortSignal): Promise<TensorStream> {
  const { base, rest } = splitChain(chain);
  const object = await atStep(chain, base, () => openStoredObject(base.object, signal));
  try {
    const array = await atStep(chain, base, () => requireMember(object.members, 'parameter'));
    const close = () => object.close();
    if (rest.length === 0) {
      const steps = { base, header: array, increments: [] };
      return { dtype: array.dtype, shape: array.shape, blocks: (cancel) => foldChain({ chain, steps, base: array }, cancel), close };
    }
    const folded = await foldAtOnce(chain, array, { step: base, rest, signal });
    if (folded !== null) {
      await object.close();
      return inMemory(folded);
    }
    return { ...(await openInWindows(chain, array, signal)), close };
  } catch (error) {
    await object.close();
    throw error;
  }
}

/** A value that is computed anew, window by window, whenever its blocks are read. @param base array of the chain's first object, which stays open */
export async function openInWindows(chain: UpdateChain, base: ZarrArray, signal?: AbortSignal): Promise<Omit<TensorStream, 'close'>> {
  const steps = await readSteps(chain, openKeptObject, signal);
  const { dtype, shape } = steps.increments[steps.increments.length - 1]?.result ?? steps.header;
  return { dtype, shape, blocks: (cancel) => foldChain({ chain, steps, base }, cancel) };
}

function inMemory({ dtype, shape, lanes }: FoldedValue): TensorStream {
  let bytes = bytesOf(lanes);
  return {
    dtype,
    shape,
    inMemory: true,
    async *blocks(signal) {
      for (let at = 0; at < bytes.byteLength; at += BLOCK_BYTES) {
        throwIfCancelled(signal);
        yield bytes.subarray(at, at + BLOCK_BYTES);
      }
    },
    close: async () => {
      bytes = new Uint8Array(0);
    },
  };
}
