import { decodeZstd, ZSTD_IS_SYNC } from '../compression/zstd';
import { literalBlocks } from '../zstd/literalFrame';
import { BLOSC_HEADER_BYTES, type BloscHeader, malformed, parseBloscHeader } from './bloscHeader';
import { blockLength, blockStart, eachStream } from './eachStream';
import { MAX_KERNEL_BLOCK } from './kernels';

/**
 * Whether `decodeBlosc` needs `expandZstd` before: the runtime has no zstd decoder of its own, and a stream is more than literals.
 * @throws CheckpointError malformed
 */
export function mustExpandZstd(frame: Uint8Array): boolean {
  if (ZSTD_IS_SYNC) return false;
  const header = parseBloscHeader(frame, frame.byteLength);
  if (header.codec !== 'zstd') return false;
  for (let index = 0; index < header.blocks; index++) {
    if (mustExpandBlock(header, frame.subarray(blockStart(frame, header, index)), blockLength(header, index))) return true;
  }
  return false;
}

/** As `mustExpandZstd`, for one block of a frame. @param block as for `decodeBloscBlock` */
export function mustExpandBlock(header: BloscHeader, block: Uint8Array, outputBytes: number): boolean {
  if (ZSTD_IS_SYNC || header.codec !== 'zstd') return false;
  if (outputBytes > MAX_KERNEL_BLOCK) return true;
  let must = false;
  eachStream({ header, block, outputBytes }, ({ from, to, start, end }, stored) => {
    if (!stored && !must) must = literalBlocks(block, { from, end: to, bytes: end - start }) === null;
  });
  return must;
}

/**
 * The same Blosc frame with its zstd streams stored as they are, for runtimes whose zstd decoder is asynchronous; other frames unchanged.
 * @throws CheckpointError malformed
 */
export async function expandZstd(frame: Uint8Array): Promise<Uint8Array> {
  const header = parseBloscHeader(frame, frame.byteLength);
  if (header.codec !== 'zstd') return frame;
  const parts: Uint8Array[] = [];
  const table = new DataView(new ArrayBuffer(4 * header.blocks));
  let at = BLOSC_HEADER_BYTES + 4 * header.blocks;
  for (let index = 0; index < header.blocks; index++) {
    const block = frame.subarray(blockStart(frame, header, index));
    table.setUint32(4 * index, at, true);
    const pending: { from: Uint8Array; bytes: number; stored: boolean }[] = [];
    eachStream({ header, block, outputBytes: blockLength(header, index) }, (range, stored) => {
      pending.push({ from: block.subarray(range.from, range.to), bytes: range.end - range.start, stored });
    });
    for (const { from, bytes, stored } of pending) {
      const plain = stored ? from : new Uint8Array(bytes);
      if (!stored && !(await decodeZstd(from, plain))) throw malformed('a compressed stream cannot be decoded to its length');
      const size = new DataView(new ArrayBuffer(4));
      size.setUint32(0, bytes, true);
      parts.push(new Uint8Array(size.buffer), plain);
      at += 4 + bytes;
    }
  }
  const head = Uint8Array.from(frame.subarray(0, BLOSC_HEADER_BYTES));
  new DataView(head.buffer).setUint32(12, at, true);
  return Buffer.concat([head, new Uint8Array(table.buffer), ...parts]);
}
