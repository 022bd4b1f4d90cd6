import { CheckpointError } from '../../../shared/contract/errors';
import { dtypeBytes } from '../../../shared/model/dtype';
import { contiguousStrides, possibleTensorBytes } from '../../../shared/model/shape';
import { openFileSource } from '../../bytes/fileSource';
import { NPY_PREFIX_BYTES, npyHeaderBytes, parseNpyHeader } from '../../encodings/npy/npyHeader';
import { parseDescr } from '../../encodings/npy/npyTypes';
import type { TensorRef } from '../../tensors/tensorRef';
import type { NewTensor } from './newTensor';
import { refTensor } from './refTensor';

/**
 * The array of an .npy file as a value for a model (numpy.lib.format, versions 1.0 to 3.0). In C order and little-endian its elements stay
 * in the file.
 * @throws CheckpointError malformed, truncated, unsupported-format, too-large, not-found, permission, cancelled
 */
export async function npyTensor(path: string, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<NewTensor> {
  return refTensor(await npyRef(path), path, options);
}

/** Where the elements of an .npy file lie. @throws CheckpointError as npyTensor */
export async function npyRef(path: string): Promise<TensorRef> {
  const place = { file: path };
  const source = await openFileSource(path);
  try {
    const prefix = await source.read(0, Math.min(source.length, NPY_PREFIX_BYTES));
    const headerBytes = npyHeaderBytes(prefix, place);
    const header = parseNpyHeader(await source.read(0, headerBytes), place);
    const type = header.descr === null ? null : parseDescr(header.descr);
    if (type === null) {
      throw new CheckpointError('unsupported-format', `The array has the type ${header.descr ?? 'of records'}, which no tensor can have.`, { place });
    }
    const needs = possibleTensorBytes(type.dtype, header.shape);
    if (needs === null || headerBytes + needs > source.length) {
      const what = needs === null ? 'more bytes than any file' : `${needs} bytes`;
      throw new CheckpointError(
        'truncated',
        `The array's shape [${header.shape.join(', ')}] needs ${what}, but ${source.length - headerBytes} follow its header.`,
        { place },
      );
    }
    const strides = header.fortranOrder ? contiguousStrides(header.shape.toReversed()).toReversed() : null;
    return {
      ...type,
      bigEndian: type.bigEndian && dtypeBytes(type.dtype) > 1,
      shape: header.shape,
      source: { kind: 'file', path },
      offset: headerBytes,
      strides,
    };
  } finally {
    await source.close();
  }
}
