import { BLOSC_HEADER_BYTES, type BloscHeader, malformed, wordAt } from './bloscHeader';
import type { Lz4Range } from './lz4Block';

/** First byte of a block in the frame. @param table the frame, at least up to the end of its table of blocks */
export function blockStart(table: Uint8Array, header: BloscHeader, block: number): number {
  const start = wordAt(table, BLOSC_HEADER_BYTES + 4 * block) >>> 0;
  if (start < BLOSC_HEADER_BYTES + 4 * header.blocks || start >= header.frameBytes) throw malformed(`block ${block} begins at ${start}, outside the data`);
  return start;
}

/** Bytes of output of one block; the last may be shorter. */
export function blockLength(header: BloscHeader, block: number): number {
  return Math.min(header.blockBytes, header.bytes - block * header.blockBytes);
}

export interface StreamsOfBlock {
  readonly header: BloscHeader;
  /** Bytes of the frame from the block's first; may go on beyond its end. */
  readonly block: Uint8Array;
  readonly outputBytes: number;
}

/**
 * Walks the streams of one block: `i32 csize`, then csize bytes, stored as they are when csize is the stream's length. A full block is
 * cut into one stream for every byte of an element, unless flag 0x10 is set; a short last block is always one stream.
 */
export function eachStream({ header, block, outputBytes }: StreamsOfBlock, visit: (range: Lz4Range, stored: boolean) => void): void {
  const streams = header.split && outputBytes === header.blockBytes ? header.size : 1;
  const length = outputBytes / streams;
  let at = 0;
  for (let stream = 0; stream < streams; stream++) {
    if (at + 4 > block.byteLength) throw malformed('a stream begins behind its end');
    const size = wordAt(block, at);
    at += 4;
    if (size <= 0 || size > block.byteLength - at) throw malformed(`a stream has ${size} bytes, but ${block.byteLength - at} are left`);
    visit({ from: at, to: at + size, start: stream * length, end: (stream + 1) * length }, size === length);
    at += size;
  }
}
