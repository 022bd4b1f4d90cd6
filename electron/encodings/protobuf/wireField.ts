import { CheckpointError, type ErrorPlace } from '../../../shared/contract/errors';

/** One field of a Protocol Buffers message (https://protobuf.dev/programming-guides/encoding/); offsets are those of the source. */
export type WireField =
  | { readonly kind: 'varint'; readonly number: number; readonly value: bigint; readonly next: number }
  | { readonly kind: 'bytes'; readonly number: number; readonly offset: number; readonly length: number; readonly next: number }
  | { readonly kind: 'fixed32' | 'fixed64'; readonly number: number; readonly offset: number; readonly next: number }
  | { readonly kind: 'startGroup'; readonly number: number; readonly next: number }
  | { readonly kind: 'endGroup'; readonly number: number; readonly next: number };

/** Longest tag with the longest varint behind it. */
export const FIELD_HEAD_BYTES = 5 + 10;
const MAX_VARINT_BYTES = 10;
const MAX_FIELD_NUMBER = 2 ** 29 - 1;

/**
 * The field that begins at `at`, from `bytes` that begin there: FIELD_HEAD_BYTES of them, or all up to `limit`, the end of the message.
 * @throws CheckpointError malformed, truncated
 */
export function parseField(bytes: Uint8Array, at: number, options: { readonly limit: number; readonly place: ErrorPlace }): WireField {
  const { limit } = options;
  const place = { ...options.place, offset: at };
  const tag = parseVarint(bytes, 0, place);
  const number = Number(tag.value >> 3n);
  if (number < 1 || number > MAX_FIELD_NUMBER) throw new CheckpointError('malformed', `A field has the impossible number ${tag.value >> 3n}.`, { place });
  const start = at + tag.next;
  const ending = (next: number): number => {
    if (next > limit) throw new CheckpointError('truncated', `Field ${number} should end at byte ${next}, but what holds it ends at byte ${limit}.`, { place });
    return next;
  };
  switch (Number(tag.value & 7n)) {
    case 0: {
      const { value, next } = parseVarint(bytes, tag.next, place);
      return { kind: 'varint', number, value, next: ending(at + next) };
    }
    case 1:
      return { kind: 'fixed64', number, offset: start, next: ending(start + 8) };
    case 2: {
      const { value, next } = parseVarint(bytes, tag.next, place);
      if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new CheckpointError('malformed', `Field ${number} has the impossible length ${value}.`, { place });
      const length = Number(value);
      return { kind: 'bytes', number, offset: at + next, length, next: ending(at + next + length) };
    }
    case 3:
      return { kind: 'startGroup', number, next: ending(start) };
    case 4:
      return { kind: 'endGroup', number, next: ending(start) };
    case 5:
      return { kind: 'fixed32', number, offset: start, next: ending(start + 4) };
    default:
      throw new CheckpointError('malformed', `Field ${number} has a kind that Protocol Buffers do not have.`, { place });
  }
}

/**
 * `parseField` for nearly every field of a model, without an object for anything but the field: a number up to 15, with contents of less than 16 KiB.
 * `null` for any other, for what is wrong, and where `bytes` do not hold the whole head at `from`.
 */
export function commonField(
  bytes: Uint8Array,
  from: number,
  { at, limit }: { readonly at: number; readonly limit: number },
): Extract<WireField, { kind: 'bytes' }> | null {
  const tag = bytes[from] ?? 0;
  const first = bytes[from + 1] ?? 0xff;
  if (tag < 8 || tag >= 0x80 || (tag & 7) !== 2) return null;
  const second = first < 0x80 ? 0 : (bytes[from + 2] ?? 0xff);
  if (second >= 0x80) return null;
  const offset = at + (first < 0x80 ? 2 : 3);
  const length = (first & 0x7f) | (second << 7);
  const next = offset + length;
  return next > limit ? null : { kind: 'bytes', number: tag >>> 3, offset, length, next };
}

/** Seven bits a byte, lowest first; `next` is the index behind it. The value is taken modulo 2^64. */
export function parseVarint(bytes: Uint8Array, from: number, place: ErrorPlace): { readonly value: bigint; readonly next: number } {
  let low = 0;
  for (let i = 0; i < MAX_VARINT_BYTES; i++) {
    const byte = bytes[from + i];
    if (byte === undefined) throw new CheckpointError('truncated', 'The data ends inside a number.', { place });
    // Up to 49 bits fit a double; only longer ones need BigInt.
    if (i < 7) low += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value: i < 7 ? BigInt(low) : longVarint(bytes, from, i + 1), next: from + i + 1 };
  }
  throw new CheckpointError('malformed', 'A number has more than ten bytes.', { place });
}

function longVarint(bytes: Uint8Array, from: number, length: number): bigint {
  let value = 0n;
  for (let i = length - 1; i >= 0; i--) value = (value << 7n) | BigInt((bytes[from + i] ?? 0) & 0x7f);
  return BigInt.asUintN(64, value);
}
