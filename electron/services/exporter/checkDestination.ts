import type { Stats } from 'node:fs';
import { lstat, readlink, realpath, stat, statfs } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { formatBytes } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import { systemCode } from '../../bytes/systemCode';
import { isInGitDirectory } from './isInGitDirectory';

/** A place that a file may be written to. */
export interface Destination {
  /** Absolute path of the file itself: symbolic links are followed, so that a link goes on pointing at the exported file. */
  readonly path: string;
  readonly folder: string;
  readonly overwrite: boolean;
  /** Permission bits of the file that will be replaced; `null` when there is none. */
  readonly mode: number | null;
  /** Where the file is made until it is whole; default its own folder. */
  readonly staging?: string;
}

/**
 * Looks at a destination before anything is done.
 * @throws CheckpointError exists; invalid-request when it is a folder, device, relative path or git's own; not-found when its folder is missing;
 * permission; no-space when fewer than `bytes` are free.
 */
export async function checkDestination(destination: string, options: { readonly overwrite: boolean; readonly bytes: number }): Promise<Destination> {
  const { overwrite, bytes } = options;
  if (!isAbsolute(destination)) throw new CheckpointError('invalid-request', `${destination} is not an absolute path.`, { place: { file: destination } });
  const place = { place: { file: destination } };
  const folder = await realpath(dirname(destination)).catch((error: unknown) => {
    if (!['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw fileError(error, dirname(destination));
    throw new CheckpointError('not-found', `The folder ${dirname(destination)} does not exist.`, { ...place, hint: 'Create it, or choose another one.' });
  });
  if (!(await stat(folder)).isDirectory()) throw new CheckpointError('not-found', `${dirname(destination)} is not a folder.`, place);
  const path = join(folder, basename(destination));
  const found = await lookAt(path, destination);
  if (found?.stats.isDirectory() === true) {
    throw new CheckpointError('invalid-request', `${destination} is a folder.`, { ...place, hint: 'Add a file name to it.' });
  }
  if (found !== null && !overwrite) {
    throw new CheckpointError('exists', `${destination} exists already.`, { ...place, hint: 'Choose another name, or have it replaced.' });
  }
  if (found !== null && !found.stats.isFile()) throw new CheckpointError('invalid-request', `${destination} is not a regular file.`, place);
  const real = found?.path ?? path;
  if (await isInGitDirectory(real)) {
    throw new CheckpointError('invalid-request', `${destination} belongs to git, whose files only git writes.`, {
      ...place,
      hint: 'Choose a folder outside the .git folder.',
    });
  }
  await checkSpace(dirname(real), bytes, destination);
  return { path: real, folder: dirname(real), overwrite, mode: found === null ? null : found.stats.mode & 0o777 };
}

async function lookAt(path: string, destination: string): Promise<{ readonly path: string; readonly stats: Stats } | null> {
  try {
    const stats = await lstat(path);
    if (!stats.isSymbolicLink()) return { path, stats };
    const real = await realpath(path).catch(async (error: unknown) => {
      if (systemCode(error) !== 'ENOENT') throw error;
      throw new CheckpointError('not-found', `${destination} is a symbolic link to ${await readlink(path)}, which does not exist.`, {
        place: { file: destination },
        hint: 'Remove the link, or choose another name.',
      });
    });
    return { path: real, stats: await stat(real) };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw fileError(error, destination);
  }
}

/** File systems that cannot say how much is free (they fail, or report no blocks at all) are given the benefit of the doubt. */
async function checkSpace(folder: string, bytes: number, destination: string): Promise<void> {
  const info = await statfs(folder).catch(() => null);
  if (info === null || info.blocks === 0) return;
  const free = info.bavail * info.bsize;
  if (free >= bytes) return;
  throw new CheckpointError('no-space', `${formatBytes(bytes)} are needed for ${basename(destination)}, but only ${formatBytes(free)} are free.`, {
    place: { file: destination },
    hint: 'Free some space, or choose another disk.',
  });
}
