import type { DType } from '../../../shared/model/dtype';
import type { Shape } from '../../../shared/model/shape';

/** Equally many elements of both sides, in the type they are compared in, of which the first is number `at` of the tensor. `false` ends the pass. */
export type VisitElements = (a: Uint8Array, b: Uint8Array, at: number) => boolean | undefined;

/** Two tensors of one shape that can be read in step any number of times. */
export interface PairSource {
  readonly shape: Shape;
  readonly elements: number;
  /** Type of the elements that are handed on, and what each side is stored in. */
  readonly dtype: DType;
  readonly a: DType;
  readonly b: DType;
  /** Reads all elements in order, in whatever blocks they come. */
  read(visit: VisitElements): Promise<void>;
  /** Reads some elements; cheap only where `ranges` is. */
  readRange(from: number, count: number, visit: VisitElements): Promise<void>;
  /** Whether any range can be read without what lies before it. */
  readonly ranges: boolean;
  /** Called between long computations. @throws CheckpointError `cancelled` */
  pause(): Promise<void>;
}

/** A tensor as a matrix. */
export interface MatrixSize {
  readonly rows: number;
  readonly columns: number;
}

/**
 * Leading axes × last axis, as previews show it and as git-theta multiplies the factors of a low-rank update: its matrix product broadcasts over
 * the leading axes, so that a stack of updates of one rank each is seen as what it is for plain matrices, which nearly all are. `null` for
 * vectors and scalars.
 */
export function matrixSize(shape: Shape): MatrixSize | null {
  const columns = shape.at(-1);
  if (columns === undefined || shape.length < 2) return null;
  const rows = shape.slice(0, -1).reduce((product, extent) => product * extent, 1);
  return rows === 0 || columns === 0 ? null : { rows, columns };
}
