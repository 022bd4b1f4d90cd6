import type { ErrorData } from '../contract/errors';
import type { FormatId, StorageKind } from './checkpoint';
import type { DType } from './dtype';
import type { Shape } from './shape';

/** What happened to a group from `a` to `b`; `unknown` until its values were compared. */
export const COMPARED_CHANGES = ['added', 'removed', 'renamed', 'modified', 'unchanged', 'unknown'] as const;
export type ComparedChange = (typeof COMPARED_CHANGES)[number];

export interface ComparedSide {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: Shape;
  readonly bytes: number;
  /** git-theta's update type; `null` in plain files. */
  readonly updateType: string | null;
  /** Name of an earlier group that has the very same storage. */
  readonly tiedTo: string | null;
  readonly error: ErrorData | null;
}

/** One row of a comparison: a group and its counterpart. At least one side is there. */
export interface ComparedGroup {
  readonly a: ComparedSide | null;
  readonly b: ComparedSide | null;
  readonly change: ComparedChange;
  /** How a renamed group was found: by equal values, or as the only one of like shape and like values (then it may be modified too). */
  readonly renamedBy: 'content' | 'likeness' | null;
}

/** What one side of a comparison turned out to be. */
export interface SideDescription {
  /** For people: `model.pt at 1a2b3c4d (main)`, `model.pt (working tree)`, a file's path. */
  readonly label: string;
  readonly format: FormatId;
  readonly storage: StorageKind;
  readonly groups: number;
  readonly bytes: number;
}

export interface MetadataDifference {
  readonly key: string;
  readonly a: string | null;
  readonly b: string | null;
}

/** Name of a row: the group's own, in `b` where it is there. */
export function comparedName(group: ComparedGroup): string {
  return group.b?.name ?? group.a?.name ?? '';
}
