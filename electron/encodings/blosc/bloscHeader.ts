import { CheckpointError } from '../../../shared/contract/errors';

/** Bytes of the header of a Blosc 1 frame. */
export const BLOSC_HEADER_BYTES = 16;

export type BloscCodec = 'blosclz' | 'lz4' | 'zlib' | 'zstd';

const CODECS: readonly (BloscCodec | null)[] = ['blosclz', 'lz4', null, 'zlib', 'zstd'];

/** Most bytes of output that one byte of a stream can stand for; a frame that promises more is broken. */
const MAX_EXPANSION: Readonly<Record<BloscCodec, number>> = { blosclz: 256, lz4: 256, zlib: 1040, zstd: 65536 };

export interface BloscHeader {
  /** `null`: the bytes follow the header as they are. */
  readonly codec: BloscCodec | null;
  readonly shuffle: 'none' | 'byte' | 'bit';
  /** Whether a full block is cut into one stream for every byte of an element. */
  readonly split: boolean;
  /** Bytes of one element. */
  readonly size: number;
  /** Bytes of the output. */
  readonly bytes: number;
  /** Bytes of the output of every block but the last, which may be shorter. */
  readonly blockBytes: number;
  readonly blocks: number;
  /** Bytes of the whole frame. */
  readonly frameBytes: number;
}

/**
 * Header of a Blosc 1 frame: `u8 version = 2, u8 versionlz = 1, u8 flags, u8 typesize, u32 nbytes, u32 blocksize, u32 cbytes`,
 * little-endian (README_CHUNK_FORMAT of c-blosc).
 * @param frame at least the first 16 bytes
 * @param length bytes that are there for the frame
 * @throws CheckpointError malformed; unsupported-format for Snappy
 */
export function parseBloscHeader(frame: Uint8Array, length: number): BloscHeader {
  if (length < BLOSC_HEADER_BYTES || frame.byteLength < BLOSC_HEADER_BYTES) throw malformed(`it has ${length} bytes, fewer than its header`);
  const version = frame[0];
  const codecVersion = frame[1];
  const flags = frame[2] ?? 0;
  const size = frame[3] ?? 0;
  const bytes = wordAt(frame, 4) >>> 0;
  const blockBytes = wordAt(frame, 8) >>> 0;
  const frameBytes = wordAt(frame, 12) >>> 0;
  if (version !== 2 || codecVersion !== 1) throw malformed(`its version is ${version}.${codecVersion}, not 2.1`);
  if ((flags & 0x08) !== 0) throw malformed('a reserved flag is set');
  if (size === 0) throw malformed('its element size is 0');
  if (frameBytes !== length) throw malformed(`it says that it has ${frameBytes} bytes, but ${length} are there`);
  const shuffle = (flags & 0x01) !== 0 && size > 1 ? 'byte' : (flags & 0x04) !== 0 ? 'bit' : 'none';
  if ((flags & 0x02) !== 0) {
    if (frameBytes !== bytes + BLOSC_HEADER_BYTES) throw malformed(`it holds ${frameBytes - BLOSC_HEADER_BYTES} plain bytes, but says ${bytes}`);
    return { codec: null, shuffle: 'none', split: false, size, bytes, blockBytes: bytes, blocks: 1, frameBytes };
  }
  const codec = CODECS[flags >>> 5];
  if (codec === null) throw new CheckpointError('unsupported-format', 'A chunk is compressed with Snappy, which we do not read.');
  if (codec === undefined) throw malformed(`its codec number ${flags >>> 5} is not known`);
  if (bytes === 0) return { codec, shuffle, split: false, size, bytes, blockBytes: 0, blocks: 0, frameBytes };
  if (blockBytes === 0 || blockBytes > bytes) throw malformed(`its block size ${blockBytes} does not fit its ${bytes} bytes`);
  const blocks = Math.ceil(bytes / blockBytes);
  const split = (flags & 0x10) === 0;
  if (split && bytes >= blockBytes && blockBytes % size !== 0) throw malformed(`its block size ${blockBytes} is no multiple of its element size ${size}`);
  if (BLOSC_HEADER_BYTES + 4 * blocks > frameBytes) throw malformed(`its ${blocks} blocks do not fit its ${frameBytes} bytes`);
  if (bytes > frameBytes * MAX_EXPANSION[codec]) throw malformed(`it says that ${frameBytes} bytes become ${bytes}, more than is possible`);
  return { codec, shuffle, split, size, bytes, blockBytes, blocks, frameBytes };
}

/** Four bytes as a signed little-endian integer. */
export function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}

/** @internal */
export function malformed(what: string): CheckpointError {
  return new CheckpointError('malformed', `A Blosc frame is damaged: ${what}.`);
}
