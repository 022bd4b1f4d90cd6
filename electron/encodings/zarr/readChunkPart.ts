import { BLOSC_HEADER_BYTES, type BloscHeader, parseBloscHeader } from '../blosc/bloscHeader';
import { decodeBloscBlock } from '../blosc/decodeBlosc';
import { blockLength, blockStart } from '../blosc/eachStream';
import { mustExpandBlock } from '../blosc/expandZstd';
import { checkBloscSize } from './decodeChunk';
import type { StoredArray } from './storedArray';

interface Part {
  /** First byte of the decoded chunk that is wanted, and the byte after the last. */
  readonly from: number;
  readonly to: number;
}

/**
 * A part of a chunk without reading or decoding the rest: a range of a stored one, the blocks in question of a Blosc frame.
 * @returns `null` when the compressor allows only the whole
 * @throws CheckpointError malformed, truncated
 */
export async function readChunkPart(array: StoredArray, chunk: number, part: Part): Promise<Uint8Array | null> {
  const { source, header, table } = array;
  const offset = table.offsetOf(chunk);
  if (header.compressor === 'none') return Uint8Array.from(await source.read(offset + part.from, part.to - part.from));
  if (header.compressor !== 'blosc') return null;
  const length = table.lengthOf(chunk);
  const head = parseBloscHeader(await source.read(offset, Math.min(length, BLOSC_HEADER_BYTES)), length);
  if (head.bytes !== array.grid.chunkBytes) checkBloscSize(await source.read(offset, length), array.grid.chunkBytes);
  if (head.codec === null) return Uint8Array.from(await source.read(offset + BLOSC_HEADER_BYTES + part.from, part.to - part.from));
  return readBlocks(array, { offset, head }, part);
}

async function readBlocks({ source }: StoredArray, frame: { readonly offset: number; readonly head: BloscHeader }, part: Part): Promise<Uint8Array | null> {
  const { offset, head } = frame;
  const first = Math.floor(part.from / head.blockBytes);
  const last = Math.floor((part.to - 1) / head.blockBytes);
  const table = await source.read(offset, BLOSC_HEADER_BYTES + 4 * head.blocks);
  const starts = Array.from({ length: head.blocks }, (_, block) => blockStart(table, head, block));
  const begin = first * head.blockBytes;
  const decoded = new Uint8Array(last * head.blockBytes + blockLength(head, last) - begin);
  for (let block = first; block <= last; block++) {
    const start = starts[block] ?? 0;
    // Blocks may lie in any order: one ends at the latest where another begins.
    const end = starts.reduce((nearest, other) => (other > start && other < nearest ? other : nearest), head.frameBytes);
    const at = block * head.blockBytes - begin;
    const bytes = await source.read(offset + start, end - start);
    if (mustExpandBlock(head, bytes, blockLength(head, block))) return null;
    decodeBloscBlock(head, bytes, decoded.subarray(at, at + blockLength(head, block)));
  }
  // Copied, so that the elements are aligned whatever the size of the blocks.
  return decoded.slice(part.from - begin, part.to - begin);
}
