import { createHash } from 'node:crypto';
import type { DType } from '../../../shared/model/dtype';
import { type Shape, tensorBytes } from '../../../shared/model/shape';
import { openTensor } from '../../updates/openTensor';
import type { TensorPlan } from '../../updates/updateChain';
import { forEachBlock } from './forEachBlock';
import type { TaskContext } from './task';

export interface DigestInput {
  readonly plan: TensorPlan;
}

export interface DigestOutput {
  readonly dtype: DType;
  readonly shape: Shape;
  /** Of the raw little-endian C-order bytes, lowercase hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Reconstructs a tensor and hashes its bytes. */
export async function digest({ plan }: DigestInput, context: TaskContext): Promise<DigestOutput> {
  const stream = await openTensor(plan, context.signal);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    const add = (block: Uint8Array) => {
      hash.update(block);
      bytes += block.byteLength;
    };
    await forEachBlock(stream, add, { context, before: 0, total: tensorBytes(stream.dtype, stream.shape) });
    return { dtype: stream.dtype, shape: stream.shape, sha256: hash.digest('hex'), bytes };
  } finally {
    await stream.close();
  }
}
