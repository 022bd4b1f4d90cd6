import type { StorageKind } from '../../../shared/model/checkpoint';
import type { TensorRef } from '../../tensors/tensorRef';

/** The groups of one version, in the order of its file. */
export interface VersionColumns {
  readonly rows: Uint32Array<ArrayBuffer>;
  readonly contents: Uint32Array<ArrayBuffer>;
  /** Code of what a change to this entry is: its update type, `replaced` in plain files. */
  readonly kinds: Uint8Array<ArrayBuffer>;
}

/** The text of a metadata file in which every group is one member that stands on lines of its own. */
export interface MemberText {
  readonly bytes: Buffer;
  /** Where each member starts, and at the end the length of the file. */
  readonly starts: Uint32Array<ArrayBuffer>;
}

/** One version of the checkpoint, read as far as the timeline needs it. */
export interface Version extends VersionColumns {
  readonly blob: string;
  readonly storage: StorageKind;
  /** For the next version, most of whose text is the same; `null` where the text is of another make. */
  readonly text: MemberText | null;
  /** Tensors of a plain file by row, to compare their bytes. */
  readonly tensors: ReadonlyMap<number, TensorRef> | null;
  /** What keeping it costs, in bytes. */
  readonly weight: number;
}
