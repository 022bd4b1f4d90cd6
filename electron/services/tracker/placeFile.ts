import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, realpath, rename, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import { systemCode } from '../../bytes/systemCode';
import type { Undo } from './undo';

/**
 * Brings a file to its place in the work tree: copied beside it (sharing blocks where the file system can), synced, and renamed. What was there
 * is kept aside until `settled`, so that `undo` can put it back.
 * @returns what to call when the new file is there to stay
 * @throws CheckpointError not-found, permission, no-space, invalid-request when a folder is in the way
 */
export async function placeFile(source: string, target: string, undo: Undo): Promise<() => Promise<void>> {
  if (await isSameFile(source, target)) return async () => {};
  const made = await mkdir(dirname(target), { recursive: true }).catch((error: unknown) => {
    throw fileError(error, dirname(target));
  });
  if (made !== undefined) undo.add(() => removeEmpty(dirname(target), made));
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.partial`);
  try {
    await copyFile(source, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const handle = await open(temporary, 'r+');
    await handle.sync().finally(() => handle.close());
    const aside = await setAside(target, undo);
    await rename(temporary, target);
    undo.add(() => (aside === null ? unlink(target) : rename(aside, target)));
    return () => removeAside(aside);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw systemCode(error) === 'ENOENT' ? fileError(error, source) : fileError(error, target);
  }
}

/** Keeps a file that is about to be replaced; `undo` puts it back, the returned function gives it up. */
export async function keepCopy(target: string, undo: Undo): Promise<() => Promise<void>> {
  const aside = await setAside(target, undo);
  if (aside !== null) undo.add(() => rename(aside, target));
  return () => removeAside(aside);
}

async function removeAside(aside: string | null): Promise<void> {
  if (aside !== null) await unlink(aside).catch(() => {});
}

async function isSameFile(source: string, target: string): Promise<boolean> {
  const [from, to] = await Promise.all([realpath(source).catch(() => source), realpath(target).catch(() => target)]);
  return from === to;
}

/** A second name for what is at the target, which is about to be replaced; `null` when nothing is there. */
async function setAside(target: string, undo: Undo): Promise<string | null> {
  const found = await lstat(target).catch(() => null);
  if (found === null) return null;
  if (!found.isFile()) throw new CheckpointError('invalid-request', `${target} is not a regular file.`, { place: { file: target } });
  const aside = join(dirname(target), `.${basename(target)}.${randomUUID()}.before`);
  try {
    await link(target, aside);
  } catch {
    // File systems without hard links.
    await copyFile(target, aside, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
  undo.add(() => unlink(aside));
  return aside;
}

/** Folders that were made and hold nothing. */
async function removeEmpty(folder: string, first: string): Promise<void> {
  for (let here = folder; here.length >= first.length; here = dirname(here)) await rmdir(here);
}
