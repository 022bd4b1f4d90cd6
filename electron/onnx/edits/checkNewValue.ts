import type { Piece } from '../../bytes/pieces';
import { countOf, elementType, elementTypeName, rawBytes, STRING, typeAndShape } from '../values/elementTypes';
import { contentLength, type NewTensor } from '../values/newTensor';

/** Why a value cannot be written into a model, in a sentence; `null` when it can. */
export function refusedValue(value: NewTensor): string | null {
  const type = elementType(value.type);
  if (type === null) return `Values of ${elementTypeName(value.type)} cannot be written: the type is not known.`;
  if (countOf(value.dims) === null) return `No tensor can have the shape [${value.dims.join(', ')}].`;
  if (value.type === STRING)
    return value.data.kind === 'repeat' ? null : 'Texts are never raw bytes: a text tensor can only be set to one text for all its elements.';
  const needs = rawBytes(value.type, value.dims);
  const has = contentLength(value);
  return needs === has
    ? null
    : `The new value has ${has ?? 'an unknown number of'} bytes, but ${typeAndShape(value.type, value.dims)} needs ${needs ?? 'more than any file has'}.`;
}

/** The same value with the bits behind the last element of less than a byte zero, where it is in memory. */
export function withZeroPadding(value: NewTensor): NewTensor {
  const bits = elementType(value.type)?.bits ?? 0;
  const used = bits >= 8 || bits === 0 ? 0 : (countOf(value.dims) ?? 0) % (8 / bits);
  if (used === 0 || value.data.kind !== 'new') return value;
  const bytes = value.data.bytes.slice();
  const last = bytes.byteLength - 1;
  bytes[last] = (bytes[last] ?? 0) & (2 ** (used * bits) - 1);
  const data: Piece = { kind: 'new', bytes };
  return { ...value, data };
}
