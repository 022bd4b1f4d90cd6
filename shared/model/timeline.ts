import type { ErrorData } from '../contract/errors';
import type { StorageKind } from './checkpoint';
import type { CommitHash } from './commit';
import type { DType } from './dtype';
import type { Shape } from './shape';

/** What a commit did to a group; the place in this list is the code in `TimelineChanges.kinds`. */
export const TIMELINE_KINDS = ['added', 'removed', 'dense', 'sparse', 'sparse-values', 'low-rank', 'ia3', 'other', 'replaced', 'renamed'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** A commit of the timeline, parents before children. */
export interface TimelineColumn {
  readonly commit: CommitHash;
  /** Places of its parents among the columns; only those that are columns. The first is what it is compared with. */
  readonly parents: readonly number[];
  readonly title: string;
  readonly author: string;
  /** Seconds since 1970-01-01 UTC. */
  readonly time: number;
  /** `null`: the checkpoint is not there. */
  readonly storage: StorageKind | null;
  /** Whether the path's blob differs from the first parent's. */
  readonly touched: boolean;
  /** Why the version cannot be read. */
  readonly error: ErrorData | null;
}

/** A parameter group that some version has; in its latest form. */
export interface TimelineRow {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: Shape;
  readonly bytes: number;
}

/**
 * What changed, column by column against the first parent (all that a root has is added). Entries of column c stand at
 * `starts[c]` … `starts[c + 1]`, ascending by row. A row without an entry is what it was in the first parent.
 */
export interface TimelineChanges {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly rows: Uint32Array<ArrayBuffer>;
  readonly kinds: Uint8Array<ArrayBuffer>;
  /** Equal numbers: equal stored value (same objects). 0 for a removed group. */
  readonly contents: Uint32Array<ArrayBuffer>;
  /** Bytes of the entry's own object. */
  readonly storedBytes: Float64Array<ArrayBuffer>;
}

/** A group that kept its value and changed its name. */
export interface TimelineRename {
  readonly column: number;
  /** Row of the former name, which is removed there, and of the new one, which is `renamed`. */
  readonly from: number;
  readonly to: number;
}

export interface TimelineIndex {
  readonly columns: readonly TimelineColumn[];
  readonly rows: readonly TimelineRow[];
  readonly changes: TimelineChanges;
  /** Ascending by column. */
  readonly renames: readonly TimelineRename[];
  /** Set when older columns were left out: how many. */
  readonly omitted: number;
}
