import type { BigIntStats } from 'node:fs';
import type { CommitHash } from '../../shared/model/commit';

/** A file of the work tree and what git is to store for it (the clean filter's result, prepared beforehand). */
export interface PreparedFile {
  /** Path in the repository. */
  readonly path: string;
  /** Absolute path of a file with the content of the blob. */
  readonly content: string;
  /**
   * Stat data (`bigint: true`) of the file from before its content was read. A file that has changed since is staged all the same, but git
   * will look at it again. Without it the file must not change between reading and staging: git would never notice.
   */
  readonly seen?: BigIntStats;
}

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface CommitRequest {
  /** Paths whose staged content is committed; whatever else is staged stays staged and is not committed. */
  readonly paths: readonly string[];
  readonly message: string;
  /** `null`: as configured. */
  readonly author: Identity | null;
  readonly signal?: AbortSignal;
}

/** Something in the index or the work tree that differs from HEAD, or is not tracked. */
export interface StatusEntry {
  readonly path: string;
  /** Index against HEAD. */
  readonly staged: 'unchanged' | 'added' | 'modified' | 'deleted' | 'renamed' | 'conflict';
  /** Work tree against index. */
  readonly work: 'unchanged' | 'modified' | 'deleted' | 'untracked' | 'conflict';
  /** With `renamed`: the path before, whose removal is staged too. A commit of both paths keeps them together. */
  readonly from?: string;
}

/**
 * What the program changes in a repository, always with the installed git and with the user's hooks and configuration, as git itself would.
 * Every call may throw CheckpointError `conflict` (a foreign index.lock, local changes that would be overwritten, a merge under way),
 * `permission`, `no-space`, `invalid-request` (names git does not allow, no identity, a hook that refuses), `exists` (a branch or tag of that
 * name), `unsupported-repository` (bare), `cancelled`.
 */
export interface GitWriter {
  /** Stages prepared files; git records their stat data, so that the next status is clean without running a filter. */
  stage(files: readonly PreparedFile[], signal?: AbortSignal): Promise<void>;
  /** Stages files as they are (`.gitattributes`). */
  stagePlain(paths: readonly string[], signal?: AbortSignal): Promise<void>;
  /** Takes paths out of the index again: what HEAD has, or nothing. */
  unstage(paths: readonly string[]): Promise<void>;
  /** Looks at what the index has for some paths; the result puts just that back, staged changes and conflicts included. */
  rememberIndex(paths: readonly string[]): Promise<() => Promise<void>>;
  /** Commits the staged content of some paths. @throws invalid-request when there is nothing to commit */
  commit(request: CommitRequest): Promise<CommitHash>;
  /** Index and work tree; runs the clean filter where git has to. */
  status(signal?: AbortSignal): Promise<readonly StatusEntry[]>;
  /** Blob ids of a path in the index by stage (0 when merged; 1 base, 2 ours, 3 theirs). */
  indexEntries(path: string): Promise<ReadonlyMap<number, string>>;
  /** Name and address that commits get; `null` when none is configured. */
  identity(): Promise<Identity | null>;
  createBranch(name: string, commit: CommitHash): Promise<void>;
  /** Removes a branch that stands at this commit and nowhere else. */
  deleteBranch(name: string, commit: CommitHash): Promise<void>;
  /** HEAD at a commit instead of a branch. Index and work tree must be those of the commit. */
  detach(commit: CommitHash): Promise<void>;
  /** Switches the work tree to a branch; refuses (`conflict`) when local changes would be lost. */
  switchBranch(name: string, signal?: AbortSignal): Promise<void>;
  /** `message` null: a lightweight tag. */
  createTag(name: string, commit: CommitHash, message: string | null): Promise<void>;
  /** Restores files of the work tree and the index from HEAD, through the smudge filter. */
  discard(paths: readonly string[], signal?: AbortSignal): Promise<void>;
  /** Writes a blob into the object database. */
  writeBlob(content: Uint8Array): Promise<string>;
}
