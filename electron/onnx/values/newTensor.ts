import { type Piece, pieceLength } from '../../bytes/pieces';
import { countOf, elementType, rawBytes, STRING } from './elementTypes';

/** A value to put into a model. */
export interface NewTensor {
  /** TensorProto.DataType. */
  readonly type: number;
  readonly dims: readonly number[];
  readonly data: TensorContent;
}

/**
 * Raw little-endian bytes, packed as raw_data has them; or `repeat`: every element is the same. `unit` is one element, a byte full of equal
 * ones for types of less than a byte, or the one text for texts.
 */
export type TensorContent = Piece | { readonly kind: 'repeat'; readonly unit: Uint8Array };

/** A repeated value is written from pieces of about this size, all views of one buffer. */
const RUN_BYTES = 1024 * 1024;

/** Bytes of the content; `null` when the shape cannot be one, or the type is not known or is text. */
export function contentLength(value: NewTensor): number | null {
  return value.data.kind === 'repeat' ? rawBytes(value.type, value.dims) : pieceLength(value.data);
}

/** The content as it stands in raw_data: pad bits are 0. Not for texts. */
export function contentPieces(value: NewTensor): Piece[] {
  const { data } = value;
  if (data.kind !== 'repeat') return pieceLength(data) === 0 ? [] : [data];
  const length = rawBytes(value.type, value.dims) ?? 0;
  if (length === 0) return [];
  const run = repeated(data.unit, Math.min(length, RUN_BYTES - (RUN_BYTES % data.unit.byteLength)));
  const pieces: Piece[] = [];
  for (let at = 0; at < length; at += run.byteLength) pieces.push({ kind: 'new', bytes: run.subarray(0, Math.min(run.byteLength, length - at)) });
  const padded = lastByte(value, data.unit);
  if (padded === null) return pieces;
  const last = pieces.pop();
  if (last?.kind === 'new') pieces.push({ kind: 'new', bytes: last.bytes.subarray(0, -1) }, { kind: 'new', bytes: padded });
  return pieces.filter((piece) => pieceLength(piece) > 0);
}

/** The last byte, when not all of its bits are elements. */
function lastByte({ type, dims }: NewTensor, unit: Uint8Array): Uint8Array | null {
  const bits = elementType(type)?.bits ?? 8;
  if (bits >= 8) return null;
  const used = (countOf(dims) ?? 0) % (8 / bits);
  return used === 0 ? null : Uint8Array.of((unit[0] ?? 0) & (2 ** (used * bits) - 1));
}

function repeated(unit: Uint8Array, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += unit.byteLength) bytes.set(unit.subarray(0, Math.min(unit.byteLength, length - at)), at);
  return bytes;
}

/** The texts of a string tensor that repeats one; `null` for anything else. */
export function repeatedText(value: NewTensor): { readonly text: Uint8Array; readonly count: number } | null {
  const count = countOf(value.dims);
  return value.type === STRING && value.data.kind === 'repeat' && count !== null ? { text: value.data.unit, count } : null;
}
