import { throwIfCancelled } from '../../shared/contract/cancelled';
import { CheckpointError, type ErrorPlace } from '../../shared/contract/errors';
import { dtypeBytes } from '../../shared/model/dtype';
import { elementCount } from '../../shared/model/shape';
import type { ByteSource } from '../bytes/byteSource';
import { leaseBytes } from '../bytes/leaseBytes';
import { openSource } from '../bytes/openSource';
import { readInto } from '../bytes/readInto';
import { gatherBlocks } from './gather';
import { type Axis, layoutAxes, reach } from './layoutAxes';
import { swapBytes } from './swapBytes';
import type { TensorRef } from './tensorRef';
import { BLOCK_BYTES, type TensorStream } from './tensorStream';

/**
 * Opens what a TensorRef names and reads it in blocks of at most BLOCK_BYTES: contiguous tensors by plain range reads into one
 * buffer, others gathered band by band (see gather.ts). Every element is checked to lie inside the source before any is read.
 * @param group joined name, for error messages.
 * @throws CheckpointError not-found, permission, truncated; malformed when shape and strides do not belong together.
 */
export async function openRef(ref: TensorRef, group: string): Promise<TensorStream> {
  const place: ErrorPlace = { ...(ref.source.kind === 'file' ? { file: ref.source.path } : {}), group, offset: ref.offset };
  const source = await openSource(ref.source).catch((error: unknown) => {
    throw CheckpointError.from(error).at(place);
  });
  try {
    const axes = checkedAxes(ref, source.length);
    return {
      dtype: ref.dtype,
      shape: ref.shape,
      blocks: (signal) => placed(axes === null ? nothing() : readBlocks(ref, source, { axes, signal }), place),
      fill: isPlain(axes) && !ref.bigEndian ? fillFrom(source, ref.offset, place) : undefined,
      close: () => source.close(),
    };
  } catch (error) {
    await source.close();
    throw CheckpointError.from(error).at(place);
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Names group and file in whatever goes wrong while the blocks are read. */
async function* placed(blocks: AsyncIterable<Uint8Array>, place: ErrorPlace): AsyncGenerator<Uint8Array> {
  try {
    yield* blocks;
  } catch (error) {
    throw CheckpointError.from(error).at(place);
  }
}

/** The joined axes of a ref whose every element lies inside the source; `null` for a tensor without elements. */
function checkedAxes(ref: TensorRef, length: number): Axis[] | null {
  const { shape, strides } = ref;
  if (strides !== null && (strides.length !== shape.length || !strides.every(Number.isSafeInteger))) {
    throw new CheckpointError('malformed', `The shape [${shape.join(', ')}] and the strides [${strides.join(', ')}] do not belong together.`);
  }
  let elements: number;
  try {
    elements = elementCount(shape);
  } catch (error) {
    throw new CheckpointError('malformed', error instanceof Error ? `${error.message}.` : String(error));
  }
  if (elements === 0) return null;
  const axes = layoutAxes(shape, strides);
  const { low, high } = reach(axes);
  const item = dtypeBytes(ref.dtype);
  const begin = ref.offset + low * item;
  const end = ref.offset + (high + 1) * item;
  if (!Number.isSafeInteger(ref.offset) || !Number.isSafeInteger(begin) || !Number.isSafeInteger(end) || begin < 0 || end > length) {
    throw new CheckpointError('truncated', `The tensor needs the bytes ${begin} to ${end}, but the file has ${length}.`);
  }
  return axes;
}

/** Whether elements lie one after the other. */
function isPlain(axes: readonly Axis[] | null): axes is readonly Axis[] {
  return axes !== null && (axes.length === 0 || (axes.length === 1 && axes[0]?.stride === 1));
}

function fillFrom(source: ByteSource, offset: number, place: ErrorPlace): TensorStream['fill'] {
  const read = source.readIntoSync;
  if (read === undefined) return undefined;
  return (at, into) => {
    try {
      read(offset + at, into);
    } catch (error) {
      throw CheckpointError.from(error).at(place);
    }
  };
}

function readBlocks(ref: TensorRef, source: ByteSource, options: { axes: readonly Axis[]; signal: AbortSignal | undefined }): AsyncIterable<Uint8Array> {
  const { axes, signal } = options;
  if (isPlain(axes)) {
    return contiguousBlocks(ref, source, { bytes: (axes[0]?.extent ?? 1) * dtypeBytes(ref.dtype), signal });
  }
  return gatherBlocks(ref, source, { axes, signal });
}

/** BLOCK_BYTES is a multiple of every element size, so blocks are whole elements. */
async function* contiguousBlocks(ref: TensorRef, source: ByteSource, options: { bytes: number; signal: AbortSignal | undefined }): AsyncGenerator<Uint8Array> {
  const { bytes, signal } = options;
  // A source without readInto gives views, which are not ours to change: big-endian elements are swapped in a copy.
  const lease = source.readInto === undefined && !ref.bigEndian ? null : leaseBytes(Math.min(bytes, BLOCK_BYTES));
  try {
    for (let done = 0; done < bytes; done += BLOCK_BYTES) {
      throwIfCancelled(signal);
      const size = Math.min(BLOCK_BYTES, bytes - done);
      let block: Uint8Array;
      if (lease === null) {
        block = await source.read(ref.offset + done, size);
      } else {
        block = lease.bytes.subarray(0, size);
        await readInto(source, ref.offset + done, block);
        if (ref.bigEndian) swapBytes(ref.dtype, block);
      }
      throwIfCancelled(signal);
      yield block;
    }
  } finally {
    lease?.release();
  }
}
