import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import type { ByteInput } from '../bytes/pipeInput';
import { type BlobFiles, createBlobFiles } from '../services/blobFiles';
import { userFolders } from '../services/folders/userFolders';
import type { OpenedRepository } from '../services/repositories/openedRepository';
import type { WorkerPool } from '../workers/workerPool';

/** Where a command writes and what it uses; a test gives its own. */
export interface Terminal {
  readonly out: (text: string) => unknown;
  readonly err: (text: string) => unknown;
  /** Whether progress can be drawn. */
  readonly interactive: boolean;
  /** For verbs that git talks to. */
  readonly streams: () => StandardStreams;
}

/** Standard input and output as streams of bytes. */
export interface StandardStreams {
  readonly input: ByteInput;
  readonly output: Writable;
}

/** One run of the command: the folder it works in, and what it opened on the way. */
export interface Session {
  readonly terminal: Terminal;
  /** Absolute path that relative ones start from (`-C`). */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly blobFiles: BlobFiles;
  readonly pool: WorkerPool;
  /** The repository that holds the folder. */
  repository(): Promise<OpenedRepository>;
  /** Absolute path of something that the user named. */
  path(name: string): string;
  close(): Promise<void>;
}

export const GIT_BACKENDS = ['auto', 'native', 'isomorphic'] as const;
export type GitBackend = (typeof GIT_BACKENDS)[number];

export interface SessionOptions {
  readonly terminal: Terminal;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly backend: GitBackend;
  readonly createPool: () => WorkerPool;
  /** See `OpenRepositoryOptions`. */
  readonly once?: boolean;
}

/** Opens nothing yet: repository and workers are started when a command first asks for them. */
export function createSession({ terminal, folder, signal, backend, createPool, once = false }: SessionOptions): Session {
  let repository: Promise<OpenedRepository> | null = null;
  let pool: WorkerPool | null = null;
  return {
    terminal,
    folder,
    signal,
    blobFiles: createBlobFiles(resolve(userFolders().cache, 'blobs')),
    get pool() {
      pool ??= createPool();
      return pool;
    },
    repository() {
      repository ??= import('../services/repositories/repositoryCache').then(({ openOne }) => openOne(folder, { backend, signal, once }));
      return repository;
    },
    path: (name) => resolve(folder, name),
    async close() {
      await pool?.close();
      (await repository?.catch(() => null))?.dispose();
    },
  };
}
