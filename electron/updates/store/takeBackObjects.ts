import { randomUUID } from 'node:crypto';
import { link, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lfsObjectPath } from '../../git/lfs/lfsFolders';
import type { ObjectFacts, ObjectMark } from './objectFacts';

export type StoredObject = Pick<ObjectFacts, 'oid' | 'mark'>;

/**
 * Removes the objects that calls of `storeObject` have put there, given what these calls answered, all of them. One that was there before, or
 * that somebody else has stored too, stays: they count on it. The folders stay as well, since others may be about to use them.
 * @param objects folder of the LFS objects
 * @throws what the system says
 */
export async function takeBackObjects(objects: string, stored: readonly StoredObject[]): Promise<void> {
  const marks = new Map<string, ObjectMark[]>();
  for (const { oid, mark } of stored) if (mark !== null) marks.set(oid, [...(marks.get(oid) ?? []), mark]);
  for (const [oid, own] of marks) await takeBack(objects, oid, ownTimes(own));
}

/** The times that the object has had by these calls alone, from when one of them put it there. */
function ownTimes(marks: readonly ObjectMark[]): ReadonlySet<bigint> {
  const times = new Set<bigint>();
  for (let size = -1; size < times.size; ) {
    size = times.size;
    for (const { before, after } of marks) if (before === null || times.has(before)) times.add(after);
  }
  return times;
}

async function takeBack(objects: string, oid: string, own: ReadonlySet<bigint>): Promise<void> {
  const path = lfsObjectPath(objects, oid);
  if (!(await isOwn(path, own))) return;
  // Out of the way first: from here on nobody finds it and counts on it.
  const aside = join(dirname(objects), 'tmp', `theta-${randomUUID()}`);
  await rename(path, aside);
  if (!(await isOwn(aside, own))) await link(aside, path).catch(() => {});
  await unlink(aside);
}

function isOwn(path: string, times: ReadonlySet<bigint>): Promise<boolean> {
  return stat(path, { bigint: true }).then(
    ({ mtimeNs }) => times.has(mtimeNs),
    () => false,
  );
}
