import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import type { Shape } from '../../../shared/model/shape';
import type { ZarrHeader } from './zarrHeader';

/** How an array is cut into chunks. A scalar is treated as one axis of extent 1, and its key is the same: `0`. */
export interface ChunkGrid {
  readonly dtype: DType;
  /** Bytes of one element. */
  readonly item: number;
  readonly shape: Shape;
  readonly chunks: Shape;
  /** Chunks along every axis; a product of 0 means that there are none. */
  readonly counts: Shape;
  /** Chunks in all. */
  readonly total: number;
  readonly chunkElements: number;
  readonly chunkBytes: number;
}

/** The grid of a header; a scalar counts as an array of one element in one chunk. */
export function chunkGrid(header: ZarrHeader): ChunkGrid {
  const shape = header.shape.length === 0 ? [1] : header.shape;
  const chunks = header.shape.length === 0 ? [1] : header.chunks;
  const counts = shape.map((extent, axis) => Math.ceil(extent / (chunks[axis] ?? 1)));
  const chunkElements = chunks.reduce((product, extent) => product * extent, 1);
  const item = dtypeBytes(header.dtype);
  const total = shape.includes(0) ? 0 : counts.reduce((product, count) => product * count, 1);
  return { dtype: header.dtype, item, shape, chunks, counts, total, chunkElements, chunkBytes: chunkElements * item };
}

/** Number of a chunk in C order from its key, or -1 when the name is no key of this grid. Keys have no leading zeros. */
export function parseChunkKey(name: string, counts: Shape, separator: string): number {
  const mark = separator.charCodeAt(0);
  let axis = 0;
  let index = 0;
  let value = -1;
  for (let i = 0; i <= name.length; i++) {
    const code = i === name.length ? mark : name.charCodeAt(i);
    if (code === mark) {
      const count = counts[axis++];
      if (count === undefined || value < 0 || value >= count) return -1;
      index = index * count + value;
      value = -1;
    } else {
      if (code < 48 || code > 57 || value === 0) return -1;
      value = (value < 0 ? 0 : value * 10) + code - 48;
    }
  }
  return axis === counts.length ? index : -1;
}

/** The key of a chunk, for messages. */
export function chunkKey(index: number, counts: Shape, separator: string): string {
  const parts: number[] = [];
  let rest = index;
  for (let axis = counts.length - 1; axis >= 0; axis--) {
    const count = counts[axis] ?? 1;
    parts.unshift(rest % count);
    rest = Math.floor(rest / count);
  }
  return parts.join(separator);
}
