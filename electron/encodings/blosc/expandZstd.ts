import { decodeZstd } from '../compression/zstd';
import { BLOSC_HEADER_BYTES, malformed, parseBloscHeader } from './bloscHeader';
import { blockLength, blockStart, eachStream } from './eachStream';

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
