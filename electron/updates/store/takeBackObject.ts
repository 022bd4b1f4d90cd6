import { randomUUID } from 'node:crypto';
import { link, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lfsObjectPath } from '../../git/lfs/lfsFolders';
import type { ObjectFacts } from './storeObject';

/**
 * Removes an object that `storeObject` put there and that nothing refers to yet. One that somebody else has stored too since then stays: they
 * count on it. Its folders stay as well, since others may be about to use them.
 * @param objects folder of the LFS objects
 * @throws what the system says
 */
export async function takeBackObject(objects: string, { oid, created }: Pick<ObjectFacts, 'oid' | 'created'>): Promise<void> {
  if (created === null) return;
  const path = lfsObjectPath(objects, oid);
  if ((await changedAt(path)) !== created) return;
  // Out of the way first: from here on nobody finds it and counts on it.
  const aside = join(dirname(objects), 'tmp', `theta-${randomUUID()}`);
  await rename(path, aside);
  if ((await changedAt(aside)) !== created) await link(aside, path).catch(() => {});
  await unlink(aside);
}

function changedAt(path: string): Promise<bigint | null> {
  return stat(path, { bigint: true }).then(
    ({ mtimeNs }) => mtimeNs,
    () => null,
  );
}
