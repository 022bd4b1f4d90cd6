import { piecesLength } from '../../bytes/pieces';
import { concat, encodeField, encodeTextField, encodeVarint, encodeVarintField } from '../../encodings/protobuf/encodeField';
import type { WireEdit } from '../../encodings/protobuf/frame';
import type { OnnxAttribute } from '../model/onnxModel';
import { contentPieces, type NewTensor, repeatedText } from '../values/newTensor';
import { attributeType } from './constantNode';
import { tensorContent } from './tensorFields';
import { bytesPiece, fieldPieces, replaceSites } from './wireEdits';

/** AttributeProto.AttributeType. */
const FLOAT = 1;
const INT = 2;
const STRING = 3;
const TENSOR = 4;
const FLOATS = 6;
const INTS = 7;
const STRINGS = 8;
/** Lists of more than this many bytes are better a tensor. */
const MAX_LIST_BYTES = 1024 * 1024;

/**
 * Writes a value into the attribute of a Constant that is no tensor. It keeps its kind (value_float, value_ints ...) where the new value fits
 * and is in memory, otherwise it becomes the attribute `value`, which means the same.
 */
export function setConstant(attribute: OnnxAttribute, value: NewTensor): { readonly edits: WireEdit[]; readonly attribute: string } {
  const same = sameKind(attribute, value);
  const content = same ?? [bytesPiece(encodeTextField(1, 'value')), ...fieldPieces(5, tensorContent('', value)), bytesPiece(encodeVarintField(20, TENSOR))];
  return {
    edits: replaceSites(attribute.frame, attribute.sites, { insert: content, fallback: attribute.frame.end }),
    attribute: same === null ? 'value' : attribute.name,
  };
}

function sameKind({ name, ...attribute }: OnnxAttribute, value: NewTensor) {
  const present = attributeType({ name, ...attribute });
  const isList = name.endsWith('s') && name !== 'value';
  if (present === null || name === 'sparse_value' || present.type !== value.type || value.dims.length !== (isList ? 1 : 0)) return null;
  const head = encodeTextField(1, name);
  const texts = repeatedText(value);
  if (texts !== null) {
    if (texts.count * (texts.text.byteLength + 5) > MAX_LIST_BYTES) return null;
    const fields = Array.from({ length: texts.count }, () => encodeField(isList ? 9 : 4, texts.text));
    return [bytesPiece(concat([head, ...fields, encodeVarintField(20, isList ? STRINGS : STRING)]))];
  }
  const bytes = contentInMemory(value);
  if (bytes === null) return null;
  if (value.type === 1) {
    const fields = isList ? [encodeField(7, bytes), encodeVarintField(20, FLOATS)] : [encodeVarint(2 * 8 + 5), bytes, encodeVarintField(20, FLOAT)];
    return [bytesPiece(concat([head, ...fields]))];
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const integers = Array.from({ length: bytes.byteLength / 8 }, (_, i) => view.getBigInt64(8 * i, true));
  const fields = isList
    ? [encodeField(8, concat(integers.map(encodeVarint))), encodeVarintField(20, INTS)]
    : [encodeVarintField(3, integers[0] ?? 0n), encodeVarintField(20, INT)];
  return [bytesPiece(concat([head, ...fields]))];
}

function contentInMemory(value: NewTensor): Uint8Array | null {
  const pieces = contentPieces(value);
  if (piecesLength(pieces) > MAX_LIST_BYTES) return null;
  const parts: Uint8Array[] = [];
  for (const piece of pieces) {
    if (piece.kind !== 'new') return null;
    parts.push(piece.bytes);
  }
  return concat(parts);
}
