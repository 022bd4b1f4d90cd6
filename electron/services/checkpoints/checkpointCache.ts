import type { CommitHash } from '../../../shared/model/commit';
import type { BlobFiles } from '../blobFiles';
import type { OpenedRepository } from '../repositories/openedRepository';
import type { OpenedCheckpoint } from './openedCheckpoint';
import { openVersion } from './openVersion';

/** Parameter groups kept over all opened versions; about 1 kB each. */
const MAX_GROUPS = 100_000;

export interface CheckpointCache {
  open(repository: OpenedRepository, version: { readonly commit: CommitHash; readonly path: string }, signal?: AbortSignal): Promise<OpenedCheckpoint>;
  /** The LFS store of the repository may have changed: versions with errors are looked at again. */
  forgetFailures(repository: OpenedRepository): void;
}

/** Keeps the most recently used versions opened, by repository, commit and path: commits never change. */
export function createCheckpointCache(blobFiles: BlobFiles): CheckpointCache {
  const opened = new Map<string, OpenedCheckpoint>();

  const evict = () => {
    let groups = 0;
    for (const key of [...opened.keys()].reverse()) {
      groups += (opened.get(key)?.groups.size ?? 0) + 1;
      if (groups > MAX_GROUPS && opened.size > 2) opened.delete(key);
    }
  };

  return {
    async open(repository, { commit, path }, signal) {
      const key = `${repository.id}:${commit}:${path}`;
      const known = opened.get(key);
      if (known !== undefined) {
        opened.delete(key);
        opened.set(key, known);
        return known;
      }
      const checkpoint = await openVersion({ repository, commit, path, blobFiles, ...(signal === undefined ? {} : { signal }) });
      opened.set(key, checkpoint);
      evict();
      return checkpoint;
    },
    forgetFailures(repository) {
      for (const [key, checkpoint] of opened) {
        if (key.startsWith(`${repository.id}:`) && [...checkpoint.groups.values()].some(({ group }) => group.error !== null)) opened.delete(key);
      }
    },
  };
}
