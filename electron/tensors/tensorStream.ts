import type { DType } from '../../shared/model/dtype';
import type { Shape } from '../../shared/model/shape';

/** Most bytes of one block; small enough that a few of them per worker stay far below the memory target. */
export const BLOCK_BYTES = 4 * 1024 * 1024;

/** A tensor read from front to back in bounded memory. */
export interface TensorStream {
  readonly dtype: DType;
  readonly shape: Shape;
  /**
   * The raw elements, little-endian, C order, in blocks of whole elements. Blocks follow each other without gaps; a block is
   * valid until the next one is asked for. Aborting `signal` ends the iteration with CheckpointError `cancelled`.
   * May be called again: each call starts from the front.
   */
  blocks(signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * Set where the bytes lie in a file just as they are: fills `into` with those from `at`, without a turn of the event loop, for callers that
   * have memory of their own to read into. @throws CheckpointError as blocks
   */
  readonly fill?: ((at: number, into: Uint8Array) => void) | undefined;
  /** Set where all elements are in memory, so that reading them again costs nothing. */
  readonly inMemory?: true;
  close(): Promise<void>;
}
