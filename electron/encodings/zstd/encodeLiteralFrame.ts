import { type HuffmanKernels, MAX_ZSTD_BLOCK } from './huffmanKernels';
import { huffmanLengths } from './huffmanLengths';
import { assignCodes, describeTree } from './huffmanTree';
import { ZSTD_MAGIC } from './literalFrame';
import { mayShrink } from './mayShrink';

/** Bytes that a frame takes beyond its content at most, for every part and once. */
export const FRAME_OVERHEAD = 16;

/** Below this many bytes four streams cost more than they save time; zstd does the same. */
const FOUR_STREAMS_FROM = 256;
/** A code must save one byte in so many: decoding takes time. */
const WORTH_IT = 64;

export interface Literals {
  /** Where the bytes are in the memory of the kernels. */
  readonly from: number;
  readonly end: number;
  /** They are coded in parts of this size, each with a tree of its own or as it is: byte planes, say. */
  readonly part: number;
  /** Room in the memory of the kernels, at least as large as a part and 16 bytes. */
  readonly scratch: number;
}

export interface Output {
  readonly bytes: Uint8Array;
  /** Where to go on writing. */
  at: number;
}

/**
 * Writes a zstd frame (RFC 8878) with literals only: every part is one byte repeated, Huffman-coded, or as it is. For numbers whose
 * byte planes are skewed but do not repeat, this is as small as zstd's own frames, and several times as fast.
 * @param output with room for the content and FRAME_OVERHEAD for every 128 KiB of every part, and once more
 */
export function encodeLiteralFrame(kernels: HuffmanKernels, literals: Literals, output: Output): void {
  const { from, end, part, scratch } = literals;
  writeFrameHead(output, end - from);
  const step = Math.min(part, MAX_ZSTD_BLOCK);
  for (let at = from; at < end; at += step) {
    const stop = Math.min(end, at + step);
    const coded = stop - at < FRAME_OVERHEAD ? null : codePart(kernels, { from: at, end: stop }, scratch);
    putBlock(kernels.bytes, { from: at, end: stop, last: stop === end, coded }, output);
  }
}

/** A single segment without checksum, its size in as few bytes as hold it. */
function writeFrameHead(output: Output, size: number): void {
  const code = size < 256 ? 0 : size < 65_536 + 256 ? 1 : 2;
  const head = [...ZSTD_MAGIC, (code << 6) | 0x20];
  let rest = code === 1 ? size - 256 : size;
  for (let i = 0; i < 1 << code; i++) {
    head.push(rest & 0xff);
    rest >>>= 8;
  }
  output.bytes.set(head, output.at);
  output.at += head.length;
}

interface CodedPart {
  readonly kind: 'repeated' | 'huffman';
  /** What comes first: sizes, tree and sizes of the streams. */
  readonly head: readonly number[];
  /** Where the streams are in the memory of the kernels. */
  readonly from: number;
  readonly end: number;
}

interface BlockToPut {
  readonly from: number;
  readonly end: number;
  readonly last: boolean;
  /** `null`: as it is. */
  readonly coded: CodedPart | null;
}

function putBlock(memory: Uint8Array, { from, end, last, coded }: BlockToPut, output: Output): void {
  const { bytes } = output;
  const put = (kind: number, size: number) => {
    const head = (last ? 1 : 0) | (kind << 1) | (size << 3);
    bytes[output.at++] = head;
    bytes[output.at++] = head >>> 8;
    bytes[output.at++] = head >>> 16;
  };
  const append = (part: Uint8Array | readonly number[]) => {
    bytes.set(part, output.at);
    output.at += part.length;
  };
  if (coded === null) {
    put(0, end - from);
    append(memory.subarray(from, end));
  } else if (coded.kind === 'repeated') {
    put(1, end - from);
    append(coded.head);
  } else {
    put(2, coded.head.length + coded.end - coded.from + 1);
    append(coded.head);
    append(memory.subarray(coded.from, coded.end));
    // No sequences.
    bytes[output.at++] = 0;
  }
}

function codePart(kernels: HuffmanKernels, part: { readonly from: number; readonly end: number }, scratch: number): CodedPart | null {
  const size = part.end - part.from;
  if (!mayShrink(kernels, part)) return null;
  const counts = kernels.count([part]);
  const first = kernels.bytes[part.from] ?? 0;
  if (counts[first] === size) return { kind: 'repeated', head: [first], from: scratch, end: scratch };
  const lengths = huffmanLengths(counts);
  const bits = lengths.reduce((sum, length, byte) => sum + length * (counts[byte] ?? 0), 0);
  const tree = size - bits / 8 < size / WORTH_IT ? null : describeTree(lengths);
  if (tree === null || 16 + tree.length + bits / 8 > size - size / WORTH_IT) return null;
  assignCodes(lengths, kernels.codes);
  if (size < FOUR_STREAMS_FROM) {
    const end = kernels.encode(part.from, part.end, scratch);
    return { kind: 'huffman', head: [...literalsHead(size, tree.length + end - scratch), ...tree], from: scratch, end };
  }
  const quarter = Math.ceil(size / 4);
  const ends = [scratch];
  for (let at = part.from; at < part.end; at += quarter) ends.push(kernels.encode(at, Math.min(part.end, at + quarter), ends[ends.length - 1] ?? scratch));
  const sizes = [0, 1, 2].flatMap((i) => {
    const bytes = (ends[i + 1] ?? 0) - (ends[i] ?? 0);
    return [bytes & 0xff, bytes >>> 8];
  });
  const end = ends[4] ?? scratch;
  return { kind: 'huffman', head: [...literalsHead(size, tree.length + sizes.length + end - scratch), ...tree, ...sizes], from: scratch, end };
}

/** Type 2 (coded, with a tree), number of streams and width of the sizes, size of the output, size of tree and streams. */
function literalsHead(size: number, coded: number): readonly number[] {
  const format = size < FOUR_STREAMS_FROM ? 0 : size < 1024 ? 1 : size < 16_384 ? 2 : 3;
  const width = format < 2 ? 10 : format === 2 ? 14 : 18;
  let fields = 2 + 4 * format + 16 * size + coded * 2 ** (4 + width);
  return Array.from({ length: format < 2 ? 3 : format + 2 }, () => {
    const byte = fields % 256;
    fields = Math.floor(fields / 256);
    return byte;
  });
}
