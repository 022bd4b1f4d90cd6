import { MAX_ZSTD_BLOCK } from './huffmanKernels';

/** Little-endian 0xFD2FB528. */
export const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd] as const;

/** Bytes of the content size by its code in the frame's descriptor; a single segment always has at least one. */
const SIZE_BYTES = [0, 2, 4, 8] as const;

/** One block of a frame: bytes as they are, one byte many times, or a Huffman tree and one or four streams. */
export interface LiteralBlock {
  readonly kind: 'raw' | 'repeated' | 'huffman';
  /** Where its content is; that of `huffman` begins with the description of the tree. */
  readonly from: number;
  readonly end: number;
  /** Bytes of output. */
  readonly bytes: number;
  readonly streams: 1 | 4;
}

/**
 * The blocks of a zstd frame that has literals only: what `encodeLiteralFrame` writes, and what others write for bytes that do not
 * repeat. They need no matches, no history, no other tables than Huffman's (RFC 8878, section 3.1.1).
 * @param range the frame, and the bytes of its output
 * @returns `null` when it is another frame, or a broken one: a decoder of all of zstd is to judge
 */
export function literalBlocks(source: Uint8Array, range: { readonly from: number; readonly end: number; readonly bytes: number }): LiteralBlock[] | null {
  let at = contentStart(source, range);
  const blocks: LiteralBlock[] = [];
  let left = range.bytes;
  for (let last = at < 0; !last; ) {
    if (at + 3 > range.end) return null;
    const head = (source[at] ?? 0) | ((source[at + 1] ?? 0) << 8) | ((source[at + 2] ?? 0) << 16);
    last = (head & 1) !== 0;
    const block = blockOf(source, { kind: (head >>> 1) & 3, from: at + 3, size: head >>> 3 });
    if (block === null || block.bytes > left || block.bytes > MAX_ZSTD_BLOCK || block.end > range.end) return null;
    blocks.push(block);
    left -= block.bytes;
    at = block.kind === 'huffman' ? block.end + 1 : block.end;
  }
  return left === 0 && at === range.end ? blocks : null;
}

/** First byte behind the frame's header; -1 for one with a dictionary or a checksum, or with another size than expected. */
function contentStart(source: Uint8Array, range: { readonly from: number; readonly end: number; readonly bytes: number }): number {
  const { from } = range;
  const descriptor = source[from + 4] ?? 0;
  const single = (descriptor & 0x20) !== 0;
  if (range.end - from < 9 || (descriptor & 0x0f) !== 0 || ZSTD_MAGIC.some((byte, i) => source[from + i] !== byte)) return -1;
  const code = descriptor >>> 6;
  const sizeBytes = code === 0 && single ? 1 : (SIZE_BYTES[code] ?? 0);
  const at = from + 5 + (single ? 0 : 1);
  let size = 0;
  for (let i = sizeBytes - 1; i >= 0; i--) size = size * 256 + (source[at + i] ?? 0);
  // Sizes of two bytes begin at 256.
  if (sizeBytes > 0 && size + (sizeBytes === 2 ? 256 : 0) !== range.bytes) return -1;
  return at + sizeBytes;
}

function blockOf(source: Uint8Array, { kind, from, size }: { readonly kind: number; readonly from: number; readonly size: number }): LiteralBlock | null {
  if (kind === 0) return { kind: 'raw', from, end: from + size, bytes: size, streams: 1 };
  if (kind === 1) return { kind: 'repeated', from, end: from + 1, bytes: size, streams: 1 };
  // Literals that are Huffman-coded with a tree of their own, and no sequence behind them.
  const head = source[from] ?? 0;
  if (kind !== 2 || (head & 3) !== 2) return null;
  const format = (head >>> 2) & 3;
  const width = format < 2 ? 10 : format === 2 ? 14 : 18;
  const headBytes = format < 2 ? 3 : format + 2;
  let fields = 0;
  for (let i = headBytes - 1; i >= 0; i--) fields = fields * 256 + (source[from + i] ?? 0);
  fields = Math.floor(fields / 16);
  const bytes = fields % 2 ** width;
  const end = from + headBytes + Math.floor(fields / 2 ** width);
  if (end + 1 !== from + size || source[end] !== 0) return null;
  return { kind: 'huffman', from: from + headBytes, end, bytes, streams: format === 0 ? 1 : 4 };
}
