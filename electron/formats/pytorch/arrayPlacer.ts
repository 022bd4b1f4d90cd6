import { formatBytes } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';
import type { SourceRef } from '../../bytes/byteSource';
import type { TensorRef } from '../../tensors/tensorRef';
import type { OpenedContainer } from './container';
import type { ArrayDescription } from './rebuildArray';

/**
 * All arrays of a checkpoint that cannot be read in place are kept in memory for as long as it is open: random states and class
 * weights fit.
 */
const MAX_COPIED_BYTES = 4 * 1024 * 1024;

/**
 * Places NumPy arrays of the pickle: read from the file where their bytes lie there as they are, else (bytes written as text,
 * compressed pickle) from a copy.
 */
export class ArrayPlacer {
  readonly #container: OpenedContainer;
  readonly #file: SourceRef;
  #copied = 0;

  constructor(container: OpenedContainer, file: SourceRef) {
    this.#container = container;
    this.#file = file;
  }

  /** @throws CheckpointError `too-large` when too much would have to be copied, `malformed` when text stands for no bytes. */
  place({ dtype, shape, data, bytes, bigEndian, fortranOrder }: ArrayDescription): TensorRef {
    const strides = fortranOrder && shape.length > 1 ? fortranStrides(shape) : null;
    const rest = { dtype, shape, strides, bigEndian };
    const { pickleBytes, pickleOffset } = this.#container;
    if (pickleOffset !== null && data.kind === 'bytes') {
      return { ...rest, source: this.#file, offset: pickleOffset + data.value.byteOffset - pickleBytes.byteOffset };
    }
    this.#copied += bytes;
    if (this.#copied > MAX_COPIED_BYTES) {
      throw new CheckpointError(
        'too-large',
        `This NumPy array of ${formatBytes(bytes)} is written inside the pickle in a way that would have to be kept in memory; up to ${formatBytes(MAX_COPIED_BYTES)} of such arrays are read.`,
      );
    }
    const raw = data.kind === 'bytes' ? data.value : Buffer.from(data.value, 'latin1');
    if (data.kind === 'string' && Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1') !== data.value) {
      throw new CheckpointError('malformed', 'The text that stands for the bytes of this NumPy array has characters that are no bytes.');
    }
    // A copy of its own: the bytes may be a part of a larger buffer, which would be kept and sent along.
    const copy = Uint8Array.from(raw);
    return { ...rest, source: { kind: 'memory', bytes: copy }, offset: 0 };
  }
}

function fortranStrides(shape: readonly number[]): number[] {
  let step = 1;
  return shape.map((extent) => {
    const stride = step;
    step *= extent;
    return stride;
  });
}
