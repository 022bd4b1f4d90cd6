import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { CheckpointError } from '../../shared/contract/errors';

/** Windows has none, and no pipes among its files. */
const NONBLOCK: number = constants.O_NONBLOCK ?? 0;

export interface RegularFile {
  readonly handle: FileHandle;
  /** Bytes when it was opened. */
  readonly size: number;
}

/**
 * Opens a regular file for reading. Opening a named pipe as usual would wait for a writer, perhaps for ever, in one of the few threads
 * that all reading shares; a device may have no end. @throws what the system says; invalid-request for anything that is no regular file
 */
export async function openRegular(path: string): Promise<RegularFile> {
  const handle = await open(path, constants.O_RDONLY | NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new CheckpointError('invalid-request', `${path} is not a file.`, { place: { file: path } });
    return { handle, size: stats.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
