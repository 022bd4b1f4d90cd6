import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat, utimes } from 'node:fs/promises';
import { systemCode } from '../../bytes/systemCode';
import type { ObjectFacts, ObjectMark } from './objectFacts';

/** File systems may keep times in steps of two seconds. */
const TIME_STEP = 2_000_000_000n;
const READ_BYTES = 1024 * 1024;

/**
 * Looks whether an object is there with the right content, which is read: a pointer to a damaged object must not be written. Its time is moved
 * on, so that whoever put it there does not take it back from this caller, who counts on it from now on (`takeBackObjects`).
 * @returns `null` when it is not there, or damaged
 */
export async function claimObject(path: string, { oid, bytes }: Pick<ObjectFacts, 'oid' | 'bytes'>): Promise<ObjectMark | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  if (found?.isFile() !== true || found.size !== BigInt(bytes)) return null;
  const now = BigInt(Date.now()) * 1_000_000n;
  const next = found.mtimeNs + TIME_STEP > now ? found.mtimeNs + TIME_STEP : now;
  const time = new Date(Number(next / 1_000_000n));
  try {
    await utimes(path, time, time);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    // One that belongs to somebody else cannot be touched, and is not taken back by this user either.
  }
  const touched = await stat(path, { bigint: true }).catch(() => null);
  if (touched === null || (await digestOf(path)) !== oid) return null;
  return { before: found.mtimeNs, after: touched.mtimeNs };
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
