import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CheckpointError } from '../../shared/contract/errors';
import { fileError } from './fileError';
import { moveFile } from './moveFile';

export interface WriteWholeOptions {
  /** Permission bits of the file before the umask; default 0o666. */
  readonly mode?: number;
  /** Where the temporary file is made; default beside the file. */
  readonly folder?: string;
}

/**
 * Writes a file so that a reader sees the old content or all of the new one: temporary file, fsync, rename. The temporary file is gone when
 * anything fails.
 * @throws CheckpointError what the file system says, naming `path`; those that `fill` throws as they are
 */
export async function writeWhole(
  path: string,
  fill: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>,
  { mode = 0o666, folder = dirname(path) }: WriteWholeOptions = {},
): Promise<void> {
  const temporary = join(folder, `${basename(path)}.${randomUUID()}.partial`);
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
    await moveFile(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error instanceof CheckpointError ? error : fileError(error, path);
  }
}
