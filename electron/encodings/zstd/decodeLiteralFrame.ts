import type { HuffmanKernels } from './huffmanKernels';
import type { LiteralBlock } from './literalFrame';
import { readTree } from './readTree';

/**
 * Decodes the blocks of a frame in the memory of the kernels.
 * @param blocks as `literalBlocks` found them, their places already in the memory
 * @param start first byte of the output, which has room for all of theirs and 8 bytes more
 * @returns whether they are sound
 */
export function decodeLiteralBlocks(kernels: HuffmanKernels, blocks: readonly LiteralBlock[], start: number): boolean {
  const { bytes } = kernels;
  let at = start;
  for (const block of blocks) {
    const end = at + block.bytes;
    if (block.kind === 'raw') bytes.copyWithin(at, block.from, block.end);
    else if (block.kind === 'repeated') bytes.fill(bytes[block.from] ?? 0, at, end);
    else if (!decodeHuffman(kernels, block, { start: at, end })) return false;
    at = end;
  }
  return true;
}

/** Fewest bytes that four streams can be made of with a part for each. */
const FOUR_PARTS = 6;

function decodeHuffman(kernels: HuffmanKernels, block: LiteralBlock, output: { readonly start: number; readonly end: number }): boolean {
  const { bytes } = kernels;
  const tree = readTree(kernels, bytes.subarray(block.from, block.end));
  if (tree === null) return false;
  const from = block.from + tree.bytes;
  if (block.streams === 1) return kernels.decode1({ from, end: block.end }, output, tree.log);
  if (block.bytes < FOUR_PARTS || from + 6 > block.end) return false;
  const sizeAt = (i: number) => (bytes[from + 2 * i] ?? 0) | ((bytes[from + 2 * i + 1] ?? 0) << 8);
  const first = from + 6;
  const second = first + sizeAt(0);
  const third = second + sizeAt(1);
  const fourth = third + sizeAt(2);
  return fourth < block.end && kernels.decode4({ starts: [first, second, third, fourth], end: block.end }, output, tree.log);
}
