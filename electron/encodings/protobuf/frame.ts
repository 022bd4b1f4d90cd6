import type { Piece } from '../../bytes/pieces';

/**
 * A message inside a file: where its content lies, and the length in front of it, which must change with it. Offsets are bytes of the file.
 * The outermost message has no length in front: `parent` is null and `lengthAt` equals `start`.
 */
export interface Frame {
  readonly parent: Frame | null;
  /** First byte of the field (its tag) that holds the message; 0 for the outermost. */
  readonly fieldStart: number;
  /** First byte of the length. */
  readonly lengthAt: number;
  /** First byte of the content. */
  readonly start: number;
  /** Behind the last byte of the content, which is also the end of the field. */
  readonly end: number;
}

/** A field as it stands in the file, tag included: [start, end). */
export interface FieldSite {
  /** Message that holds the field. */
  readonly frame: Frame;
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/**
 * One change: the bytes [offset, offset + remove) of the message's content give way to `insert`. With `remove` 0 it is an insertion;
 * at the end of a message, `offset` is `frame.end`. Changes do not overlap.
 */
export interface WireEdit {
  readonly frame: Frame;
  readonly offset: number;
  readonly remove: number;
  readonly insert: readonly Piece[];
}
