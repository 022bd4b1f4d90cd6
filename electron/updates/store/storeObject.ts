import { createHash, randomUUID } from 'node:crypto';
import { rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileError } from '../../bytes/fileError';
import type { ByteSink } from '../../encodings/zarr/arrayToWrite';
import { lfsObjectPath } from '../../git/lfs/lfsFolders';
import { flushFolders } from './flushFolders';
import { makeFolders } from './makeFolders';
import { StagedFile } from './stagedFile';

export interface ObjectFacts {
  /** SHA-256 of the content. */
  readonly oid: string;
  readonly bytes: number;
}

/**
 * Stores an object in a folder of LFS objects (`…/lfs/objects`) under its SHA-256, so that it is there as a whole or not at all: a temporary
 * file in `…/lfs/tmp` (where git-lfs removes what a killed process left after an hour), fsync, rename, fsync of the folder. An object that is
 * there already with the right size stays as it is.
 * @param objects `null`: nothing is written, only counted and hashed
 * @param fill hands the content to the sink, in order
 * @throws CheckpointError no-space, permission, ... naming the path; what `fill` throws. No temporary file stays.
 */
export async function storeObject(objects: string | null, fill: (sink: ByteSink) => Promise<void>): Promise<ObjectFacts> {
  const facts = await storeObjectIf(objects, fill, () => true);
  if (facts === null) throw new TypeError('An object that nobody refused was not stored');
  return facts;
}

/**
 * As `storeObject`, but asks when the content is complete whether an object of so many bytes is wanted.
 * @returns `null` when it was not accepted
 */
export async function storeObjectIf(
  objects: string | null,
  fill: (sink: ByteSink) => Promise<void>,
  accept: (bytes: number) => boolean,
): Promise<ObjectFacts | null> {
  const hash = createHash('sha256');
  const file = objects === null ? null : new StagedFile(join(dirname(objects), 'tmp'), `theta-${randomUUID()}`);
  let bytes = 0;
  try {
    await fill(async (part) => {
      bytes += part.byteLength;
      // A large part is written in a thread of its own, while this one hashes.
      const written = file?.write(part);
      hash.update(part);
      if (written !== undefined) await written;
    });
    if (!accept(bytes)) {
      await file?.discard();
      return null;
    }
    const oid = hash.digest('hex');
    if (objects !== null && file !== null) await settle(file, lfsObjectPath(objects, oid), bytes);
    return { oid, bytes };
  } catch (error) {
    await file?.discard();
    throw error;
  }
}

/** Moves the file to its place, unless the object is there already. */
async function settle(file: StagedFile, path: string, bytes: number): Promise<void> {
  if (await isThere(path, bytes)) return file.discard();
  const temporary = await file.finish();
  const folder = dirname(path);
  try {
    const created = await makeFolders(folder);
    await rename(temporary, path).catch(async (error: unknown) => {
      // Windows does not replace a file that somebody reads; when that file is the object, nothing is missing.
      if (!(await isThere(path, bytes))) throw error;
      await unlink(temporary);
    });
    await flushFolders(folder, created === null ? folder : dirname(created));
  } catch (error) {
    throw fileError(error, path);
  }
}

async function isThere(path: string, bytes: number): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true && found.size === bytes;
}
