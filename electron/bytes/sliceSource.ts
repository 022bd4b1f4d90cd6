import type { ByteRange, ByteSource } from './byteSource';
import { checkRange } from './checkRange';

/** A part of another source. Closing it closes the whole. @throws CheckpointError `truncated` when the range is not inside. */
export function sliceSource(source: ByteSource, range: ByteRange, name = 'slice'): ByteSource {
  checkRange(range.offset, range.length, source.length, name);
  const readInto = source.readInto?.bind(source);
  const readIntoSync = source.readIntoSync?.bind(source);
  return {
    length: range.length,
    read: async (offset, length) => {
      checkRange(offset, length, range.length, name);
      return source.read(range.offset + offset, length);
    },
    ...(readInto === undefined
      ? {}
      : {
          readInto: async (offset: number, into: Uint8Array) => {
            checkRange(offset, into.byteLength, range.length, name);
            await readInto(range.offset + offset, into);
          },
        }),
    ...(readIntoSync === undefined
      ? {}
      : {
          readIntoSync: (offset: number, into: Uint8Array) => {
            checkRange(offset, into.byteLength, range.length, name);
            readIntoSync(range.offset + offset, into);
          },
        }),
    close: () => source.close(),
  };
}
