import { encodeLiteralFrame, type Output } from '../zstd/encodeLiteralFrame';
import type { EncodeKernels } from './kernels';

export type WrittenCodec = 'lz4' | 'zstd';

/** Planes smaller than this are coded together: each would need a description of its own. */
const MIN_PART = 256;

export interface BlockOptions {
  readonly size: 1 | 2 | 4 | 8;
  readonly shuffle: 'none' | 'bit';
  readonly codec: WrittenCodec;
  /** Whether each plane is a stream of its own. */
  readonly split: boolean;
  readonly output: Output;
}

/** Writes one block of a Blosc frame: the shuffle, then its streams, each behind its length. */
export function encodeBlock(kernels: EncodeKernels, block: Uint8Array, options: BlockOptions): void {
  const { size, split } = options;
  const { from, plane } = shuffleBlock(kernels, block, options);
  const end = from + block.byteLength;
  const length = split ? block.byteLength / size : block.byteLength;
  for (let at = from; at < end; at += length) encodeStream(kernels, { from: at, end: at + length, part: plane < MIN_PART ? length : plane }, options);
}

/** Puts the bytes into the kernels' memory and shuffles them. @returns where they are, and the length of a plane */
export function shuffleBlock(
  kernels: EncodeKernels,
  block: Uint8Array,
  { size, shuffle }: Pick<BlockOptions, 'size' | 'shuffle'>,
): { readonly from: number; readonly plane: number } {
  const { bytes, elements, planes } = kernels;
  const count = block.byteLength / size;
  bytes.set(block, elements);
  if (size > 1) kernels.shuffle.get(size)?.(elements, count, planes);
  // c-blosc leaves a block alone whose bits do not fill bytes.
  else if (shuffle === 'none' || count % 8 !== 0) return { from: elements, plane: count };
  else {
    kernels.bitshuffle(elements, count, planes);
    return { from: planes, plane: count / 8 };
  }
  return { from: planes, plane: count };
}

interface Stream {
  readonly from: number;
  readonly end: number;
  readonly part: number;
}

/** One stream: `i32` bytes, and the bytes; as they are when coding does not make them fewer. */
function encodeStream(kernels: EncodeKernels, { from, end, part }: Stream, { codec, output }: BlockOptions): void {
  const length = end - from;
  const head = output.at;
  const begin = head + 4;
  output.at = begin;
  if (codec === 'zstd') encodeLiteralFrame(kernels.huffman, { from, end, part, scratch: kernels.stream }, output);
  else {
    const coded = kernels.lz4encode(from, end, kernels.stream, kernels.stream + length - 1);
    output.at += coded === 0 ? length : coded - kernels.stream;
    if (coded !== 0) output.bytes.set(kernels.bytes.subarray(kernels.stream, coded), begin);
  }
  if (output.at - begin >= length) {
    output.bytes.set(kernels.bytes.subarray(from, end), begin);
    output.at = begin + length;
  }
  const size = output.at - begin;
  for (let i = 0; i < 4; i++) output.bytes[head + i] = size >>> (8 * i);
}
