import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat, utimes } from 'node:fs/promises';
import { systemCode } from '../../bytes/systemCode';

/** File systems may keep times in steps of two seconds. */
const TIME_STEP_MS = 2000;
const READ_BYTES = 1024 * 1024;

/**
 * Whether an object is there with the right content, which is read: a pointer to a damaged object must not be written. Its time is moved on, so
 * that whoever put it there does not take it back from this one, who counts on it from now on (`takeBackObject`).
 */
export async function claimObject(path: string, { oid, bytes }: { readonly oid: string; readonly bytes: number }): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true || found.size !== bytes) return false;
  const time = new Date(Math.max(Date.now(), found.mtimeMs + TIME_STEP_MS));
  // One that belongs to somebody else cannot be touched, and is not taken back by this user either.
  const gone = await utimes(path, time, time).then(
    () => false,
    (error: unknown) => systemCode(error) === 'ENOENT',
  );
  return !gone && (await digestOf(path)) === oid;
}

async function digestOf(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(path, { highWaterMark: READ_BYTES })) hash.update(piece as Buffer);
  } catch {
    return null;
  }
  return hash.digest('hex');
}
