import { createHash, type Hash } from 'node:crypto';
import { CheckpointError } from '../../../shared/contract/errors';
import type { DType } from '../../../shared/model/dtype';
import { elementCount, type Shape, sameShape, tensorBytes } from '../../../shared/model/shape';
import { type Difference, DifferenceAccumulator } from '../../tensors/differenceAccumulator';
import { BLOCK_BYTES, type TensorStream } from '../../tensors/tensorStream';
import { openTensor } from '../../updates/openTensor';
import type { TensorPlan } from '../../updates/updateChain';
import { forEachBlock } from './forEachBlock';
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
  const others = (old === null ? zeros() : old.blocks(context.signal))[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  const visit = async (block: Uint8Array) => {
    hash?.update(block);
    for (let at = 0; at < block.byteLength; ) {
      if (rest.byteLength === 0) rest = await nextOf(others);
      const size = Math.min(rest.byteLength, block.byteLength - at);
      accumulator.add(rest.subarray(0, size), block.subarray(at, at + size));
      rest = rest.subarray(size);
      at += size;
    }
  };
  try {
    await forEachBlock(now, visit, { context, before: 0, total: tensorBytes(now.dtype, now.shape) });
    return accumulator.finish();
  } finally {
    await others.return?.();
  }
}

async function nextOf(blocks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  for (;;) {
    const next = await blocks.next();
    if (next.done === true) throw new CheckpointError('internal', 'A tensor ended before its last element.');
    if (next.value.byteLength > 0) return next.value;
  }
}

async function* zeros(): AsyncGenerator<Uint8Array> {
  const block = new Uint8Array(BLOCK_BYTES);
  for (;;) yield block;
}
