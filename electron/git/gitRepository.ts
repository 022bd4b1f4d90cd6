import type { CheckpointError } from '../../shared/contract/errors';
import type { CommitDetail, CommitHash, CommitInfo, HeadInfo, RefInfo, RemoteInfo } from '../../shared/model/commit';

export interface TreeEntry {
  readonly path: string;
  readonly kind: 'blob' | 'tree' | 'symlink' | 'submodule';
  readonly oid: string;
}

/** One of many blobs. */
export interface BlobContent {
  readonly oid: string;
  /** In bytes; `null` with an error. */
  readonly size: number | null;
  /** `null` for a blob above the limit, and with an error. */
  readonly bytes: Uint8Array | null;
  /** Why it cannot be read: missing-object, corrupt-object, invalid-request when it is no blob. */
  readonly error: CheckpointError | null;
}

/** Facts that do not change while a repository is open. Paths are absolute. */
export interface RepositoryPlace {
  /** Root of the work tree; `null` when bare. */
  readonly workTree: string | null;
  /** Git directory of this work tree (`.git/worktrees/x` in a linked one). */
  readonly gitDir: string;
  /** Git directory shared by all work trees: objects, refs, lfs, theta. */
  readonly commonDir: string;
  readonly bare: boolean;
  readonly shallow: boolean;
}

export type WorkTreeStatus = 'unmodified' | 'modified' | 'deleted' | 'conflict' | 'unknown';

/**
 * What the rest of the program may ask of git; two back ends pass one test suite (`gitRepository.suite.ts`).
 * Every call may throw CheckpointError `not-found`, `corrupt-object`, `missing-object`, `unsupported-repository`, `cancelled`.
 */
export interface GitRepository {
  readonly backend: 'native' | 'isomorphic';
  readonly place: RepositoryPlace;

  head(): Promise<HeadInfo>;
  /** Branches, remote branches, tags; tags peeled to commits, refs that end elsewhere left out; sorted by kind, then name. */
  refs(): Promise<readonly RefInfo[]>;
  remotes(): Promise<readonly RemoteInfo[]>;
  /** Paths of submodules at HEAD. */
  submodules(): Promise<readonly string[]>;
  /** A setting from repository, worktree and global configuration; `null` when unset. Never runs a program that the configuration names. */
  config(key: string): Promise<string | null>;

  /** Hash of what a revision names: hash or unique prefix, ref, `HEAD~2`, `v1^`. @throws not-found, unsupported-repository */
  resolve(revision: string): Promise<CommitHash>;
  commit(hash: CommitHash): Promise<CommitDetail>;
  /**
   * All commits reachable from the refs and HEAD, newest first, children before parents except where clocks disagree (`strict`: always).
   * Yields batches as they are found; stopping the iteration stops the walk.
   */
  walk(options: { readonly strict: boolean; readonly signal?: AbortSignal }): AsyncIterable<readonly CommitInfo[]>;

  /** Entry at a path of a commit; `null` when it is not there. Does not follow symlinks. */
  entry(commit: CommitHash, path: string): Promise<TreeEntry | null>;
  /** The same for many commits in one go, in their order. */
  entries(commits: readonly CommitHash[], path: string, signal?: AbortSignal): Promise<readonly (TreeEntry | null)[]>;
  /** All files of a commit, recursively, in path order; submodules as entries. */
  files(commit: CommitHash, signal?: AbortSignal): Promise<readonly TreeEntry[]>;
  /** Size of a blob in bytes. */
  blobSize(oid: string): Promise<number>;
  /** The first `length` bytes of a blob (all of a shorter one), to tell what it is without reading it. */
  blobStart(oid: string, length: number): Promise<Uint8Array>;
  /** A whole blob. @throws too-large above `limit` bytes (default 512 MiB) */
  blob(oid: string, limit?: number): Promise<Uint8Array>;
  /** Many blobs in their order, in one go, one in memory at a time; those above `limit` bytes by their size alone. Failures are of single blobs. */
  blobs(oids: readonly string[], options: { readonly limit: number; readonly signal?: AbortSignal }): AsyncIterable<BlobContent>;
  /**
   * Writes a blob of any size to a file, which appears under its name only when it is whole, without holding it in memory (isomorphic-git:
   * holds it, refuses above 512 MiB).
   */
  blobToFile(oid: string, path: string, signal?: AbortSignal): Promise<void>;
  /**
   * Attributes of paths as a checkout would see them, from .gitattributes of the work tree (bare: of HEAD), info/attributes and
   * the user's and system's files: a value, `set` or `unset`; unspecified ones are left out. Paths that no tree can hold are left out.
   */
  attributes(paths: readonly string[], names: readonly string[]): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>>;
  /**
   * State of files in the working tree against index and HEAD without running filters: by index stat data and size, and where
   * these do not settle it, by content up to 64 MiB. `modified` includes what is staged; `unknown`: not tracked, bare, or behind
   * a content filter with an equal size and another time.
   */
  status(paths: readonly string[]): Promise<ReadonlyMap<string, WorkTreeStatus>>;

  close(): Promise<void>;
}
