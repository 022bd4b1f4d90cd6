import type { ErrorData } from '../../../shared/contract/errors';
import type { DType } from '../../../shared/model/dtype';
import type { Shape } from '../../../shared/model/shape';
import type { Difference } from '../../tensors/differenceAccumulator';

/** What happened to one parameter group between two versions. */
export interface GroupDiff {
  readonly name: string;
  readonly change: 'added' | 'removed' | 'renamed' | 'modified';
  /** Name before, of a renamed group: its value is the same. */
  readonly from: string | null;
  /** How the newer version stores it, of a removed group the older; `null` in a plain file. */
  readonly updateType: string | null;
  readonly dtype: DType;
  readonly shape: Shape;
  /** Type and shape before, where they were others. */
  readonly before: { readonly dtype: DType; readonly shape: Shape } | null;
  readonly elements: number;
  /** `null` where there is nothing to subtract: added, removed, renamed, other type or shape, or the value cannot be read. */
  readonly difference: Difference | null;
  readonly error: ErrorData | null;
}

export interface CheckpointDiff {
  /** Sorted by name, by code points. */
  readonly groups: readonly GroupDiff[];
  readonly unchanged: number;
  /** Groups of a side that could not be understood, each a sentence. */
  readonly notes: readonly string[];
}
