import { createHash } from 'node:crypto';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { DType } from '../../../shared/model/dtype';
import { dtypeBytes } from '../../../shared/model/dtype';
import { type Shape, sameShape, tensorBytes as sizeOf } from '../../../shared/model/shape';
import { openTensor } from '../../updates/openTensor';
import type { TensorPlan } from '../../updates/updateChain';

/** A parameter group of a checkpoint, for its content. */
export interface CheckpointTensor {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: Shape;
  readonly plan: TensorPlan;
}

/** A tensor in memory, raw little-endian C-order bytes. */
export interface LoadedTensor {
  readonly dtype: DType;
  readonly shape: Shape;
  readonly bytes: Uint8Array;
}

/** Larger ones are compared neither with their transpose nor for what was folded into them: they would have to be held in memory. */
export const MAX_LOADED_BYTES = 1024 * 1024 * 1024;

/** @throws CheckpointError what opening the group's value throws */
export async function loadTensor({ dtype, shape, plan }: CheckpointTensor, signal: AbortSignal | undefined): Promise<LoadedTensor> {
  const stream = await openTensor(plan, signal);
  try {
    const bytes = new Uint8Array(sizeOf(dtype, shape));
    let at = 0;
    for await (const block of stream.blocks(signal)) {
      throwIfCancelled(signal);
      bytes.set(block, at);
      at += block.byteLength;
    }
    return { dtype, shape, bytes };
  } finally {
    await stream.close();
  }
}

/** SHA-256 of dtype, shape and bits. */
export function contentKey({ dtype, shape, bytes }: LoadedTensor): string {
  return `${dtype} ${shape.join('x')} ${createHash('sha256').update(bytes).digest('hex')}`;
}

/** A matrix with its axes swapped. */
export function transposed({ dtype, shape, bytes }: LoadedTensor): LoadedTensor {
  const [rows = 1, columns = 1] = shape;
  const size = dtypeBytes(dtype);
  const turned = new Uint8Array(bytes.byteLength);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const from = (row * columns + column) * size;
      const to = (column * rows + row) * size;
      for (let i = 0; i < size; i++) turned[to + i] = bytes[from + i] ?? 0;
    }
  }
  return { dtype, shape: [columns, rows], bytes: turned };
}

export function isTransposedShape(a: Shape, b: Shape): boolean {
  return a.length === 2 && b.length === 2 && sameShape(a, [b[1] ?? 0, b[0] ?? 0]);
}
