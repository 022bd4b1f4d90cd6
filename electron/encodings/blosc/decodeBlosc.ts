import { decodeLiteralBlocks } from '../zstd/decodeLiteralFrame';
import { literalBlocks } from '../zstd/literalFrame';
import { BLOSC_HEADER_BYTES, type BloscHeader, malformed, parseBloscHeader } from './bloscHeader';
import { decodeStream } from './decodeStream';
import { blockLength, blockStart, eachStream } from './eachStream';
import { type BlockKernels, blockKernels, MAX_KERNEL_BLOCK } from './kernels';
import type { Lz4Range } from './lz4Block';
import { unbitshuffle } from './unbitshuffle';
import { unshuffle } from './unshuffle';

/**
 * Decodes a whole Blosc 1 frame. Where `mustExpandZstd` says so, `expandZstd` comes first.
 * @param target exactly as long as the output must be
 * @throws CheckpointError malformed when the frame is damaged or has another size
 */
export function decodeBlosc(frame: Uint8Array, target: Uint8Array): void {
  const header = parseBloscHeader(frame, frame.byteLength);
  if (header.bytes !== target.byteLength) throw malformed(`it holds ${header.bytes} bytes, but ${target.byteLength} are needed`);
  if (header.codec === null) {
    target.set(frame.subarray(BLOSC_HEADER_BYTES));
    return;
  }
  for (let block = 0; block < header.blocks; block++) {
    const from = block * header.blockBytes;
    decodeBloscBlock(header, frame.subarray(blockStart(frame, header, block)), target.subarray(from, from + blockLength(header, block)));
  }
}

/**
 * Decodes one block: its streams, then the shuffle.
 * @param block bytes of the frame from the block's first; may go on beyond its end
 * @param output as long as this block's output
 */
export function decodeBloscBlock(header: BloscHeader, block: Uint8Array, output: Uint8Array): void {
  if ((header.codec === 'lz4' || header.codec === 'zstd') && output.byteLength <= MAX_KERNEL_BLOCK) decodeInKernels(header, block, output);
  else decodeAny(header, block, output);
}

/** Planes and elements in the memory of the kernels: 4 times as fast as the same loops here, copies in and out included. */
function decodeInKernels(header: BloscHeader, block: Uint8Array, output: Uint8Array): void {
  const kernels = blockKernels(output.byteLength);
  const { bytes, planes } = kernels;
  eachStream({ header, block, outputBytes: output.byteLength }, (range, stored) => {
    if (stored) bytes.set(block.subarray(range.from, range.to), planes + range.start);
    // A stream that is longer than what it stands for is not worth its name; c-blosc stores those.
    else if (range.to - range.from > output.byteLength) throw malformed('a compressed stream is longer than its block');
    else if (header.codec === 'lz4' ? !decodeLz4(kernels, block, range) : !decodeZstd(kernels, block, range)) throw broken();
  });
  output.set(unshuffled(header, kernels, output.byteLength));
}

function decodeLz4({ bytes, stream, planes, lz4 }: BlockKernels, block: Uint8Array, { from, to, start, end }: Lz4Range): boolean {
  bytes.set(block.subarray(from, to), stream);
  return lz4(stream, stream + to - from, planes + start, planes + end) === 1;
}

/** With the kernels where there are literals only; other frames with the runtime's own decoder, where it has one. */
function decodeZstd({ bytes, stream, planes, huffman }: BlockKernels, block: Uint8Array, range: Lz4Range): boolean {
  const { from, to, start, end } = range;
  bytes.set(block.subarray(from, to), stream);
  const blocks = literalBlocks(bytes, { from: stream, end: stream + to - from, bytes: end - start });
  if (blocks !== null) return decodeLiteralBlocks(huffman, blocks, planes + start);
  return decodeStream('zstd', { source: block, target: bytes }, { from, to, start: planes + start, end: planes + end });
}

/** The elements of the block as a view of the kernels' memory. */
function unshuffled({ shuffle, size }: BloscHeader, { bytes, planes, elements, unshuffle: kernels }: BlockKernels, length: number): Uint8Array {
  const shuffled = bytes.subarray(planes, planes + length);
  if (shuffle === 'none' || (shuffle === 'bit' && length < size)) return shuffled;
  const result = bytes.subarray(elements, elements + length);
  const kernel = shuffle === 'byte' ? kernels.get(size) : undefined;
  if (kernel !== undefined) {
    const count = Math.floor(length / size);
    kernel(planes, count, elements);
    for (let i = count * size; i < length; i++) result[i] = shuffled[i] ?? 0;
  } else if (shuffle === 'byte') unshuffle(shuffled, result, size);
  else unbitshuffle(shuffled, result, size);
  return result;
}

function decodeAny(header: BloscHeader, block: Uint8Array, output: Uint8Array): void {
  const shuffled = header.shuffle === 'byte' || (header.shuffle === 'bit' && output.byteLength >= header.size);
  const planes = shuffled ? new Uint8Array(output.byteLength) : output;
  eachStream({ header, block, outputBytes: output.byteLength }, (range, stored) => {
    if (stored) planes.set(block.subarray(range.from, range.to), range.start);
    else if (header.codec === null || !decodeStream(header.codec, { source: block, target: planes }, range)) throw broken();
  });
  if (header.shuffle === 'byte') unshuffle(planes, output, header.size);
  else if (shuffled) unbitshuffle(planes, output, header.size);
}

function broken(): Error {
  return malformed('a compressed stream cannot be decoded to its length');
}
