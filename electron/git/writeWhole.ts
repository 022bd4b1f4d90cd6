import { open, rename, unlink } from 'node:fs/promises';
import { CheckpointError } from '../../shared/contract/errors';
import { fileError } from '../bytes/fileError';

/** Temporary file, fsync, rename; the temporary file is gone when anything fails. */
export async function writeWhole(path: string, fill: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>): Promise<void> {
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2, 10)}.partial`;
  const handle = await open(temporary, 'wx').catch((error: unknown) => {
    throw fileError(error, path);
  });
  try {
    try {
      await fill(async (bytes) => {
        for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done)).bytesWritten;
      });
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error instanceof CheckpointError ? error : fileError(error, path);
  }
}
