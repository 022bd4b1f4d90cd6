import { CheckpointError, type ErrorData } from '../../../shared/contract/errors';
import { type DType, isDType } from '../../../shared/model/dtype';
import { possibleTensorBytes, type Shape } from '../../../shared/model/shape';
import type { ReadAhead } from '../../bytes/readAhead';
import { endOf, readHead, readText } from '../../encodings/msgpack/walkMsgpack';
import type { TensorRef } from '../../tensors/tensorRef';
import type { ReadOptions } from '../format';

export type FlaxArray =
  | { readonly kind: 'array'; readonly dtype: DType; readonly shape: Shape; readonly data: TensorRef | ErrorData }
  | { readonly kind: 'other'; readonly typeName: string; readonly shape: Shape };

/** NumPy's limit is 64 axes. */
const MAX_AXES = 64;
const MAX_TYPE_NAME = 256;

/**
 * An array inside an extension of type 1 or 3: a MessagePack list of shape, NumPy's name of the type, and the elements in C order,
 * as `_ndarray_to_bytes` of flax/serialization.py writes it. The name does not tell the byte order; like Flax we take it for little-endian.
 * @throws CheckpointError malformed, truncated
 */
export async function readArray(
  ahead: ReadAhead,
  ext: { readonly next: number; readonly length: number },
  options: ReadOptions & { readonly group: string },
): Promise<FlaxArray> {
  const limit = ext.next + ext.length;
  const place = (offset: number) => ({ file: options.file, group: options.group, offset });
  const fail = (what: string, offset: number) => new CheckpointError('malformed', `The array is broken: ${what}.`, { place: place(offset) });
  const outer = await headInside(ext.next);
  if (outer.kind !== 'array' || outer.count !== 3) throw fail('it is no list of shape, type and data', ext.next);
  const list = await headInside(outer.next);
  if (list.kind !== 'array' || list.count > MAX_AXES) throw fail('its shape is no list', outer.next);
  const shape: number[] = [];
  let at = list.next;
  for (let axis = 0; axis < list.count; axis++) {
    const extent = await headInside(at);
    if (extent.kind !== 'int' || typeof extent.value !== 'number' || extent.value < 0)
      throw fail('its shape holds something that is no whole number from 0', at);
    shape.push(extent.value);
    at = extent.next;
  }
  const type = await headInside(at);
  if ((type.kind !== 'str' && type.kind !== 'bin') || type.length > MAX_TYPE_NAME) throw fail('its type is no name', at);
  const typeAt = at;
  at = endOf(type, limit, place(typeAt));
  const typeName = await readText(ahead, type, place(typeAt));
  const content = await headInside(at);
  if (content.kind !== 'bin' && content.kind !== 'str') throw fail('its data are no bytes', at);
  if (endOf(content, limit, place(at)) !== limit) throw fail('something follows its data', at);
  // NumPy has no complex32, so the name can only be something else's.
  if (!isDType(typeName) || typeName === 'complex32') return { kind: 'other', typeName, shape };
  return { kind: 'array', dtype: typeName, shape, data: dataOf(typeName, shape, content) };

  async function headInside(offset: number) {
    if (offset >= limit) throw fail('it ends too early', offset);
    const head = await readHead(ahead, offset, place(offset));
    if (head.next > limit) throw fail('it ends too early', offset);
    return head;
  }

  function dataOf(dtype: DType, extents: Shape, { next, length }: { readonly next: number; readonly length: number }): TensorRef | ErrorData {
    const needs = possibleTensorBytes(dtype, extents);
    if (needs === length) return { dtype, shape: extents, source: options.ref, offset: next, strides: null, bigEndian: false };
    return new CheckpointError(
      'malformed',
      `The array has ${length} bytes of data, but ${dtype} with the shape [${extents.join(', ')}] needs ${needs ?? 'more than any file has'}.`,
      {
        place: place(next),
      },
    ).toData();
  }
}
