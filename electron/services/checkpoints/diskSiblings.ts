import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import { openRegular } from '../../bytes/openRegular';
import type { OriginalFile } from './openedCheckpoint';
import { type FindSibling, missingSibling, refusedSibling, siblingParts } from './siblingParts';

/**
 * Files beside a checkpoint on disk. Where a path leads in the end, through links too, must be inside the checkpoint's folder, and a file that has
 * a second name (a hard link) may be one from elsewhere. A snapshot of a Hugging Face cache is made of links into the `blobs` of its own
 * repository (`models--x/snapshots/REVISION/model.onnx`): a checkpoint that is such a link may name others.
 * @param model absolute path of the checkpoint, as the user named it
 */
export function diskSiblings(model: string): FindSibling {
  return async (location) => {
    const parts = siblingParts(location);
    const folder = await realpath(dirname(model)).catch((error: unknown) => {
      throw fileError(error, model);
    });
    const path = join(folder, ...parts);
    const real = await realpath(path).catch((error: unknown) => {
      const failure = fileError(error, path);
      throw failure.code === 'not-found' ? missingSibling(location, `in the folder of the model, ${folder}`) : failure;
    });
    if (!isInside(real, folder) && !isInside(real, await blobsOf(model, folder))) throw refusedSibling(location, 'A link leads out of the folder of the model');
    return look(real, location);
  };
}

/** Opens the file once, so that what is checked is what is there. */
async function look(real: string, location: string): Promise<OriginalFile> {
  const { handle, size } = await openRegular(real).catch((error: unknown) => {
    throw fileError(error, real);
  });
  try {
    const { nlink } = await handle.stat();
    if (nlink > 1)
      throw refusedSibling(location, 'The file has a second name (a hard link), which may be anywhere', 'Copy the file, and put the copy in its place.');
    return { path: real, bytes: size, expected: null };
  } catch (error) {
    throw CheckpointError.from(error);
  } finally {
    await handle.close();
  }
}

/** `null` unless the checkpoint is a link from a snapshot into the blobs of the same repository. */
async function blobsOf(model: string, folder: string): Promise<string | null> {
  const target = await realpath(model).catch(() => null);
  if (target === null) return null;
  const blobs = dirname(target);
  return basename(blobs) === 'blobs' && isInside(folder, join(dirname(blobs), 'snapshots')) ? blobs : null;
}

function isInside(path: string, folder: string | null): boolean {
  if (folder === null) return false;
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:|^[\\/]/.test(way);
}
