import type { ZarrArray } from '../encodings/zarr/openZarrObject';
import type { Lanes } from '../tensors/kernels/lanes';

/** Lists of one length. */
export interface PairArrays {
  /** Flat positions, whole numbers. */
  readonly indices: ZarrArray;
  readonly values: ZarrArray;
}

export interface PairPiece {
  /** In the window, counted from `first`, ascending. */
  readonly positions: Int32Array;
  readonly first: number;
  /** As many elements, in the type of the array; not to be changed. */
  readonly values: Lanes;
}

/** A run of elements of the value. */
export interface PairWindow {
  readonly start: number;
  readonly count: number;
}

/** Positions and elements of one update, which are handed out window by window, each window beginning where the one before it ended. */
export interface OrderedPairs {
  /** Whether the positions ascend strictly; only then there are pieces. */
  readonly ascending: boolean;
  /** Bytes that it holds decoded; while there are any, the arrays are not read. */
  readonly bytes: number;
  /** Calls `use` with the pairs of a window, piece by piece. `arrays` are those that were opened, or the same opened anew. */
  each(window: PairWindow, arrays: PairArrays, use: (piece: PairPiece) => void): Promise<void>;
  /** Gives up what is decoded: further windows read the arrays. */
  release(): void;
}
