import { addExtension, Packr } from 'msgpackr/pack';
import { CheckpointError } from './errors';

/**
 * Frames as bytes, for transports that carry bytes: MessagePack, typed arrays as binary of their own element type
 * (msgpackr's extension 0x74: element type, then the little-endian elements), `undefined` kept apart from `null`.
 * Electron's IPC needs none of this: it clones values by itself.
 */
export const SOCKET_PATH = '/socket';
/** Where a browser sends files whose place it does not tell. */
export const UPLOAD_PATH = '/upload';

/**
 * The host sends an empty message this often. A browser cannot see protocol pings, so this is how a window notices that its
 * tunnel died: nothing for `SILENCE_MS` means lost. The host notices by the answers to its protocol pings.
 */
export const HEARTBEAT_MS = 10_000;
export const SILENCE_MS = 35_000;

/** Close code of a host that ends on purpose (RFC 6455, 7.4.1: going away). */
export const CLOSE_GOING_AWAY = 1001;

// Without records there is no code generation (`new Function`), which the content security policy forbids.
const packr = new Packr({ useRecords: false, moreTypes: true });

/**
 * Names from files that are no UTF-8 hold lone surrogates, for which UTF-8, and so MessagePack, has no form. A text with some goes as an
 * extension of its own: its UTF-16 code units, little-endian.
 */
class BrokenText {
  constructor(readonly text: string) {}
}
const BROKEN_TEXT = 0x10;
addExtension({
  Class: BrokenText,
  type: BROKEN_TEXT,
  pack({ text }: BrokenText) {
    const bytes = new Uint8Array(2 * text.length);
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < text.length; at++) view.setUint16(2 * at, text.charCodeAt(at), true);
    return bytes;
  },
  unpack(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const units = Array.from({ length: bytes.byteLength >> 1 }, (_, at) => String.fromCharCode(view.getUint16(2 * at, true)));
    return units.join('');
  },
});

/** The value with its broken texts marked; the value itself where there is none. Keys of objects are never names from files. */
function markBroken(value: unknown): unknown {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value) ? new BrokenText(value) : value;
  if (Array.isArray(value)) {
    let marked: unknown[] | null = null;
    for (const [at, each] of value.entries()) {
      const now = markBroken(each);
      if (now === each) continue;
      marked ??= value.slice();
      marked[at] = now;
    }
    return marked ?? value;
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  let marked: Record<string, unknown> | null = null;
  for (const [key, each] of Object.entries(value)) {
    const now = markBroken(each);
    if (now === each) continue;
    marked ??= { ...value };
    marked[key] = now;
  }
  return marked ?? value;
}

/** Fresh bytes of a frame; throws a TypeError or RangeError where the frame holds what has no form on the wire. */
export function encodeFrame(frame: unknown): Uint8Array<ArrayBuffer> {
  // A copy: what msgpackr returns is a view into a buffer that it goes on to use.
  return Uint8Array.from(packr.pack(markBroken(frame)));
}

/**
 * The frame that the bytes hold, still to be validated. Typed arrays are copied out, so they are aligned and do not keep the message alive.
 * Throws `malformed` where the bytes are no frame; `null` for the heartbeat.
 */
export function decodeFrame(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return null;
  try {
    return packr.unpack(bytes);
  } catch (error) {
    throw new CheckpointError('malformed', 'A message from the other side could not be read.', { cause: error });
  }
}
