import type { DType } from '../../shared/model/dtype';
import type { Shape } from '../../shared/model/shape';
import type { SourceRef } from '../bytes/byteSource';

/**
 * Where the elements of a tensor lie, without its data; sendable to a worker.
 * Readers check before they make one that every element lies inside the source.
 */
export interface TensorRef {
  readonly dtype: DType;
  readonly shape: Shape;
  readonly source: SourceRef;
  /** Byte offset of the element with all indices 0, in the source. */
  readonly offset: number;
  /** Elements between neighbours on each axis (0 for an expanded axis); `null` when contiguous in C order. */
  readonly strides: readonly number[] | null;
  readonly bigEndian: boolean;
}
