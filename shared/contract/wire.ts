import { Packr } from 'msgpackr/pack';
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

/** Fresh bytes of a frame; throws a TypeError or RangeError where the frame holds what has no form on the wire. */
export function encodeFrame(frame: unknown): Uint8Array<ArrayBuffer> {
  // A copy: what msgpackr returns is a view into a buffer that it goes on to use.
  return Uint8Array.from(packr.pack(frame));
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
