import { createHash, type Hash } from 'node:crypto';
import type { DType } from '../../../shared/model/dtype';
import { elementCount, type Shape, sameShape, tensorBytes } from '../../../shared/model/shape';
import { type Difference, DifferenceAccumulator } from '../../tensors/differenceAccumulator';
import type { TensorStream } from '../../tensors/tensorStream';
import { openTensor } from '../../updates/openTensor';
import type { TensorPlan } from '../../updates/updateChain';
import { forEachPair } from './forEachPair';
import type { TaskContext } from './task';

export interface DifferenceInput {
  /** `null`: zeros, so that the norm is that of `after` itself. */
  readonly before: TensorPlan | null;
  readonly after: TensorPlan;
  /** Whether the digest of `after` is wanted as well. */
  readonly digest: boolean;
}

export interface DifferenceOutput {
  readonly dtype: DType;
  readonly shape: Shape;
  readonly elements: number;
  /** Type and shape of `before` where they are others: then there is nothing to subtract. */
  readonly other: { readonly dtype: DType; readonly shape: Shape } | null;
  /** `null` when types or shapes differ. */
  readonly difference: Difference | null;
  /** SHA-256 of the raw little-endian C-order bytes of `after`, when asked for. */
  readonly sha256: string | null;
}

/** Reconstructs two tensors in step and says how they differ, in bounded memory. @throws CheckpointError what reading throws */
export async function difference({ before, after, digest }: DifferenceInput, context: TaskContext): Promise<DifferenceOutput> {
  const now = await openTensor(after, context.signal);
  try {
    const { dtype, shape } = now;
    const known = { dtype, shape, elements: elementCount(shape) };
    const hash = digest ? createHash('sha256') : null;
    const old = before === null ? null : await openTensor(before, context.signal);
    try {
      const differs = old !== null && (old.dtype !== dtype || !sameShape(old.shape, shape));
      const found = differs ? null : await compare(old, now, { hash, context });
      return {
        ...known,
        other: differs ? { dtype: old.dtype, shape: old.shape } : null,
        difference: found,
        sha256: found === null ? null : (hash?.digest('hex') ?? null),
      };
    } finally {
      await old?.close();
    }
  } finally {
    await now.close();
  }
}

async function compare(old: TensorStream | null, now: TensorStream, options: { hash: Hash | null; context: TaskContext }): Promise<Difference> {
  const { hash, context } = options;
  const accumulator = new DifferenceAccumulator(now.dtype);
  const visit = (before: Uint8Array, after: Uint8Array) => {
    hash?.update(after);
    accumulator.add(before, after);
  };
  await forEachPair({ before: old, after: now }, visit, { context, before: 0, total: tensorBytes(now.dtype, now.shape) });
  return accumulator.finish();
}
