import { join } from 'node:path';
import { BoundedMap } from '../../../shared/base/boundedMap';
import type { TimelineScope } from '../../../shared/contract/timelineRequests';
import type { CommitHash, CommitInfo } from '../../../shared/model/commit';
import type { TimelineIndex } from '../../../shared/model/timeline';
import type { BlobFiles } from '../blobFiles';
import type { OpenedRepository } from '../repositories/openedRepository';
import { stateFolder } from '../stateFolder';
import { assembleIndex } from './assembleIndex';
import { type Followed, followVersions } from './followVersions';
import { scopeCommits } from './scopeCommits';
import { loadStore, saveStore } from './storeFile';
import type { TimelineStore } from './timelineStore';

/** Packed bytes of the paths that are kept in memory; the last one in any case. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024;

type Repository = Pick<OpenedRepository, 'git' | 'lfs' | 'history' | 'storedAs'>;

export interface TimelineOptions {
  readonly blobFiles: BlobFiles;
  readonly signal: AbortSignal;
  /** Versions read of those to read. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface FollowedScope {
  readonly store: TimelineStore;
  /** Parents first. */
  readonly commits: readonly CommitInfo[];
  readonly followed: ReadonlyMap<CommitHash, Followed>;
}

interface Kept {
  readonly store: Promise<TimelineStore>;
  /** One call at a time follows new commits. */
  running: Promise<unknown>;
  bytes: number;
}

const kept = new WeakMap<object, BoundedMap<string, Kept>>();

/**
 * What every commit of a scope did to every group of a path. What was found out is kept as packed columns in memory and beside the git directory
 * (`stateFolder`), by the ids of commits and blobs: the next look, also of another process, reads only what is new.
 * @throws CheckpointError not-found for a commit that is not there; cancelled
 */
export async function timelineIndex(repository: Repository, wanted: { path: string; scope: TimelineScope }, options: TimelineOptions): Promise<TimelineIndex> {
  return assembleIndex(await followScope(repository, wanted, options));
}

/** The commits of a scope with where each of them stands, and the store that knows all steps between them. */
export async function followScope(repository: Repository, wanted: { path: string; scope: TimelineScope }, options: TimelineOptions): Promise<FollowedScope> {
  const { path, scope } = wanted;
  const { signal, onProgress } = options;
  const folder = join(stateFolder(repository.git.place), 'timelines');
  const [commits, known] = await Promise.all([scopeCommits(repository, scope, { signal }), keptOf(repository, folder, path)]);
  const store = await known.store;
  const run = known.running
    .catch(() => {})
    .then(async () => {
      const followed = await followVersions(commits, {
        repository,
        blobFiles: options.blobFiles,
        path,
        store,
        signal,
        ...(onProgress && { onProgress }),
      }).finally(
        // What was read before a cancel is not read again.
        () => (store.dirty ? saveStore(folder, path, store) : undefined),
      );
      return followed;
    });
  known.running = run;
  return { store, commits, followed: await run };
}

async function keptOf({ git }: Repository, folder: string, path: string): Promise<Kept> {
  let stores = kept.get(git);
  if (stores === undefined) {
    stores = new BoundedMap<string, Kept>(MAX_KEPT_BYTES, { weigh: ({ bytes }) => bytes, atLeast: 1 });
    kept.set(git, stores);
  }
  let entry = stores.get(path);
  if (entry === undefined) {
    entry = { store: loadStore(folder, path), running: Promise.resolve(), bytes: 0 };
    stores.set(path, entry);
  }
  const { tables } = await entry.store;
  const bytes = tables.changed.rows.length * 9 + tables.contents.count * 36;
  // Weighed anew now and then: it has grown since it was put there.
  if (bytes !== entry.bytes) {
    stores.delete(path);
    entry.bytes = bytes;
    stores.set(path, entry);
  }
  return entry;
}
