import { constants } from 'node:fs';
import { copyFile, open, realpath, rmdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileError } from '../../bytes/fileError';
import { makeFolders } from '../../bytes/makeFolders';
import { moveFile } from '../../bytes/moveFile';
import { systemCode } from '../../bytes/systemCode';
import { partialName } from '../exporter/partialName';
import { removeStalePartials } from '../exporter/removeStalePartials';
import { type Keeping, keepFile } from './keepFile';
import { stagingFolder } from './stagingFolder';

/**
 * Brings a file to its place in the work tree: copied (sharing blocks where the file system can), synced, and renamed. What was there is kept
 * until the whole stands.
 * @throws CheckpointError not-found, permission, no-space, invalid-request when something else than a file is in the way
 */
export async function placeFile(source: string, target: string, keeping: Keeping): Promise<void> {
  if (await isSameFile(source, target)) return;
  const folder = dirname(target);
  const made = await makeFolders(folder).catch((error: unknown) => {
    throw fileError(error, folder);
  });
  if (made !== null) keeping.undo.add(() => removeEmpty(folder, made));
  const staging = await stagingFolder(keeping.place, target).catch((error: unknown) => {
    throw fileError(error, target);
  });
  if (staging === folder) await removeStalePartials({ folder, path: target });
  const temporary = join(staging, partialName(basename(target)));
  try {
    await copyFile(source, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const handle = await open(temporary, 'r+');
    try {
      // A file that was sent to the host is readable by its user alone; in the work tree it is a file like those that git makes.
      await handle.chmod(((await modeOf(target)) ?? 0o666 & ~process.umask()) & 0o777).catch(() => {});
      await handle.sync();
    } finally {
      await handle.close();
    }
    const kept = await keepFile(target, keeping);
    await moveFile(temporary, target);
    await kept.replaced();
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw systemCode(error) === 'ENOENT' ? fileError(error, source) : fileError(error, target);
  }
}

/** Permissions of the file that is replaced; `null` when there is none. */
function modeOf(target: string): Promise<number | null> {
  return stat(target).then(
    ({ mode }) => mode,
    () => null,
  );
}

async function isSameFile(source: string, target: string): Promise<boolean> {
  const [from, to] = await Promise.all([realpath(source).catch(() => source), realpath(target).catch(() => target)]);
  return from === to;
}

/** Folders that were made, as far as they hold nothing. */
async function removeEmpty(folder: string, first: string): Promise<void> {
  for (let here = folder; here.length >= first.length; here = dirname(here)) await rmdir(here);
}
