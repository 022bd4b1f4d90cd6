import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryPlace } from '../../git/gitRepository';
import { stateFolder } from '../stateFolder';

/** Bytes of all kept values of a repository; a checkpoint of 50 MB whose every group changes a little each time has them twice. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Where the last values of groups with updates are kept (`updates/store/keptValues`). */
export function keptValuesFolder(place: Pick<RepositoryPlace, 'commonDir'>): string {
  return join(stateFolder(place), 'values');
}

/** Removes the values that were not used for longest, until the others fit. Failures are not worth failing anything for. */
export async function pruneKeptValues(place: Pick<RepositoryPlace, 'commonDir'>): Promise<void> {
  const folder = keptValuesFolder(place);
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(names.map(async (name) => ({ path: join(folder, name), found: await stat(join(folder, name)).catch(() => null) })));
  let bytes = 0;
  for (const { path, found } of files.toSorted((a, b) => (b.found?.mtimeMs ?? 0) - (a.found?.mtimeMs ?? 0))) {
    bytes += found?.size ?? 0;
    if (bytes > MAX_BYTES) await unlink(path).catch(() => {});
  }
}
