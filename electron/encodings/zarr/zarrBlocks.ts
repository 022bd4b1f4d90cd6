import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { alignedBytes } from '../../bytes/alignedBytes';
import { BLOCK_BYTES } from '../../tensors/tensorStream';
import { assembleSlab } from './assembleSlab';
import { ChunkReader } from './chunkReader';
import { planSlabs, type SlabPlan } from './planSlabs';
import type { StoredArray } from './storedArray';

/**
 * The elements of a stored array in C order, little-endian, from the element `from` on. Memory: one slab (at most 64 MiB) and one chunk.
 * @throws CheckpointError malformed, truncated, too-large, cancelled
 */
export async function* zarrBlocks(
  array: StoredArray,
  { signal, from = 0 }: { readonly signal?: AbortSignal | undefined; readonly from?: number },
): AsyncGenerator<Uint8Array> {
  const { grid } = array;
  if (grid.total === 0) return;
  const plan = planSlabs(grid, array.header.order);
  const reader = new ChunkReader(array);
  const perOuter = (grid.shape[plan.axis] ?? 1) * plan.inner;
  const row = Math.floor((from % perOuter) / plan.inner);
  const first = Math.floor(from / perOuter) * plan.across + Math.floor(row / plan.rows);
  let skip = from - slabStart(plan, perOuter, first);
  let buffer: Uint8Array | null = null;
  for (let slab = first; slab < plan.slabs; slab++) {
    throwIfCancelled(signal);
    const rows = Math.min(plan.rows, (grid.shape[plan.axis] ?? 1) - (slab % plan.across) * plan.rows);
    const bytes = rows * plan.inner * grid.item;
    buffer ??= alignedBytes(slabBytes(plan, array));
    if (plan.direct) await decodeInPlace(reader, buffer, { array, plan, firstRow: slab * plan.rows, rows });
    else await assembleSlab(reader, buffer.subarray(0, bytes), { array, plan, slab, rows, signal });
    for (let at = skip * grid.item; at < bytes; at += BLOCK_BYTES) {
      throwIfCancelled(signal);
      yield buffer.subarray(at, Math.min(bytes, at + BLOCK_BYTES));
    }
    skip = 0;
  }
}

/** First element of a slab. */
function slabStart(plan: SlabPlan, perOuter: number, slab: number): number {
  return Math.floor(slab / plan.across) * perOuter + (slab % plan.across) * plan.rows * plan.inner;
}

/** Chunks that are decoded in place need room for the padding of the last one. */
function slabBytes(plan: SlabPlan, { grid }: StoredArray): number {
  const chunk = grid.chunks[0] ?? 1;
  const rows = plan.direct ? Math.ceil(plan.rows / chunk) * chunk : plan.rows;
  return rows * plan.inner * grid.item;
}

interface Rows {
  readonly array: StoredArray;
  readonly plan: SlabPlan;
  readonly firstRow: number;
  readonly rows: number;
}

async function decodeInPlace(reader: ChunkReader, buffer: Uint8Array, { array, firstRow, rows }: Rows): Promise<void> {
  const { grid, header } = array;
  const height = grid.chunks[0] ?? 1;
  for (let row = 0; row < rows; row += height) {
    const chunk = (firstRow + row) / height;
    const at = (row / height) * grid.chunkBytes;
    const target = buffer.subarray(at, at + grid.chunkBytes);
    if (reader.has(chunk)) {
      const pending = reader.decodeInto(chunk, target);
      if (pending !== undefined) await pending;
    } else fillWith(target, header.fill);
  }
}

function fillWith(target: Uint8Array, element: Uint8Array): void {
  if (element.every((byte) => byte === 0)) {
    target.fill(0);
    return;
  }
  target.set(element);
  for (let known = element.byteLength; known < target.byteLength; known *= 2) target.copyWithin(known, 0, Math.min(known, target.byteLength - known));
}
