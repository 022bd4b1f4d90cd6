import { crc32 } from 'node:zlib';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { ByteSource } from '../../bytes/byteSource';
import { readInto } from '../../bytes/readInto';

const BLOCK_BYTES = 1024 * 1024;

/** CRC-32 of ranges of a source, through one buffer. */
export function fileChecksum(source: ByteSource, signal: AbortSignal | undefined): (offset: number, bytes: number) => Promise<number> {
  let buffer: Uint8Array | null = null;
  return async (offset, bytes) => {
    let checksum = 0;
    for (let done = 0; done < bytes; ) {
      throwIfCancelled(signal);
      buffer ??= new Uint8Array(BLOCK_BYTES);
      const block = buffer.subarray(0, Math.min(BLOCK_BYTES, bytes - done));
      await readInto(source, offset + done, block);
      checksum = crc32(block, checksum);
      done += block.byteLength;
    }
    return checksum;
  };
}
