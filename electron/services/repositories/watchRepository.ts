import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { Disposable } from '../../../shared/base/disposable';
import type { RepositoryPlace } from '../../git/gitRepository';

/** Several files move for one commit; wait until they have. */
const SETTLE_MS = 300;
/** Names in the git directory that say that refs, HEAD, index or objects fetched by LFS moved. */
const OF_INTEREST = /^(?:HEAD|ORIG_HEAD|FETCH_HEAD|MERGE_HEAD|packed-refs|index|shallow|refs|logs|reftable)(?:$|[\\/])/;

/**
 * Calls back when refs, HEAD or the index of a repository moved. Watches folders, not the work tree: checkpoints there may be huge and
 * change often. Where the system gives no watcher (network file systems), nothing is reported and the window's refresh does it.
 */
export function watchRepository(place: RepositoryPlace, onChange: () => void): Disposable {
  const watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | null = null;
  const changed = (_event: string, name: string | null) => {
    if (name !== null && (!OF_INTEREST.test(name) || name.endsWith('.lock'))) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
    timer.unref();
  };
  const add = (folder: string, recursive: boolean, within = '') => {
    try {
      const watcher = watch(folder, { recursive, persistent: false }, (event, name) => changed(event, name === null ? null : `${within}${name}`));
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // No watcher to be had here: said above.
    }
  };
  for (const folder of new Set([place.gitDir, place.commonDir])) add(folder, false);
  add(join(place.commonDir, 'refs'), true, 'refs/');
  return {
    dispose() {
      if (timer !== null) clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
