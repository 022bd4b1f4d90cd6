import type { Shape } from '../../../shared/model/shape';

/** Elements of a chunk at most, whatever their type: tensorstore's own rule. */
const MAX_ELEMENTS = 1_048_576;

/** Chunks that follow each other in C order: each is some indices of one axis, all of the axes behind it, one index of those before. */
export interface SlabGrid {
  readonly chunks: Shape;
  /** Chunks along every axis; a scalar has one. */
  readonly counts: Shape;
  /** Chunks in all; an empty array has none. */
  readonly total: number;
  readonly chunkElements: number;
  /** Elements of the array in a chunk; fewer than it has room for at the end of the axis. */
  elementsIn(chunk: number): number;
}

/**
 * How an array is cut for writing in one pass: as few chunks as MAX_ELEMENTS allows, of the same size, so that little is padded. An array
 * that fits is one chunk.
 */
export function slabGrid(shape: Shape): SlabGrid {
  const extents = shape.map((extent) => Math.max(1, extent));
  let axis = Math.max(0, extents.length - 1);
  let inner = 1;
  for (; axis > 0 && inner * (extents[axis] ?? 1) <= MAX_ELEMENTS; axis--) inner *= extents[axis] ?? 1;
  const extent = extents[axis] ?? 1;
  const along = Math.ceil(extent / Math.floor(MAX_ELEMENTS / inner));
  const rows = Math.ceil(extent / along);
  const count = Math.ceil(extent / rows);
  const chunks = extents.map((length, i) => (i < axis ? 1 : i === axis ? rows : length));
  const counts = extents.map((length, i) => (i < axis ? length : i === axis ? count : 1));
  return {
    chunks,
    counts: counts.length === 0 ? [1] : counts,
    total: shape.includes(0) ? 0 : counts.reduce((product, n) => product * n, 1),
    chunkElements: rows * inner,
    elementsIn: (chunk) => (chunk % count === count - 1 ? extent - (count - 1) * rows : rows) * inner,
  };
}
