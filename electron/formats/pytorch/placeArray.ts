import { formatBytes } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';
import type { SourceRef } from '../../bytes/byteSource';
import type { TensorRef } from '../../tensors/tensorRef';
import type { OpenedContainer } from './container';
import type { ArrayDescription } from './rebuildArray';

/** Arrays that cannot be read in place are kept in memory for as long as the checkpoint is open: random states and class weights fit. */
const MAX_COPIED_BYTES = 1024 * 1024;

/**
 * A NumPy array in the pickle: read from the file where its bytes lie there as they are, else (bytes written as text, compressed
 * pickle) from a copy.
 * @throws CheckpointError `too-large` when it would be too much to copy.
 */
export function placeArray(array: ArrayDescription, { pickleBytes, pickleOffset }: OpenedContainer, file: SourceRef): TensorRef {
  const { dtype, shape, bytes, bigEndian, fortranOrder } = array;
  const strides = fortranOrder && shape.length > 1 ? fortranStrides(shape) : null;
  const rest = { dtype, shape, strides, bigEndian };
  if (pickleOffset !== null && bytes.buffer === pickleBytes.buffer) {
    return { ...rest, source: file, offset: pickleOffset + bytes.byteOffset - pickleBytes.byteOffset };
  }
  if (bytes.byteLength > MAX_COPIED_BYTES) {
    throw new CheckpointError(
      'too-large',
      `This NumPy array of ${formatBytes(bytes.byteLength)} is written inside the pickle in a way that would have to be kept in memory; up to ${formatBytes(MAX_COPIED_BYTES)} are read.`,
    );
  }
  return { ...rest, source: { kind: 'memory', bytes: Uint8Array.from(bytes) }, offset: 0 };
}

function fortranStrides(shape: readonly number[]): number[] {
  let step = 1;
  return shape.map((extent) => {
    const stride = step;
    step *= extent;
    return stride;
  });
}
