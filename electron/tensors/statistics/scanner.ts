import type { DistinctRegisters } from './distinctCounter';

/** Elements looked at in one go: several passes over them stay in the processor's cache. A multiple of four. */
export const CHUNK = 16_384;
/** Different values of the upper 16 bits of a float32. */
export const CELLS = 65_536;

/** What one pass over a chunk sees. A NaN or an infinity in it makes `sum` NaN or infinite, and nothing else may be relied upon then. */
export interface ChunkScan {
  readonly low: number;
  readonly high: number;
  readonly sum: number;
  /** What rounding took from `sum`. */
  readonly lost: number;
  /** Sum of squares of the distances from the pivot. */
  readonly squares: number;
  /** Sum of magnitudes. */
  readonly sizes: number;
  readonly zeros: number;
  /** Smaller than the least normal number, zeros included. */
  readonly below: number;
}

/** A workbench for one tensor: elements are put into `floats` (two chunks) or `doubles` (one), and `count` of them are looked at. */
export interface Scanner {
  readonly floats: Float32Array;
  readonly doubles: Float64Array;
  readonly bytes: Uint8Array;
  /** `count` elements from `from` on; also counts the upper 16 bits of each, which tell how many are smaller than normal. */
  scanFloats(from: number, count: number, pivot: number): Omit<ChunkScan, 'below'>;
  squaresOfFloats(from: number, count: number, pivot: number): number;
  /** @param normal the least normal number of the type that the numbers came from; 0 when it has no smaller ones */
  scanDoubles(count: number, pivot: number, normal: number): ChunkScan;
  /** Adds the bit patterns of floats to the registers. */
  addFloatPatterns(from: number, count: number): void;
  readonly registers: DistinctRegisters;
  /** Counts patterns of `size` 1 or 2 bytes in `bytes`. */
  countPatterns(size: 1 | 2, bytes: number): void;
  /** What was counted since the last call: upper 16 bits of floats, or patterns. */
  takeCounts(): Float64Array<ArrayBuffer>;
  /** Gives the workbench back; it must not be used afterwards. */
  release(): void;
}
