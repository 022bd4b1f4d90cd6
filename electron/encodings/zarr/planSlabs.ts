import { BLOCK_BYTES } from '../../tensors/tensorStream';
import type { ChunkGrid } from './chunkGrid';

/** Most bytes that are assembled at a time. A row of chunks that is larger is assembled in several passes over its chunks. */
const MAX_SLAB = 64 * 1024 * 1024;

/** A slab is one index on every axis before `axis`, `rows` indices on `axis`, and all of every axis behind it: a run of the C order. */
export interface SlabPlan {
  readonly axis: number;
  readonly rows: number;
  /** Elements of one row. */
  readonly inner: number;
  /** Slabs that the extent of `axis` is cut into, and slabs in all. */
  readonly across: number;
  readonly slabs: number;
  /** Whether chunks are runs of the C order themselves and can be decoded in place. */
  readonly direct: boolean;
}

/**
 * Cuts an array that has elements into slabs for reading in C order, so that chunks are decoded once where that fits into MAX_SLAB:
 * whole rows of chunks, several when they are small.
 */
export function planSlabs(grid: ChunkGrid, order: 'C' | 'F'): SlabPlan {
  const { shape, chunks, item } = grid;
  let axis = 0;
  let inner = shape.slice(1).reduce((product, extent) => product * extent, 1);
  while (inner * item > MAX_SLAB) {
    axis++;
    inner /= shape[axis] ?? 1;
  }
  const extent = shape[axis] ?? 1;
  const chunk = chunks[axis] ?? 1;
  const whole = chunk * inner * item <= MAX_SLAB;
  // Chunks may be far larger than the array; a slab never is.
  const wanted = whole ? chunk * Math.max(1, Math.floor(BLOCK_BYTES / (chunk * inner * item))) : Math.max(1, Math.floor(MAX_SLAB / (inner * item)));
  const rows = Math.min(wanted, extent);
  const across = Math.ceil(extent / rows);
  const outer = shape.slice(0, axis).reduce((product, length) => product * length, 1);
  const direct = axis === 0 && whole && (order === 'C' || shape.length === 1) && shape.every((length, i) => i === 0 || chunks[i] === length);
  return { axis, rows, inner, across, slabs: outer * across, direct };
}
