import { CheckpointError } from '../../../shared/contract/errors';
import { dtypeBytes } from '../../../shared/model/dtype';
import { BLOCK_BYTES, type TensorStream } from '../../tensors/tensorStream';
import { type BlockOptions, forEachBlock } from './forEachBlock';

/** Equally many whole elements of both sides, of which the first is number `at` of its tensor. Valid until the visit ends. */
export type VisitPair = (before: Uint8Array, after: Uint8Array, at: number) => void;

/** Thrown to end a pass; nothing but `forEachPair` sees it. */
const STOP = Symbol('stop');

/** Called in a visit: nothing more is read, and the pass ends as if the tensors had. */
export function stopReading(): never {
  throw STOP;
}

/**
 * Reads two tensors of equally many elements in step, whatever blocks they come in. Progress counts the bytes of `after`.
 * @param before `null`: zeros of the type of `after`
 * @throws CheckpointError `cancelled`, and what the streams throw
 */
export async function forEachPair(
  streams: { readonly before: TensorStream | null; readonly after: TensorStream },
  visit: VisitPair,
  options: BlockOptions,
): Promise<void> {
  const { before, after } = streams;
  const size = dtypeBytes(after.dtype);
  const otherSize = dtypeBytes(before?.dtype ?? after.dtype);
  const others = (before === null ? zeros() : before.blocks(options.context.signal))[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  let at = 0;
  const join = async (block: Uint8Array) => {
    const elements = block.byteLength / size;
    for (let done = 0; done < elements; ) {
      if (rest.byteLength === 0) rest = await nextOf(others);
      const count = Math.min(rest.byteLength / otherSize, elements - done);
      visit(rest.subarray(0, count * otherSize), block.subarray(done * size, (done + count) * size), at + done);
      rest = rest.subarray(count * otherSize);
      done += count;
    }
    at += elements;
  };
  try {
    await forEachBlock(after, join, options);
  } catch (error) {
    if (error !== STOP) throw error;
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
