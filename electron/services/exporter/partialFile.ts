import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import { moveFile } from '../../bytes/moveFile';
import { systemCode } from '../../bytes/systemCode';
import type { Destination } from './checkDestination';
import { partialName } from './partialName';

/** A file that is not there yet under its own name. */
export interface PartialFile {
  readonly path: string;
  readonly handle: FileHandle;
  /** Forces what was written to the disk, gives the file its name, and forces the name to the disk. @throws CheckpointError exists, permission ... */
  publish(): Promise<void>;
}

/**
 * Has `write` fill a new file beside the destination and gives it its name when that succeeds; removes it otherwise.
 * Nobody ever sees an unfinished file under the destination's name, and a file that was there stays until the new one takes its place.
 * Errors name the destination, not the partial file.
 */
export async function withPartialFile<T>(destination: Destination, bytes: number, write: (partial: PartialFile) => Promise<T>): Promise<T> {
  const path = join(destination.staging ?? destination.folder, partialName(basename(destination.path)));
  try {
    const handle = await open(path, 'wx', destination.mode ?? 0o666);
    try {
      await handle.truncate(bytes);
      // The umask took part in open(); what is replaced keeps its exact permissions.
      if (destination.mode !== null) await handle.chmod(destination.mode).catch(() => {});
      return await write({ path, handle, publish: () => publish(path, handle, destination) });
    } finally {
      await handle.close().catch(() => {});
      // After it got its name there is nothing left to remove.
      await unlink(path).catch(() => {});
    }
  } catch (error) {
    throw named(fileError(error, path), path, destination.path);
  }
}

async function publish(partial: string, handle: FileHandle, { path, folder, overwrite }: Destination): Promise<void> {
  await handle.sync();
  // Windows does not rename open files.
  await handle.close();
  if (overwrite) await moveFile(partial, path);
  else await renameExclusively(partial, path);
  await syncFolder(folder);
}

/** rename() replaces; link() fails when the name is taken, even if it was taken a moment ago. */
async function renameExclusively(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw existsError(path, error);
    // File systems without hard links: take the name with an empty file first, which is as exclusive.
    const claim = await open(path, 'wx').catch((failure: unknown) => {
      throw systemCode(failure) === 'EEXIST' ? existsError(path, failure) : failure;
    });
    await claim.close();
    await rename(partial, path).catch(async (failure: unknown) => {
      await unlink(path).catch(() => {});
      throw failure;
    });
  }
}

function existsError(path: string, cause: unknown): CheckpointError {
  return new CheckpointError('exists', `${path} was created by another program meanwhile; it was left as it is.`, {
    place: { file: path },
    hint: 'Export again under another name.',
    cause,
  });
}

/** Not every system lets a folder be opened or synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close().catch(() => {});
}

/** The user asked for `path` and need not know the partial file's name. */
function named(error: CheckpointError, partial: string, path: string): CheckpointError {
  if (error.place.file !== partial && !error.message.includes(partial)) return error;
  return new CheckpointError(error.code, error.message.replaceAll(partial, path), {
    place: { ...error.place, file: path },
    cause: error,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.detail === undefined ? {} : { detail: error.detail.replaceAll(partial, path) }),
  });
}
