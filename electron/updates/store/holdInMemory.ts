import { tensorBytes } from '../../../shared/model/shape';
import { leaseBytes } from '../../bytes/leaseBytes';
import type { TensorStream } from '../../tensors/tensorStream';

/** Values up to this size stay in memory for all passes over them. */
export const HELD_BYTES = 32 * 1024 * 1024;

/** What several passes look at one after the other is still in the processor's cache then. */
const PIECE_BYTES = 256 * 1024;

/**
 * A value that several passes will read: from memory of this thread, where it lies in a file as it is and is small.
 * @returns a stream to be closed beside the given one, which it does not close @throws CheckpointError what reading throws
 */
export function holdInMemory(value: TensorStream): TensorStream {
  const { dtype, shape, fill } = value;
  const size = tensorBytes(dtype, shape);
  if (fill === undefined || value.inMemory === true || size > HELD_BYTES) return { ...value, close: async () => {} };
  const { bytes, release } = leaseBytes(size);
  try {
    fill(0, bytes);
  } catch (error) {
    release();
    throw error;
  }
  return { dtype, shape, ...streamOf(bytes), close: async () => release() };
}

/** How a value that is in memory is read. */
export function streamOf(bytes: Uint8Array): Pick<TensorStream, 'blocks' | 'inMemory'> {
  return {
    inMemory: true,
    async *blocks() {
      for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
    },
  };
}
