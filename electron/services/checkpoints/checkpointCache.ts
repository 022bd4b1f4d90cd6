import { BoundedMap } from '../../../shared/base/boundedMap';
import type { CommitHash } from '../../../shared/model/commit';
import type { BlobFiles } from '../blobFiles';
import type { OpenedRepository } from '../repositories/openedRepository';
import type { OpenedCheckpoint } from './openedCheckpoint';
import { openVersion } from './openVersion';

/** Parameter groups kept over all opened versions; about 1 kB each. Two versions are kept in any case: one is compared with the other. */
const MAX_GROUPS = 100_000;

export interface CheckpointCache {
  open(repository: OpenedRepository, version: { readonly commit: CommitHash; readonly path: string }, signal?: AbortSignal): Promise<OpenedCheckpoint>;
  /** The LFS store of the repository may have changed: versions with errors are looked at again. */
  forgetFailures(repository: OpenedRepository): void;
}

/** Keeps the most recently used versions opened, by repository, commit and path: commits never change. */
export function createCheckpointCache(blobFiles: BlobFiles): CheckpointCache {
  const opened = new BoundedMap<string, OpenedCheckpoint>(MAX_GROUPS, { weigh: ({ groups }) => groups.size + 1, atLeast: 2 });

  return {
    async open(repository, { commit, path }, signal) {
      const key = `${repository.id}:${commit}:${path}`;
      const known = opened.get(key);
      if (known !== undefined) return known;
      const checkpoint = await openVersion({ repository, commit, path, blobFiles, ...(signal === undefined ? {} : { signal }) });
      opened.set(key, checkpoint);
      return checkpoint;
    },
    forgetFailures(repository) {
      opened.deleteWhere(({ groups }, key) => key.startsWith(`${repository.id}:`) && [...groups.values()].some(({ group }) => group.error !== null));
    },
  };
}
