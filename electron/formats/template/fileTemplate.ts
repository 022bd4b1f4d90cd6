import type { DType } from '../../../shared/model/dtype';
import type { Shape } from '../../../shared/model/shape';

/** Bytes of a CRC-32 field. */
export const CHECKSUM_BYTES = 4;

/** Literal bytes of a template in all. A file with more is no file of tensors with headers, and is not kept as one. */
export const MAX_LITERAL_BYTES = 64 * 1024 * 1024;

/** A part of a file. Segments lie one after the other and make up the whole file. */
export type TemplateSegment =
  | { readonly kind: 'literal'; readonly bytes: number }
  /** The raw little-endian C-order bytes of a group, all of them. */
  | { readonly kind: 'tensor'; readonly bytes: number; readonly group: number }
  /** CRC-32 of the data of a zip entry, four bytes, little-endian. */
  | { readonly kind: 'checksum'; readonly bytes: typeof CHECKSUM_BYTES; readonly entry: number }
  /** PyTorch's digest of the checksums of the first `entries` entries (see contentId.ts). */
  | { readonly kind: 'content-id'; readonly bytes: number; readonly entries: number };

/** Data of a stored zip entry: the segments [first, first + count). */
export interface TemplateEntry {
  readonly first: number;
  readonly count: number;
}

/**
 * Where the bytes of a group stand in the file.
 * `segment`: in a segment of its own. `same`: in the segment of another group, with which it shares all its bytes (tied weights).
 * `fixed`: among the literal bytes or across other groups (strides, big-endian, decoded text): the template holds for this very value only.
 * `empty`: nowhere, as it has no bytes.
 */
export type TemplatePlace =
  | { readonly kind: 'segment' }
  | { readonly kind: 'same'; readonly as: number }
  | { readonly kind: 'fixed'; readonly sha256: string }
  | { readonly kind: 'empty' };

export interface TemplateGroup {
  readonly keys: readonly string[];
  readonly dtype: DType;
  readonly shape: Shape;
  readonly place: TemplatePlace;
}

/** A checkpoint file without the values of its groups: with them, it is the file again, byte for byte. */
export interface FileTemplate {
  /** Size of the file. */
  readonly bytes: number;
  /** In the order of the file's own directory; groups that could not be read are not among them. */
  readonly groups: readonly TemplateGroup[];
  readonly segments: readonly TemplateSegment[];
  /** In the order of the zip's directory; none for other files. */
  readonly entries: readonly TemplateEntry[];
  /** The bytes of all literal segments, one after the other. */
  readonly literals: Uint8Array;
}
