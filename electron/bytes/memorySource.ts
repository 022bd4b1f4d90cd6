import type { ByteSource } from './byteSource';
import { checkRange } from './checkRange';

/** Bytes that are in memory already; reads are views. */
export function memorySource(bytes: Uint8Array, name = 'memory'): ByteSource {
  return {
    length: bytes.byteLength,
    read: async (offset, length) => {
      checkRange(offset, length, bytes.byteLength, name);
      return bytes.subarray(offset, offset + length);
    },
    close: async () => {},
  };
}
