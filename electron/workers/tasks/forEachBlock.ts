import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { TensorStream } from '../../tensors/tensorStream';
import type { TaskContext } from './task';

/** Longest stretch in which a task does not let messages in, in milliseconds; a cancel waits that long at most. */
export const STRETCH_MS = 25;

export interface BlockOptions {
  readonly context: TaskContext;
  /** Bytes that were done before this pass, and bytes of all passes together. */
  readonly before: number;
  readonly total: number;
}

/**
 * Hands every block of a tensor to `visit`, reports progress, and lets the thread hear a cancel in between: a chain that is decoded from
 * memory would otherwise never give the event loop a turn.
 * @throws CheckpointError `cancelled`, and what the stream throws
 */
export async function forEachBlock(stream: TensorStream, visit: (block: Uint8Array) => void | Promise<void>, options: BlockOptions): Promise<void> {
  const { context, total } = options;
  let done = options.before;
  let turn = performance.now();
  throwIfCancelled(context.signal);
  for await (const block of stream.blocks(context.signal)) {
    throwIfCancelled(context.signal);
    const visited = visit(block);
    if (visited !== undefined) await visited;
    done += block.byteLength;
    context.progress(done, total);
    if (performance.now() - turn > STRETCH_MS) {
      await setImmediate();
      turn = performance.now();
    }
  }
  throwIfCancelled(context.signal);
}
