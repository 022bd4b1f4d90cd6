import { randomUUID } from 'node:crypto';
import { open, rename, unlink } from 'node:fs/promises';
import { CheckpointError } from '../../shared/contract/errors';
import { fileError } from './fileError';

/**
 * Writes a file so that a reader sees the old content or all of the new one: temporary file beside it, fsync, rename. The temporary file is
 * gone when anything fails.
 * @param mode permission bits of the file before the umask
 * @throws CheckpointError what the file system says, naming `path`; those that `fill` throws as they are
 */
export async function writeWhole(path: string, fill: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>, mode = 0o666): Promise<void> {
  const temporary = `${path}.${randomUUID()}.partial`;
  try {
    const handle = await open(temporary, 'wx', mode);
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
