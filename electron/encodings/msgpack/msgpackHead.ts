import { CheckpointError, type ErrorPlace } from '../../../shared/contract/errors';

/** First part of a MessagePack value (https://github.com/msgpack/msgpack/blob/master/spec.md). */
export type MsgpackHead =
  | { readonly kind: 'map' | 'array'; readonly count: number /** Offset behind the head. */; readonly next: number }
  | { readonly kind: 'str' | 'bin'; readonly length: number; readonly next: number }
  | { readonly kind: 'ext'; readonly type: number; readonly length: number; readonly next: number }
  | { readonly kind: 'int'; readonly value: number | bigint; readonly next: number }
  | { readonly kind: 'bool'; readonly value: boolean; readonly next: number }
  | { readonly kind: 'float' | 'nil'; readonly next: number };

/** Longest head: an ext or a number of 8 bytes. */
export const HEAD_BYTES = 9;

/**
 * The head of the value that starts at `at`, from `bytes` that begin there (HEAD_BYTES of them, or all that the source has).
 * @throws CheckpointError malformed, truncated
 */
export function parseHead(bytes: Uint8Array, at: number, place: ErrorPlace): MsgpackHead {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return headOf(view, at, place);
  } catch (error) {
    if (error instanceof RangeError) throw new CheckpointError('truncated', 'The file ends inside a value.', { place: { ...place, offset: at } });
    throw error;
  }
}

function headOf(view: DataView, at: number, place: ErrorPlace): MsgpackHead {
  const tag = view.getUint8(0);
  if (tag <= 0x7f) return { kind: 'int', value: tag, next: at + 1 };
  if (tag <= 0x8f) return { kind: 'map', count: tag & 0x0f, next: at + 1 };
  if (tag <= 0x9f) return { kind: 'array', count: tag & 0x0f, next: at + 1 };
  if (tag <= 0xbf) return { kind: 'str', length: tag & 0x1f, next: at + 1 };
  if (tag >= 0xe0) return { kind: 'int', value: tag - 0x100, next: at + 1 };
  switch (tag) {
    case 0xc0:
      return { kind: 'nil', next: at + 1 };
    case 0xc2:
    case 0xc3:
      return { kind: 'bool', value: tag === 0xc3, next: at + 1 };
    case 0xc4:
    case 0xc5:
    case 0xc6:
      return { kind: 'bin', ...sized(view, at, tag - 0xc4) };
    case 0xc7:
    case 0xc8:
    case 0xc9: {
      const { length, next } = sized(view, at, tag - 0xc7);
      return { kind: 'ext', type: view.getInt8(next - at), length, next: next + 1 };
    }
    case 0xca:
      return { kind: 'float', next: at + 5 };
    case 0xcb:
      return { kind: 'float', next: at + 9 };
    case 0xcc:
      return { kind: 'int', value: view.getUint8(1), next: at + 2 };
    case 0xcd:
      return { kind: 'int', value: view.getUint16(1), next: at + 3 };
    case 0xce:
      return { kind: 'int', value: view.getUint32(1), next: at + 5 };
    case 0xcf:
      return { kind: 'int', value: view.getBigUint64(1), next: at + 9 };
    case 0xd0:
      return { kind: 'int', value: view.getInt8(1), next: at + 2 };
    case 0xd1:
      return { kind: 'int', value: view.getInt16(1), next: at + 3 };
    case 0xd2:
      return { kind: 'int', value: view.getInt32(1), next: at + 5 };
    case 0xd3:
      return { kind: 'int', value: view.getBigInt64(1), next: at + 9 };
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
      return { kind: 'ext', type: view.getInt8(1), length: 2 ** (tag - 0xd4), next: at + 2 };
    case 0xd9:
    case 0xda:
    case 0xdb:
      return { kind: 'str', ...sized(view, at, tag - 0xd9) };
    case 0xdc:
    case 0xdd: {
      const { length, next } = sized(view, at, tag - 0xdc + 1);
      return { kind: 'array', count: length, next };
    }
    case 0xde:
    case 0xdf: {
      const { length, next } = sized(view, at, tag - 0xde + 1);
      return { kind: 'map', count: length, next };
    }
    default:
      throw new CheckpointError('malformed', `The byte 0x${tag.toString(16)} begins no MessagePack value.`, { place: { ...place, offset: at } });
  }
}

/** A big-endian length of 1, 2 or 4 bytes behind the tag. */
function sized(view: DataView, at: number, width: number): { readonly length: number; readonly next: number } {
  if (width === 0) return { length: view.getUint8(1), next: at + 2 };
  if (width === 1) return { length: view.getUint16(1), next: at + 3 };
  return { length: view.getUint32(1), next: at + 5 };
}
