import { createHash, randomUUID } from 'node:crypto';
import { link, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileError } from '../../bytes/fileError';
import { makeFolders } from '../../bytes/makeFolders';
import { systemCode } from '../../bytes/systemCode';
import type { ByteSink } from '../../encodings/zarr/arrayToWrite';
import { lfsObjectPath } from '../../git/lfs/lfsFolders';
import { claimObject } from './claimObject';
import { flushFolders } from './flushFolders';
import type { ObjectFacts, ObjectMark } from './objectFacts';
import { StagedFile } from './stagedFile';

/**
 * Stores an object in a folder of LFS objects (`…/lfs/objects`) under its SHA-256, so that it is there as a whole or not at all: a temporary
 * file in `…/lfs/tmp` (where git-lfs removes what a killed process left after an hour), fsync, its name, fsync of the folder. An object that is
 * there already stays, if its content is right; a damaged one is replaced.
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
    const mark = objects === null || file === null ? null : await settle(file, lfsObjectPath(objects, oid), { oid, bytes });
    return { oid, bytes, mark };
  } catch (error) {
    await file?.discard();
    throw error;
  }
}

/** Gives the file its place, unless the object is there already. */
async function settle(file: StagedFile, path: string, object: { readonly oid: string; readonly bytes: number }): Promise<ObjectMark> {
  const claimed = await claimObject(path, object);
  if (claimed !== null) {
    await file.discard();
    return claimed;
  }
  const { path: temporary, changed } = await file.finish();
  const folder = dirname(path);
  try {
    const made = await makeFolders(folder);
    const others = await place(temporary, path, object);
    await flushFolders(folder, made === null ? folder : dirname(made));
    return others ?? { before: null, after: changed };
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Of several that store the same object at once, one places it. @returns `null` when it was this one */
async function place(temporary: string, path: string, object: { readonly oid: string; readonly bytes: number }): Promise<ObjectMark | null> {
  try {
    await link(temporary, path);
    await unlink(temporary);
    return null;
  } catch (error) {
    const claimed = systemCode(error) === 'EEXIST' ? await claimObject(path, object) : null;
    if (claimed !== null) await unlink(temporary);
    // A damaged object is in the way, or the file system has no hard links.
    else await rename(temporary, path);
    return claimed;
  }
}
