import { sameShape } from '../../../shared/model/shape';
import type { TensorStream } from '../../tensors/tensorStream';
import { blocksInStep } from './blocksInStep';
import type { Pace } from './pace';

/** Whether two values are equal in element type, shape and every bit; ends at the first difference. @throws what reading throws; cancelled */
export async function sameBits(a: TensorStream, b: TensorStream, pace: Pace): Promise<boolean> {
  if (a.dtype !== b.dtype || !sameShape(a.shape, b.shape)) return false;
  for await (const { parts } of blocksInStep([a.blocks(pace.signal), b.blocks(pace.signal)])) {
    const [left, right] = parts;
    if (left === undefined || right === undefined || Buffer.compare(left, right) !== 0) return false;
    await pace.step(left.byteLength);
  }
  return true;
}
