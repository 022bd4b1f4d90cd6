import type { Piece } from '../../bytes/pieces';
import { concat, encodeField, encodeTextField, encodeVarint, encodeVarintField } from '../../encodings/protobuf/encodeField';
import type { WireEdit } from '../../encodings/protobuf/frame';
import type { OnnxTensor, OnnxValueInfo } from '../model/onnxModel';
import { countOf } from '../values/elementTypes';
import { contentPieces, type NewTensor, repeatedText } from '../values/newTensor';
import { bytesPiece, fieldPieces, replaceSite, replaceSites } from './wireEdits';

/** Fields of TensorProto. */
const DIMS = 1;
const DATA_TYPE = 2;
const STRING_DATA = 6;
const NAME = 8;
const RAW_DATA = 9;
const EXTERNAL_DATA = 13;
const DATA_LOCATION = 14;
const EXTERNAL = 1;
/** What an entry of external_data means; `checksum` is of the file that is left, `basepath` of where a program once found it. */
const KNOWN_KEYS: ReadonlySet<string> = new Set(['location', 'offset', 'length', 'checksum', 'basepath']);
const RUN_BYTES = 1024 * 1024;

/** Where a tensor's values are in a file beside the model. */
export interface ExternalPlace {
  readonly location: string;
  readonly offset: number;
  readonly length: number;
}

/** The fields that hold a value inside the model; none when it has no elements. */
export function valueFields(value: NewTensor): Piece[] {
  const texts = repeatedText(value);
  if (texts !== null) return repeatedField(encodeField(STRING_DATA, texts.text), texts.count);
  return countOf(value.dims) === 0 ? [] : fieldPieces(RAW_DATA, contentPieces(value));
}

/** The same field again and again, as views of one buffer. */
function repeatedField(field: Uint8Array, count: number): Piece[] {
  const inRun = Math.max(1, Math.min(count, Math.floor(RUN_BYTES / field.byteLength)));
  const run = concat(Array.from({ length: inRun }, () => field));
  const pieces: Piece[] = [];
  for (let done = 0; done < count; done += inRun) pieces.push(bytesPiece(run.subarray(0, Math.min(inRun, count - done) * field.byteLength)));
  return pieces;
}

/** The fields that say that a value is in another file; entries with keys that we do not know are kept. */
export function externalFields(place: ExternalPlace, tensor: OnnxTensor | null): Uint8Array<ArrayBuffer> {
  const entry = (key: string, value: string) => encodeField(EXTERNAL_DATA, concat([encodeTextField(1, key), encodeTextField(2, value)]));
  const kept = tensor?.external?.entries.filter(({ key }) => !KNOWN_KEYS.has(key)) ?? [];
  return concat([
    entry('location', place.location),
    entry('offset', String(place.offset)),
    entry('length', String(place.length)),
    ...kept.map(({ key, value }) => entry(key, value)),
    encodeVarintField(DATA_LOCATION, EXTERNAL),
  ]);
}

/** A whole TensorProto. */
export function tensorContent(name: string, value: NewTensor): Piece[] {
  const head = [encodeDims(value.dims), encodeVarintField(DATA_TYPE, value.type), ...(name === '' ? [] : [encodeTextField(NAME, name)])];
  return [bytesPiece(concat(head)), ...valueFields(value)];
}

export function encodeDims(dims: readonly number[]): Uint8Array<ArrayBuffer> {
  return concat(dims.map((dim) => encodeVarintField(DIMS, dim)));
}

/**
 * Puts other fields in the place of all that hold a tensor's value (raw_data, typed fields, external_data with data_location), where the first
 * of them stood.
 */
export function replaceValue(tensor: OnnxTensor, insert: readonly Piece[]): WireEdit[] {
  const { frame, valueSites } = tensor;
  return replaceSites(frame, valueSites, { insert, fallback: frame.end });
}

/** Writes type and shape, each only when it changes. */
export function replaceTypeAndShape(tensor: OnnxTensor, value: NewTensor): WireEdit[] {
  const { frame, typeSite, dimSites } = tensor;
  const edits: WireEdit[] = [];
  if (tensor.type !== value.type) {
    const insert = [bytesPiece(encodeVarintField(DATA_TYPE, value.type))];
    edits.push(typeSite === null ? { frame, offset: frame.start, remove: 0, insert } : replaceSite(typeSite, insert));
  }
  if (tensor.dims.join() !== value.dims.join())
    edits.push(...replaceSites(frame, dimSites, { insert: [bytesPiece(encodeDims(value.dims))], fallback: frame.start }));
  return edits;
}

/** TypeProto of a tensor whose every extent is known. */
function encodeTensorType(type: number, dims: readonly number[]): Uint8Array<ArrayBuffer> {
  const shape = encodeField(2, concat(dims.map((dim) => encodeField(1, concat([encodeVarint(1 * 8), encodeVarint(dim)])))));
  return encodeField(1, concat([encodeVarintField(1, type), shape]));
}

/** ValueInfoProto of a tensor. */
export function valueInfoContent(name: string, value: { readonly type: number; readonly dims: readonly number[] }): Uint8Array<ArrayBuffer> {
  return concat([encodeTextField(1, name), encodeField(2, encodeTensorType(value.type, value.dims))]);
}

/** Gives a value's entry among inputs, outputs or value_info the type of a tensor. */
export function replaceType(info: OnnxValueInfo, value: { readonly type: number; readonly dims: readonly number[] }): WireEdit {
  const insert = [bytesPiece(encodeField(2, encodeTensorType(value.type, value.dims)))];
  return info.typeSite === null ? { frame: info.frame, offset: info.frame.end, remove: 0, insert } : replaceSite(info.typeSite, insert);
}
