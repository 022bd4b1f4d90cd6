import type { MemberToWrite } from '../../encodings/zarr/arrayToWrite';
import type { TensorStream } from '../../tensors/tensorStream';
import type { Pace } from './pace';
import type { ValueObserver } from './valueFacts';

/**
 * The member `parameter` of a complete value.
 * @param observer sees every block as it passes by; `null` when the value is known already
 */
export function encodeDense(value: TensorStream, pace: Pace, observer: ValueObserver | null): MemberToWrite {
  const { dtype, shape } = value;
  const blocks = async function* () {
    for await (const block of value.blocks(pace.signal)) {
      observer?.add(block);
      yield block;
      await pace.step(block.byteLength);
    }
  };
  return { name: 'parameter', array: { dtype, shape, blocks } };
}
