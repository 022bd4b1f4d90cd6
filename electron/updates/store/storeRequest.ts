import type { DType } from '../../../shared/model/dtype';
import type { Shape } from '../../../shared/model/shape';
import type { UpdateChoice } from '../../../shared/model/track';
import type { UpdateKind } from '../../../shared/model/update';
import type { TensorPlan, UpdateChain } from '../updateChain';
import type { ObjectMark } from './objectFacts';

/** One member of an update that was produced elsewhere: `R` and `C`, `data` `indices` `indptr` `shape`, or `ia3`. */
export interface DeclaredMember {
  readonly member: string;
  readonly plan: TensorPlan;
}

/** What a parameter group is to be stored as. */
export interface StoreRequest {
  /** Joined name, for error messages. */
  readonly group: string;
  /** The new value; `null` when `declared` gives it. */
  readonly value: TensorPlan | null;
  /** SHA-256 of the new value's raw bytes, when it has been read before and does not change; `null`: not known. */
  readonly sha256: string | null;
  /** How the previous value is reconstructed; `null`: there is none, and only dense is possible. */
  readonly base: UpdateChain | null;
  readonly choice: UpdateChoice;
  /** A side-loaded update: the new value is what it makes of the base. */
  readonly declared: readonly DeclaredMember[] | null;
  /** An incremental update is stored while the chain has fewer steps than this, and costs less than a full copy. */
  readonly maxLinks: number;
  /** Whether update types that git-theta cannot read may be stored, or built on. */
  readonly ownTypes: boolean;
  /** JSON text of the facts about the whole checkpoint that this object is to carry; `null`: none. */
  readonly facts: string | null;
  /** Folder where values of chains are kept from one change to the next; `null`: none is. */
  readonly values: string | null;
  /** Folder of the LFS objects; `null`: nothing is written, only measured. */
  readonly objects: string | null;
}

/** What was stored, or in a dry run would be. */
export interface StoredGroup {
  readonly kind: UpdateKind;
  /** SHA-256 of the object. */
  readonly oid: string;
  /** Bytes of the object. */
  readonly bytes: number;
  /** By what `takeBackObjects` knows it; `null` in a dry run. */
  readonly mark: ObjectMark | null;
  readonly dtype: DType;
  readonly shape: Shape;
  /** SHA-256 of the new value's raw little-endian C-order bytes. */
  readonly sha256: string;
  /** git-theta's change-detection signature of the new value: 16 int64. */
  readonly signature: readonly bigint[];
  /** Why the choice could not be followed, each a sentence. */
  readonly notes: readonly string[];
}
