import type { DType } from '../../../shared/model/dtype';
import type { Shape } from '../../../shared/model/shape';

/** An array to be written: raw little-endian elements in C order, in blocks of whole elements. A `TensorStream` is one. */
export interface ArrayToWrite {
  readonly dtype: DType;
  readonly shape: Shape;
  blocks(signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

export interface MemberToWrite {
  readonly name: string;
  readonly array: ArrayToWrite;
}

/** Takes the bytes of an object in order. They may be changed once the promise has resolved. */
export type ByteSink = (bytes: Uint8Array) => Promise<void> | void;
