import { formatBytes } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';
import { dtypeBytes } from '../../../shared/model/dtype';
import { contiguousStrides, elementCount, type Shape } from '../../../shared/model/shape';
import type { SourceRef } from '../../bytes/byteSource';
import type { TensorRef } from '../../tensors/tensorRef';
import type { TensorDescription } from './rebuildTensor';
import type { StorageTable } from './storage';

/**
 * Strides of 0 make a tensor of any size from one element. Expanded tensors in real files are masks of some megabytes; one beyond
 * this and beyond its own storage would keep us busy for hours with nothing to see.
 */
const MAX_EXPANDED_BYTES = 16 * 1024 ** 3;

export interface PlacedTensor {
  readonly ref: TensorRef;
  /** The same text for tensors with the same storage, place, shape and strides. */
  readonly identity: string;
}

/** @throws CheckpointError when the storage is not there or an element would lie outside of it. */
export function placeTensor(tensor: TensorDescription, storages: StorageTable, source: SourceRef): PlacedTensor {
  const storage = storages.locate(tensor.storage);
  const { dtype, shape } = tensor;
  const size = dtypeBytes(dtype);
  const place = { offset: storage.offset };
  const strides = isContiguous(shape, tensor.strides) ? null : tensor.strides;
  if (elementCount(shape) > 0) {
    const end = (tensor.offset + reach(shape, tensor.strides) + 1) * size;
    if (!Number.isSafeInteger(end) || end > storage.bytes) {
      throw new CheckpointError('malformed', `The tensor needs the first ${end} bytes of its storage, which has only ${storage.bytes}.`, { place });
    }
  }
  const bytes = elementCount(shape) * size;
  if (bytes > MAX_EXPANDED_BYTES && bytes > storage.bytes) {
    throw new CheckpointError(
      'too-large',
      `The tensor repeats the ${formatBytes(storage.bytes)} of its storage until it has ${formatBytes(bytes)}; up to ${formatBytes(MAX_EXPANDED_BYTES)} are read.`,
      { place },
    );
  }
  // An empty tensor may say that it starts anywhere; nothing of it is read.
  const offset = elementCount(shape) === 0 ? storage.offset : storage.offset + tensor.offset * size;
  const ref: TensorRef = { dtype, shape, source, offset, strides, bigEndian: storages.bigEndian && size > 1 };
  return { ref, identity: JSON.stringify([storage.identity, offset, dtype, shape, strides]) };
}

/** The farthest element from the first one; strides of axes with one element do not matter. May be beyond 2^53, then it is not exact. */
function reach(shape: Shape, strides: readonly number[]): number {
  return shape.reduce((sum, extent, axis) => sum + (extent - 1) * (strides[axis] ?? 0), 0);
}

function isContiguous(shape: Shape, strides: readonly number[]): boolean {
  if (shape.includes(0)) return true;
  const steps = contiguousStrides(shape);
  return shape.every((extent, axis) => extent === 1 || strides[axis] === steps[axis]);
}
