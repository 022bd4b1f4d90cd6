import { formatBytes } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';
import { dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { contiguousStrides, sameShape, tensorBytes } from '../../../shared/model/shape';
import { openRef } from '../../tensors/openRef';
import type { TensorRef } from '../../tensors/tensorRef';
import { elementTypeOf } from './elementTypes';
import type { NewTensor } from './newTensor';

/** Elements that must be put into another order are held in memory. */
const MAX_GATHERED_BYTES = 1024 * 1024 * 1024;

/**
 * A tensor of any checkpoint as a value for a model: elements that lie in a file as ONNX wants them stay there, others (strided,
 * big-endian) are read into memory.
 * @param group its name, for error messages
 * @throws CheckpointError unsupported-format (complex32), too-large, not-found, permission, truncated, malformed, cancelled
 */
export async function refTensor(ref: TensorRef, group: string, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<NewTensor> {
  const type = elementTypeOf(ref.dtype);
  if (type === null) throw new CheckpointError('unsupported-format', `ONNX has no type for ${ref.dtype}.`, { place: { group } });
  const { source, shape } = ref;
  const length = tensorBytes(ref.dtype, shape);
  const dims = [...shape];
  if (source.kind === 'file' && isPlain(ref)) {
    // Opening checks that the elements lie inside the file.
    await (await openRef(ref, group)).close();
    return { type, dims, data: { kind: 'file', path: source.path, offset: (source.range?.offset ?? 0) + ref.offset, length } };
  }
  if (length > MAX_GATHERED_BYTES) {
    throw new CheckpointError(
      'too-large',
      `The tensor's ${formatBytes(length)} lie in another order than ONNX's; up to ${formatBytes(MAX_GATHERED_BYTES)} are put in order.`,
      { place: { group }, hint: 'Save it in C order, little-endian.' },
    );
  }
  const stream = await openRef(ref, group);
  try {
    const bytes = new Uint8Array(length);
    let at = 0;
    for await (const block of stream.blocks(options.signal)) {
      bytes.set(block, at);
      at += block.byteLength;
    }
    return { type, dims, data: { kind: 'new', bytes } };
  } finally {
    await stream.close();
  }
}

function isPlain({ dtype, shape, strides, bigEndian }: TensorRef): boolean {
  const swapped = bigEndian && (dtypeKind(dtype) === 'complex' || dtypeBytes(dtype) > 1);
  return !swapped && (strides === null || shape.includes(0) || sameShape(strides, contiguousStrides(shape)));
}
