import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { scatter } from '../../tensors/scatter';
import type { ChunkGrid } from './chunkGrid';
import type { ChunkReader } from './chunkReader';
import type { SlabPlan } from './planSlabs';
import type { StoredArray } from './storedArray';

export interface SlabOptions {
  readonly array: StoredArray;
  readonly plan: SlabPlan;
  /** Number of the slab. */
  readonly slab: number;
  /** Rows of this slab; the last may have fewer than the plan says. */
  readonly rows: number;
  readonly signal: AbortSignal | undefined;
}

/** Copies the parts of all chunks that lie in a slab to their places. */
export async function assembleSlab(reader: ChunkReader, target: Uint8Array, options: SlabOptions): Promise<void> {
  const { array, signal } = options;
  const { grid, header } = array;
  const region = regionOf(options);
  const strides = chunkStrides(grid.chunks, header.order);
  const walk = chunkWalk(region, array);
  for (let visited = 0; ; visited++) {
    // A chunk may have a single element; the signal is looked at now and then.
    if (visited % 64 === 0) throwIfCancelled(signal);
    const { chunk, axes, from, to, at } = overlap(region, grid, { index: walk.index, strides });
    if (!reader.has(chunk)) scatter(header.fill, target, { item: grid.item, axes: axes.map((axis) => ({ ...axis, source: 0 })), target: at });
    else {
      const read = reader.part(chunk, from * grid.item, to * grid.item);
      const window = read instanceof Uint8Array ? read : await read;
      // One element, or as many as follow each other on both sides.
      if (axes.every(({ source, target: step }) => source === 1 && step === 1)) target.set(window, at * grid.item);
      else scatter(window, target, { item: grid.item, axes, target: at });
    }
    if (!walk.next()) return;
  }
}

/** First index and extent on every axis. */
interface Region {
  readonly start: readonly number[];
  readonly extent: readonly number[];
}

function regionOf({ array, plan, slab, rows }: SlabOptions): Region {
  const { shape } = array.grid;
  const start = shape.map(() => 0);
  const extent = shape.map((length, axis) => (axis < plan.axis ? 1 : axis === plan.axis ? rows : length));
  start[plan.axis] = (slab % plan.across) * plan.rows;
  let outer = Math.floor(slab / plan.across);
  for (let axis = plan.axis - 1; axis >= 0; axis--) {
    const length = shape[axis] ?? 1;
    start[axis] = outer % length;
    outer = Math.floor(outer / length);
  }
  return { start, extent };
}

/** All chunks that a region touches, in C order; `index` changes with every step. */
function chunkWalk({ start, extent }: Region, { grid }: StoredArray): { readonly index: readonly number[]; next(): boolean } {
  const low = start.map((first, axis) => Math.floor(first / (grid.chunks[axis] ?? 1)));
  const high = start.map((first, axis) => Math.floor((first + (extent[axis] ?? 1) - 1) / (grid.chunks[axis] ?? 1)));
  const index = [...low];
  return {
    index,
    next: () => {
      for (let axis = index.length - 1; axis >= 0; axis--) {
        const value = index[axis] ?? 0;
        if (value < (high[axis] ?? 0)) {
          index[axis] = value + 1;
          return true;
        }
        index[axis] = low[axis] ?? 0;
      }
      return false;
    },
  };
}

interface MovedAxis {
  readonly extent: number;
  source: number;
  target: number;
}

interface Overlap {
  readonly chunk: number;
  readonly axes: readonly MovedAxis[];
  /** Elements of the chunk from the first to behind the last that is wanted. */
  readonly from: number;
  readonly to: number;
  /** Where the first goes, in elements of the slab. */
  readonly at: number;
}

function overlap(region: Region, { chunks, counts }: ChunkGrid, chunkAt: { readonly index: readonly number[]; readonly strides: readonly number[] }): Overlap {
  const { index, strides } = chunkAt;
  const rank = chunks.length;
  const axes: { extent: number; source: number; target: number }[] = [];
  let chunk = 0;
  let from = 0;
  let reach = 0;
  let at = 0;
  let targetStride = 1;
  let chunkWeight = 1;
  for (let axis = rank - 1; axis >= 0; axis--) {
    const height = chunks[axis] ?? 1;
    const number = index[axis] ?? 0;
    const begin = region.start[axis] ?? 0;
    const length = region.extent[axis] ?? 1;
    const low = Math.max(begin, number * height);
    const extent = Math.min(begin + length, (number + 1) * height) - low;
    const source = strides[axis] ?? 1;
    chunk += number * chunkWeight;
    chunkWeight *= counts[axis] ?? 1;
    from += (low - number * height) * source;
    reach += (extent - 1) * source;
    at += (low - begin) * targetStride;
    join(axes, { extent, source, target: targetStride });
    targetStride *= length;
  }
  return { chunk, axes: axes.reverse(), from, to: from + reach + 1, at };
}

/** Puts an axis in front of the ones behind it (the list is innermost first), as one with its neighbour where both sides go on without a gap. */
function join(axes: { extent: number; source: number; target: number }[], axis: { extent: number; source: number; target: number }): void {
  if (axis.extent === 1) return;
  const inner = axes[axes.length - 1];
  if (inner !== undefined && axis.source === inner.source * inner.extent && axis.target === inner.target * inner.extent) inner.extent *= axis.extent;
  else axes.push(axis);
}

function chunkStrides(chunks: readonly number[], order: 'C' | 'F'): number[] {
  const strides = new Array<number>(chunks.length);
  let step = 1;
  for (let i = 0; i < chunks.length; i++) {
    const axis = order === 'C' ? chunks.length - 1 - i : i;
    strides[axis] = step;
    step *= chunks[axis] ?? 1;
  }
  return strides;
}
