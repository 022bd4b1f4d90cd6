import type { ErrorData } from '../../../shared/contract/errors';
import type { CheckpointDescription, FormatId, MetadataEntry, ParameterGroup, SkippedEntry, StorageKind, VersionId } from '../../../shared/model/checkpoint';
import type { CheckpointFacts } from '../../formats/template/checkpointFacts';
import type { ThetaEntry } from '../../theta/metadata';
import type { TensorPlan } from '../../updates/updateChain';
import type { ExpectedDigest } from '../exporter/copyOriginal';

/** A parameter group and how to get its value. */
export interface OpenedGroup {
  readonly keys: readonly string[];
  readonly group: ParameterGroup;
  /** Where the value comes from, or why it cannot be had. */
  readonly plan: TensorPlan | ErrorData;
  /** The file that holds the value: the version's own, or one beside it; `null` for a value kept by git-theta. */
  readonly original: OriginalFile | null;
  /** What the metadata says about a group of a version kept by git-theta; `null` for a group of a file. */
  readonly entry: ThetaEntry | null;
  /** Set where the value lies in another file than the version's: how that names it. Such a value is no part of the version's own bytes. */
  readonly external?: string;
}

/** The bytes of the version as they stand in git, for a version that is a file (plain blob, LFS object, file on disk). */
export interface OriginalFile {
  readonly path: string;
  readonly bytes: number;
  /** What the content must hash to, where git or an LFS pointer promises it. */
  readonly expected: ExpectedDigest | null;
}

/** A version read by its headers: everything about it but the values. */
export interface OpenedCheckpoint {
  readonly version: VersionId;
  readonly format: FormatId;
  readonly storage: StorageKind;
  readonly groups: ReadonlyMap<string, OpenedGroup>;
  readonly skipped: readonly SkippedEntry[];
  readonly metadata: readonly MetadataEntry[];
  readonly original: OriginalFile | null;
  /** What a version in git-theta's format says about its file; `null` where nothing does, as in those that git-theta wrote. */
  readonly facts: CheckpointFacts | null;
}

export function isPlan(plan: TensorPlan | ErrorData): plan is TensorPlan {
  return 'kind' in plan;
}

export function describeCheckpoint(opened: OpenedCheckpoint): CheckpointDescription {
  const { version, format, storage, groups, skipped, metadata } = opened;
  return { version, format, storage, groups: [...groups.values()].map(({ group }) => group), skipped, metadata };
}
