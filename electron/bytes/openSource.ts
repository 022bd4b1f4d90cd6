import { assertNever } from '../../shared/base/assertNever';
import type { ByteSource, SourceRef } from './byteSource';
import { openFileSource } from './fileSource';
import { memorySource } from './memorySource';
import { sliceSource } from './sliceSource';

/** Reopens what a SourceRef names; the caller closes it. */
export async function openSource(ref: SourceRef): Promise<ByteSource> {
  switch (ref.kind) {
    case 'memory':
      return memorySource(ref.bytes);
    case 'file': {
      const file = await openFileSource(ref.path);
      if (ref.range === undefined) return file;
      try {
        return sliceSource(file, ref.range, ref.path);
      } catch (error) {
        await file.close();
        throw error;
      }
    }
    default:
      return assertNever(ref);
  }
}
