import type { ErrorData } from '../contract/errors';
import type { CommitHash } from './commit';
import type { DType } from './dtype';
import type { Shape } from './shape';

/** Checkpoint formats that we know of by content; `unknown` is a file that none of them matches. */
export const FORMAT_IDS = ['safetensors', 'pytorch', 'npz', 'onnx', 'flax', 'unknown'] as const;
export type FormatId = (typeof FORMAT_IDS)[number];

/** Formats that a version can be exported to. */
export const EXPORT_FORMATS = ['safetensors', 'pytorch', 'npz', 'flax'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** How a version is kept in git: git-theta metadata, a Git LFS pointer, a plain blob; or a file outside git. */
export type StorageKind = 'theta' | 'lfs' | 'blob' | 'file';

/** One checkpoint path at one commit; without a commit, a file on disk (absolute path). */
export interface VersionId {
  readonly commit: CommitHash | null;
  readonly path: string;
}

export interface ParameterGroup {
  /** Keys of the nested dictionaries joined by `/`. */
  readonly name: string;
  readonly dtype: DType;
  readonly shape: Shape;
  /** Bytes of the contiguous tensor. */
  readonly bytes: number;
  /** git-theta's update type; `null` for a group of a plain file. */
  readonly updateType: string | null;
  /** Bytes of this entry's own object (git-theta) or of the tensor in the file. */
  readonly storedBytes: number;
  /** SHA-256 of the object behind the entry; `null` for a group of a plain file. */
  readonly oid: string | null;
  /** Name of an earlier group that has the very same storage. */
  readonly tiedTo: string | null;
  /** Why this group cannot be read, when that is known already. */
  readonly error: ErrorData | null;
}

/** Something in the file that is not a tensor, or a tensor that we do not read. */
export interface SkippedEntry {
  readonly name: string;
  readonly reason: string;
}

export interface MetadataEntry {
  readonly key: string;
  readonly value: string;
}

export interface CheckpointDescription {
  readonly version: VersionId;
  readonly format: FormatId;
  readonly storage: StorageKind;
  readonly groups: readonly ParameterGroup[];
  readonly skipped: readonly SkippedEntry[];
  readonly metadata: readonly MetadataEntry[];
}

/** What happened to a group between the first parent and this commit. */
export const GROUP_CHANGES = ['added', 'removed', 'renamed', 'modified', 'unchanged'] as const;
export type GroupChange = (typeof GROUP_CHANGES)[number];

export interface ChangedGroup {
  readonly change: GroupChange;
  readonly group: ParameterGroup;
  /** Of a renamed group: its name in the first parent. Its value is the same. */
  readonly from?: string | undefined;
  /** Of a renamed group of git-theta: whether its object is the one that it had under that name, so that nothing was stored. */
  readonly keepsObject?: boolean | undefined;
}

export interface CheckpointWithChanges {
  readonly checkpoint: CheckpointDescription;
  /** Version that `groups` is compared with; `null` where the path did not exist there. */
  readonly parent: VersionId | null;
  /** Every group of the version and, marked `removed`, those of the parent that are gone; in order of names. */
  readonly groups: readonly ChangedGroup[];
}

export interface ChangeTally {
  readonly groups: number;
  readonly bytes: number;
}

/** Kinds that the bar beside a commit shows; `replaced` is a plain file whose bytes changed, or that git-theta keeps from then on. */
export const CHANGE_KINDS = ['added', 'removed', 'renamed', 'dense', 'sparse', 'sparse-values', 'low-rank', 'ia3', 'other', 'replaced'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What one commit did to one checkpoint, from metadata alone. `bytes` are stored bytes (removed: those that went; renamed: those stored anew for it). */
export interface CommitChange {
  readonly commit: CommitHash;
  readonly present: boolean;
  readonly storage: StorageKind | null;
  readonly unchanged: number;
  readonly tallies: { readonly [K in ChangeKind]?: ChangeTally | undefined };
  /** Why the change cannot be told, e.g. conflict markers in the metadata file. */
  readonly error: ErrorData | null;
}
