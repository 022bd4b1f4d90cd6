import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import { dtypeBytes } from '../../../shared/model/dtype';
import { formatShape } from '../../../shared/model/shape';
import { alignedBytes } from '../../bytes/alignedBytes';
import type { ArrayToWrite } from './arrayToWrite';
import type { SlabGrid } from './slabGrid';

/**
 * The chunks of an array, one after the other and in the same buffer: a chunk is valid until the next one is asked for. Where the array
 * ends inside a chunk, the rest is zero.
 * @throws CheckpointError internal when the array gives fewer or more bytes than its shape says; cancelled
 */
export async function* fillChunks(array: ArrayToWrite, grid: SlabGrid, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const item = dtypeBytes(array.dtype);
  const buffer = alignedBytes(grid.total === 0 ? 0 : grid.chunkElements * item);
  let chunk = 0;
  let filled = 0;
  for await (const block of array.blocks(signal)) {
    for (let read = 0; read < block.byteLength; ) {
      if (chunk === grid.total) throw wrongLength(array, 'more');
      const bytes = grid.elementsIn(chunk) * item;
      const part = block.subarray(read, read + bytes - filled);
      buffer.set(part, filled);
      read += part.byteLength;
      filled += part.byteLength;
      if (filled < bytes) continue;
      throwIfCancelled(signal);
      buffer.fill(0, bytes);
      yield buffer;
      chunk++;
      filled = 0;
    }
  }
  if (chunk < grid.total) throw wrongLength(array, 'fewer');
}

function wrongLength({ dtype, shape }: ArrayToWrite, how: 'fewer' | 'more'): CheckpointError {
  return new CheckpointError('internal', `An array of ${dtype} ${formatShape(shape)} was to be stored, but ${how} bytes came.`);
}
