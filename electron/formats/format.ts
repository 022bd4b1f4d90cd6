import type { ErrorData } from '../../shared/contract/errors';
import type { FormatId, MetadataEntry, SkippedEntry } from '../../shared/model/checkpoint';
import type { DType } from '../../shared/model/dtype';
import type { Shape } from '../../shared/model/shape';
import type { ByteSource, SourceRef } from '../bytes/byteSource';
import type { TensorRef } from '../tensors/tensorRef';

/** One group of a file read by its header. A group whose bytes cannot be right carries an error instead of a place. */
export interface FileGroup {
  /** Keys of the nested dictionaries, outermost first; list positions as decimal numbers. */
  readonly keys: readonly string[];
  readonly dtype: DType;
  readonly shape: Shape;
  readonly data: TensorRef | ErrorData;
  /** Joined name of an earlier group with the same storage, offset, shape and strides. */
  readonly tiedTo: string | null;
  /**
   * Where the value lies in another file beside this one: how this file names it. Such a group belongs to the model, but not to the bytes of this
   * file: a version of this file keeps its name, type and shape, not its value.
   */
  readonly external?: string;
}

/** A file beside the one that is read, as one may read it. */
export interface SiblingFile {
  readonly ref: SourceRef;
  /** Its size. */
  readonly bytes: number;
}

/** A checkpoint file read as metadata + ordered parameter groups; no tensor data is read. */
export interface FileCheckpoint {
  readonly format: FormatId;
  readonly groups: readonly FileGroup[];
  readonly skipped: readonly SkippedEntry[];
  readonly metadata: readonly MetadataEntry[];
}

export interface ReadOptions {
  /** How to reopen `source` in a worker; ends up in every TensorRef. */
  readonly ref: SourceRef;
  /** Name for error messages. */
  readonly file: string;
  readonly signal?: AbortSignal;
  /**
   * Finds another file that the one that is read names, by a path relative to it, and makes sure that it may be read. Without it, groups that
   * lie in other files carry an error.
   * @throws CheckpointError why there is no such file, or why it may not be read
   */
  readonly sibling?: (location: string) => Promise<SiblingFile>;
}

/** One group to be written. `name` is what error messages say; `keys` are the nested keys. */
export interface GroupToWrite {
  readonly keys: readonly string[];
  readonly dtype: DType;
  readonly shape: Shape;
}

export interface Placed {
  /** Byte offset in the file. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** CRC-32 (IEEE) of one tensor's raw bytes, in the order of `FileLayout.tensors`. */
export type TensorChecksums = readonly number[];

/**
 * A file planned before any tensor is read: everything that is not tensor data, and where each tensor's raw
 * little-endian C-order bytes go. Tensors can then be written in parallel, in any order.
 */
export interface FileLayout {
  /** Size of the finished file. */
  readonly bytes: number;
  readonly pieces: readonly Placed[];
  /** Byte offset of each tensor, in the order of the groups; `null` for one that is not written by itself (see `misfits`). */
  readonly tensors: readonly (number | null)[];
  /** What can be written only when the tensors are: zip headers that hold checksums. `null` when the format needs none. */
  readonly finish: ((checksums: TensorChecksums) => readonly Placed[]) | null;
  /**
   * Where tensors have no offset of their own, because they share the bytes of another or stand among the pieces: which of them have
   * values that are not those in the file, from the SHA-256 of every tensor's raw bytes in the order of the groups. With any, the file
   * must not be used; its groups need another layout.
   */
  readonly misfits?: (digests: readonly string[]) => readonly number[];
  /** What could not be kept, each in a sentence (npz: bfloat16 stored as its bits in uint16 ...). */
  readonly notes: readonly string[];
}

export interface CheckpointFormat {
  readonly id: FormatId;
  /** For people: `PyTorch`, `safetensors`. */
  readonly label: string;
  /** Usual extensions, most usual first, with the dot. */
  readonly extensions: readonly string[];
  /** Whether the first bytes (up to 4 KiB) and the size look like this format. Never decides by name. */
  matches(head: Uint8Array, size: number): boolean;
  /**
   * Reads headers only, through ranges, and checks every declared size against the source.
   * @throws CheckpointError malformed, truncated, too-large, unsafe-pickle, unsupported-format
   */
  read(source: ByteSource, options: ReadOptions): Promise<FileCheckpoint>;
  /** `null` when we do not write this format. @throws CheckpointError unsupported-format when a group cannot be held. */
  readonly layout: ((groups: readonly GroupToWrite[], metadata: readonly MetadataEntry[]) => FileLayout) | null;
}
