import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { dtypeBytes } from '../../../shared/model/dtype';
import type { PairAccumulator } from '../../tensors/comparison/pairOptions';
import { type BlockOptions, STRETCH_MS } from './forEachBlock';
import type { OpenPair } from './openPair';

/**
 * Reads two tensors of one type in step, piece by piece, to where an accumulator looks at them: in the processor's cache, and never copied.
 * @returns false, and nothing was done, when they cannot be read like that
 * @throws CheckpointError as forEachBlock
 */
export async function fillPair({ before, after, from }: OpenPair, accumulator: PairAccumulator, { context, total, ...rest }: BlockOptions): Promise<boolean> {
  const { input } = accumulator;
  const [old, now] = [before.fill, after.fill];
  if (old === undefined || now === undefined || input === null || before.dtype !== after.dtype) return false;
  const each = dtypeBytes(after.dtype);
  let turn = performance.now();
  throwIfCancelled(context.signal);
  for (let done = 0; done < total; done += input.a.byteLength) {
    const size = Math.min(input.a.byteLength, total - done);
    old(done, input.a.subarray(0, size));
    now(done, input.b.subarray(0, size));
    accumulator.addInput(size, from + done / each);
    if (performance.now() - turn <= STRETCH_MS) continue;
    context.progress(rest.before + done + size, total);
    await setImmediate();
    throwIfCancelled(context.signal);
    turn = performance.now();
  }
  context.progress(rest.before + total, total);
  throwIfCancelled(context.signal);
  return true;
}
