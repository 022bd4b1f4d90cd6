import type { ByteRange, ByteSource } from './byteSource';
import { checkRange } from './checkRange';

/** A part of another source. Closing it closes the whole. @throws CheckpointError `truncated` when the range is not inside. */
export function sliceSource(source: ByteSource, range: ByteRange, name = 'slice'): ByteSource {
  checkRange(range.offset, range.length, source.length, name);
  return {
    length: range.length,
    read: async (offset, length) => {
      checkRange(offset, length, range.length, name);
      return source.read(range.offset + offset, length);
    },
    close: () => source.close(),
  };
}
