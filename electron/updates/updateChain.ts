import type { CommitHash } from '../../shared/model/commit';
import type { UpdateKind } from '../../shared/model/update';
import type { TensorRef } from '../tensors/tensorRef';

/** An object of the LFS store; size and SHA-256 are what the pointer promises and are verified when it is read. */
export interface StoredObject {
  /** SHA-256 of the content, 64 hexadecimal digits. */
  readonly oid: string;
  readonly bytes: number;
  /** Absolute path in the store. The file may have gone since it was looked up. */
  readonly path: string;
}

export interface ChainStep {
  readonly kind: UpdateKind;
  readonly object: StoredObject;
  /** Commit whose metadata holds this entry, for error messages and the window; `null` when read from a file. */
  readonly commit: CommitHash | null;
}

/** How one parameter group is reconstructed: a dense base, then increments in the order in which they are applied. */
export interface UpdateChain {
  readonly group: string;
  /** Never empty; the first step is dense, the others are not. */
  readonly steps: readonly ChainStep[];
}

/** Where a group's value comes from; sendable to a worker. */
export type TensorPlan = { readonly kind: 'ref'; readonly group: string; readonly ref: TensorRef } | { readonly kind: 'chain'; readonly chain: UpdateChain };
