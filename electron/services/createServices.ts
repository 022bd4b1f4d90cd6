import { join } from 'node:path';
import { Emitter } from '../../shared/base/emitter';
import type { EventData } from '../../shared/contract/requests';
import type { GitWriter } from '../git/gitWriter';
import { type FilterCommand, openGitWriter } from '../git/native/writer/openGitWriter';
import type { WorkerPool } from '../workers/workerPool';
import { type BlobFiles, createBlobFiles } from './blobFiles';
import { type CheckpointCache, createCheckpointCache } from './checkpoints/checkpointCache';
import { createSideOpener } from './comparer/openSide';
import { createRecentRepositories, type RecentRepositories } from './folders/recentRepositories';
import { unpackSample } from './folders/unpackSample';
import { createGraphs, type Graphs } from './graphs/graphs';
import type { OpenedRepository } from './repositories/openedRepository';
import { createRepositoryCache } from './repositories/repositoryCache';
import { watchRepository } from './repositories/watchRepository';
import type { InstalledProgram } from './tracker/ensureInstalled';

/** Everything a host offers, built once; both hosts and the handlers share it. */
export interface Services {
  readonly pool: WorkerPool;
  readonly checkpoints: CheckpointCache;
  readonly blobFiles: BlobFiles;
  readonly recent: RecentRepositories;
  readonly graphs: Graphs;
  /** Opened by the user, watched until closed. */
  openRepository(path: string, signal?: AbortSignal): Promise<OpenedRepository>;
  /** @throws not-found for a repository that the user has not opened */
  repository(id: string): OpenedRepository;
  closeRepository(id: string): void;
  /** Beginning of a command line for git's configuration; `null` where there is none that lasts. */
  readonly program: InstalledProgram | null;
  /** What changes a repository. @throws unsupported-repository when it is bare or git is not on this machine */
  writer(repository: OpenedRepository): Promise<GitWriter>;
  /** Path of the unpacked sample repository. */
  unpackSample(): Promise<string>;
  readonly onRepositoryChanged: Emitter<EventData<'repository/changed'>>;
  dispose(): Promise<void>;
}

export interface ServicesOptions {
  readonly dataFolder: string;
  readonly cacheFolder: string;
  /** How git runs this program as its filter. */
  readonly filterCommand: FilterCommand;
  /** The beginning of a command line that starts this program later; `null` where there is none that lasts. */
  readonly program: InstalledProgram | null;
  /** Archive of the sample repository. */
  readonly sampleArchive: string;
  /** `size`: threads at most; default as many as the machine has use for. */
  readonly createPool: (size?: number) => WorkerPool;
}

/** Builds the services once for a host, which disposes of them when it ends. No repository is open and no worker started yet. */
export function createServices({ dataFolder, cacheFolder, filterCommand, program, sampleArchive, createPool }: ServicesOptions): Services {
  const pool = createPool();
  const blobFiles = createBlobFiles(join(cacheFolder, 'blobs'));
  const checkpoints = createCheckpointCache(blobFiles);
  const recent = createRecentRepositories(dataFolder);
  const onRepositoryChanged = new Emitter<EventData<'repository/changed'>>();
  const watchers = new Map<string, { dispose(): void }>();
  const stopWatching = (id: string) => {
    watchers.get(id)?.dispose();
    watchers.delete(id);
  };
  const repositories = createRepositoryCache(stopWatching);
  const opener = createSideOpener({ checkpoints, repository: (id) => repositories.get(id) });
  const graphs = createGraphs({ graphPool: createPool(1), pool, opener, folder: join(cacheFolder, 'graphs') });

  return {
    pool,
    checkpoints,
    blobFiles,
    recent,
    graphs,
    program,
    onRepositoryChanged,
    async openRepository(path, signal) {
      const repository = await repositories.open(path, signal);
      if (!watchers.has(repository.id)) {
        const changed = () => {
          repository.refresh();
          checkpoints.forgetFailures(repository);
          onRepositoryChanged.emit({ repository: repository.id });
        };
        watchers.set(repository.id, watchRepository(repository.git.place, changed));
      }
      await recent.add(repository.path);
      return repository;
    },
    repository: (id) => repositories.get(id),
    closeRepository: (id) => repositories.close(id),
    writer: (repository) => openGitWriter(repository.git, { filterCommand }),
    unpackSample: () => unpackSample(sampleArchive, dataFolder),
    async dispose() {
      repositories.dispose();
      await graphs.dispose();
      await pool.close();
    },
  };
}
