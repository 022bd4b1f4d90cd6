import { encodeLz4Block } from './encodeLz4Block';

const HEADER = 16;
/** What tensorstore asks c-blosc for at level 5: no block larger than 1 MiB, 128 KiB for each byte of an element. */
const STREAM = 131_072;
const LARGEST_BLOCK = 1_048_576;

/**
 * A Blosc 1 frame as git-theta's writer makes them: LZ4, byte shuffle for elements of several bytes, bit shuffle for single bytes, one
 * stream for every byte of an element in full blocks, and the plain bytes where that is not smaller. Synthesises repositories for tests
 * and measurements.
 * @param size bytes of one element
 */
export function encodeBlosc(bytes: Uint8Array, size: number): Uint8Array {
  return (bytes.byteLength < 128 ? null : compress(bytes, size)) ?? plain(bytes, size);
}

function flagsOf(size: number): number {
  return 0x20 | (size > 1 ? 0x01 : 0x04);
}

function plain(bytes: Uint8Array, size: number): Uint8Array {
  const frame = new Uint8Array(HEADER + bytes.byteLength);
  writeHeader(frame, { flags: flagsOf(size) | 0x12, size, bytes: bytes.byteLength, blockBytes: blockBytesOf(bytes.byteLength, size) });
  frame.set(bytes, HEADER);
  return frame;
}

function blockBytesOf(bytes: number, size: number): number {
  const block = Math.min(bytes, STREAM * size, LARGEST_BLOCK);
  return block > size ? block - (block % size) : block;
}

/** `null` when the frame would not be smaller than the plain bytes. */
function compress(bytes: Uint8Array, size: number): Uint8Array | null {
  const blockBytes = blockBytesOf(bytes.byteLength, size);
  const blocks = Math.ceil(bytes.byteLength / blockBytes);
  const split = blockBytes / size >= 128;
  const frame = new Uint8Array(HEADER + bytes.byteLength);
  const view = new DataView(frame.buffer);
  let at = HEADER + 4 * blocks;
  for (let block = 0; block < blocks; block++) {
    const part = bytes.subarray(block * blockBytes, Math.min(bytes.byteLength, (block + 1) * blockBytes));
    if (at + 4 >= frame.byteLength) return null;
    view.setUint32(HEADER + 4 * block, at, true);
    const planes = shuffle(part, size);
    const streams = split && part.byteLength === blockBytes ? size : 1;
    const length = planes.byteLength / streams;
    for (let stream = 0; stream < streams; stream++) {
      const plane = planes.subarray(stream * length, (stream + 1) * length);
      const packed = encodeLz4Block(plane) ?? plane;
      if (at + 4 + packed.byteLength > frame.byteLength) return null;
      view.setInt32(at, packed.byteLength, true);
      frame.set(packed, at + 4);
      at += 4 + packed.byteLength;
    }
  }
  writeHeader(frame, { flags: flagsOf(size) | (split ? 0 : 0x10), size, bytes: bytes.byteLength, blockBytes });
  view.setUint32(12, at, true);
  return frame.subarray(0, at);
}

interface Header {
  readonly flags: number;
  readonly size: number;
  readonly bytes: number;
  readonly blockBytes: number;
}

function writeHeader(frame: Uint8Array, { flags, size, bytes, blockBytes }: Header): void {
  const view = new DataView(frame.buffer, frame.byteOffset);
  view.setUint32(0, 2 | (1 << 8) | (flags << 16) | (size << 24), true);
  view.setUint32(4, bytes, true);
  view.setUint32(8, blockBytes, true);
  view.setUint32(12, frame.byteLength, true);
}

function shuffle(bytes: Uint8Array, size: number): Uint8Array {
  return size === 1 ? bitPlanes(bytes) : bytePlanes(bytes, size);
}

function bytePlanes(bytes: Uint8Array, size: number): Uint8Array {
  const planes = Uint8Array.from(bytes);
  const count = Math.floor(bytes.byteLength / size);
  for (let plane = 0, write = 0; plane < size; plane++) {
    for (let i = 0, read = plane; i < count; i++, read += size) planes[write++] = bytes[read] ?? 0;
  }
  return planes;
}

function bitPlanes(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength % 8 !== 0) return bytes;
  const planes = new Uint8Array(bytes.byteLength);
  const row = bytes.byteLength / 8;
  for (let i = 0; i < bytes.byteLength; i++) {
    for (let bit = 0; bit < 8; bit++) {
      const at = bit * row + (i >>> 3);
      planes[at] = (planes[at] ?? 0) | ((((bytes[i] ?? 0) >>> bit) & 1) << (i & 7));
    }
  }
  return planes;
}
