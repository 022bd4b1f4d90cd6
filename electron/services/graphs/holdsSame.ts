import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { isCheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import { openFileSource } from '../../bytes/fileSource';

const BLOCK_BYTES = 4 * 1024 * 1024;

/** Whether a file is there and holds the same bytes as a source. @throws CheckpointError permission, cancelled, what reading throws */
export async function holdsSame(path: string, source: ByteSource, signal: AbortSignal): Promise<boolean> {
  const file = await openFileSource(path).catch((error: unknown) => {
    if (isCheckpointError(error, 'not-found') || isCheckpointError(error, 'invalid-request')) return null;
    throw error;
  });
  if (file === null) return false;
  try {
    if (file.length !== source.length) return false;
    for (let at = 0; at < source.length; at += BLOCK_BYTES) {
      throwIfCancelled(signal);
      const length = Math.min(BLOCK_BYTES, source.length - at);
      if (Buffer.compare(await file.read(at, length), await source.read(at, length)) !== 0) return false;
    }
    return true;
  } finally {
    await file.close();
  }
}
