import { alignedBytes } from '../../bytes/alignedBytes';
import type { Output } from '../zstd/encodeLiteralFrame';
import { BLOSC_HEADER_BYTES } from './bloscHeader';
import { chooseCodec } from './chooseCodec';
import { encodeBlock, type WrittenCodec } from './encodeBlock';
import { encodeKernels } from './kernels';

/** A plane of a block has at most this many bytes: as much as one block of a zstd frame can hold. */
const MAX_PLANE = 131_072;
/** Planes, elements and coded bytes of a block should stay in the second-level cache. */
const MAX_BLOCK = 524_288;
/** c-blosc cuts no block into streams of fewer bytes (MIN_BUFFERSIZE). */
const MIN_STREAM = 128;
/** Beyond the content: 4 bytes for each stream, and what a frame may grow by before it is given up. */
const ROOM = 4096;

const CODEC_BITS: Readonly<Record<WrittenCodec, number>> = { lz4: 1 << 5, zstd: 4 << 5 };

export interface BloscOptions {
  /** Bytes of one element, or of one part of a complex one. */
  readonly size: 1 | 2 | 4 | 8;
  /** `bit` for elements of one byte that use few of their bits; larger ones are always shuffled by bytes. */
  readonly shuffle: 'none' | 'bit';
  /** Bytes that may be used for the frame, at least `bloscRoom` of them. */
  readonly frame?: Uint8Array | undefined;
}

/** Bytes of `frame` that `encodeBlosc` needs for so many bytes. */
export function bloscRoom(bytes: number): number {
  return bytes + Math.ceil(bytes / MAX_PLANE) * 64 + ROOM;
}

/**
 * A Blosc 1 frame (README_CHUNK_FORMAT of c-blosc) that c-blosc and TensorStore decode: byte planes as streams of their own, and for the
 * whole frame the smaller of two codecs: zstd with Huffman-coded literals, for numbers that do not repeat, or LZ4, for
 * repetitions. The plain bytes where neither helps.
 * @param bytes whole elements, at most 2^31 - 1 bytes less room for the header
 * @returns the frame: all of `options.frame` that it takes, or bytes of its own
 * @throws RangeError when the bytes are no whole elements
 */
export function encodeBlosc(bytes: Uint8Array, options: BloscOptions): Uint8Array {
  const { size, shuffle } = options;
  const elements = bytes.byteLength / size;
  if (!Number.isInteger(elements)) throw new RangeError(`${bytes.byteLength} bytes are no whole number of elements of ${size} bytes`);
  const room = options.frame ?? alignedBytes(bloscRoom(bytes.byteLength));
  const blockElements = Math.min(elements, MAX_PLANE, MAX_BLOCK / size);
  const shape = { bytes: bytes.byteLength, blockBytes: blockElements * size, size };
  const blocks = elements === 0 ? 0 : Math.ceil(elements / blockElements);
  const shuffleBits = size > 1 ? 0x01 : shuffle === 'bit' ? 0x04 : 0;
  const split = blockElements >= MIN_STREAM;
  if (blocks > 0) {
    const kernels = encodeKernels(shape.blockBytes);
    const codec = chooseCodec(kernels, bytes, options);
    const output: Output = { bytes: room, at: BLOSC_HEADER_BYTES + 4 * blocks };
    const table = new DataView(room.buffer, room.byteOffset + BLOSC_HEADER_BYTES);
    for (let block = 0; block < blocks; block++) {
      table.setUint32(4 * block, output.at, true);
      const part = bytes.subarray(block * shape.blockBytes, Math.min(bytes.byteLength, (block + 1) * shape.blockBytes));
      encodeBlock(kernels, part, { size, shuffle, codec, split: split && part.byteLength === shape.blockBytes, output });
    }
    if (output.at < BLOSC_HEADER_BYTES + bytes.byteLength) {
      return finish(room.subarray(0, output.at), { ...shape, flags: CODEC_BITS[codec] | shuffleBits | (split ? 0 : 0x10) });
    }
  }
  room.set(bytes, BLOSC_HEADER_BYTES);
  const frame = room.subarray(0, BLOSC_HEADER_BYTES + bytes.byteLength);
  return finish(frame, { ...shape, flags: CODEC_BITS.zstd | shuffleBits | 0x12 });
}

interface Header {
  readonly flags: number;
  readonly size: number;
  readonly bytes: number;
  readonly blockBytes: number;
}

function finish(frame: Uint8Array, { flags, size, bytes, blockBytes }: Header): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset);
  view.setUint32(0, 2 | (1 << 8) | (flags << 16) | (size << 24), true);
  view.setUint32(4, bytes, true);
  view.setUint32(8, blockBytes, true);
  view.setUint32(12, frame.byteLength, true);
  return frame;
}
