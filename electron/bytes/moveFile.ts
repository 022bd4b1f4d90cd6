import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from './systemCode';

/**
 * Gives a file another name, taking the place of what is there. Between file systems it is copied beside its new place first, so that nobody
 * sees half of it. @throws what the system says; then both names are as before
 */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    await copyAcross(from, to);
    await unlink(from).catch(() => {});
  }
}

async function copyAcross(from: string, to: string): Promise<void> {
  const temporary = join(dirname(to), `.${basename(to)}.${randomUUID()}.partial`);
  try {
    await copyFile(from, temporary, constants.COPYFILE_EXCL);
    const handle = await open(temporary, 'r+');
    await handle.sync().finally(() => handle.close());
    await rename(temporary, to);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}
