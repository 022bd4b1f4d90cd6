import type { Progress } from '../../../shared/contract/frames';
import type { ConflictKind, MergeStrategy } from '../../theta/mergeMetadata';
import type { ThetaEntry } from '../../theta/metadata';
import type { WorkerPool } from '../../workers/workerPool';

/** A metadata file: its bytes, or its blob id; `null` where the version does not have the file. */
export type MetadataContent = Uint8Array | string | null;

/** What an earlier decision made of the groups; those named in `open` are still to be decided. */
export interface SettledGroups {
  readonly entries: ReadonlyMap<string, ThetaEntry>;
  readonly open: ReadonlySet<string>;
}

export interface MergeRequest {
  /** Path in the repository, of the result. */
  readonly path: string;
  readonly base: MetadataContent;
  readonly ours: MetadataContent;
  readonly theirs: MetadataContent;
  /** What to do with a group that both sides changed; `null`: it stays a conflict. */
  readonly strategyFor: (name: string) => MergeStrategy | null;
  /**
   * What to do where both sides changed one thing that the file says beside its groups (format, metadata, entries that are no tensors). Default: ours,
   * with a note; so for `average`, too.
   */
  readonly factsStrategy?: MergeStrategy | null;
  /** Default: nothing is settled. */
  readonly settled?: SettledGroups | null;
  /**
   * Whether the result is itself only a base, of two histories that were merged crosswise. A conflicted group then keeps the base, as git does
   * with binary files: with one side there, that side would look unchanged in the merge that follows.
   */
  readonly virtual?: boolean;
  readonly pool: WorkerPool;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface GroupConflict {
  readonly name: string;
  readonly kind: ConflictKind;
}

export interface MergedFiles {
  /** The merged metadata file; conflicted groups are as in ours. */
  readonly metadata: Uint8Array;
  readonly conflicts: readonly GroupConflict[];
  /** Names of the groups that were taken from theirs, and of those that are now the mean of both. */
  readonly fromTheirs: readonly string[];
  readonly averaged: readonly string[];
  /** Blob ids of what was merged; `null` where the version does not have the file. */
  readonly blobs: { readonly base: string | null; readonly ours: string | null; readonly theirs: string | null };
  /** Why groups could not be averaged, and what of the file beside its groups could not be kept; each a sentence. */
  readonly notes: readonly string[];
}
