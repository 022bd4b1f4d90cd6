import { BLOCK_BYTES } from '../../tensors/tensorStream';

/** All blocks as one array; checks that none is larger than allowed. */
export async function collect(blocks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const block of blocks) {
    if (block.byteLength > BLOCK_BYTES) throw new Error(`A block has ${block.byteLength} bytes`);
    parts.push(Uint8Array.from(block));
  }
  return Buffer.concat(parts);
}
