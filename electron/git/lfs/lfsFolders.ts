import { dirname, isAbsolute, join, resolve } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { readSmallFile } from '../../bytes/readSmallFile';
import type { RepositoryPlace } from '../gitRepository';

type StoragePlace = Pick<RepositoryPlace, 'commonDir'>;

/**
 * Folder of Git LFS's objects: `lfs/objects` of the git directory that all work trees share, or of `lfs.storage`, which
 * may be absolute or relative to that directory (git-lfs-config(5)). `.lfsconfig` cannot set it: git-lfs ignores it there.
 */
export function lfsObjectsFolder(place: StoragePlace, storage: string | null): string {
  const root = storage === null || storage === '' ? 'lfs' : storage;
  return join(isAbsolute(root) ? root : join(place.commonDir, root), 'objects');
}

/** Where an object stands below an objects folder: `aa/bb/<oid>`. @throws invalid-request unless the oid is 64 lowercase hexadecimal digits */
export function lfsObjectPath(objects: string, oid: string): string {
  if (!/^[0-9a-f]{64}$/.test(oid)) {
    throw new CheckpointError('invalid-request', 'An LFS object id has 64 hexadecimal digits.', { place: { oid: oid.slice(0, 80) } });
  }
  return join(objects, oid.slice(0, 2), oid.slice(2, 4), oid);
}

/** LFS folders of the repositories that this one borrows git objects from: git-lfs looks there too. */
export async function lfsReferenceFolders(place: StoragePlace): Promise<readonly string[]> {
  const objects = join(place.commonDir, 'objects');
  const text = await readSmallFile(join(objects, 'info', 'alternates')).then(String, () => '');
  return text
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('"'))
    .map((line) => join(dirname(resolve(objects, line)), 'lfs', 'objects'));
}
