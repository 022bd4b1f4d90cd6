import type { DType } from '../../../shared/model/dtype';
import type { Shape } from '../../../shared/model/shape';
import { bytesOf } from '../../tensors/kernels/lanes';
import type { Candidate } from './candidate';
import type { Changes } from './collectChanges';

/**
 * Changed elements as git-theta computes a sparse update: the difference as a CSR matrix of one row, `indices` and `indptr` in the type that
 * scipy chooses for the number of elements, `shape` int64.
 */
export function encodeSparse({ count, indices, data }: Changes, { dtype, shape }: { readonly dtype: DType; readonly shape: Shape }): Candidate {
  const wide = indices instanceof BigInt64Array;
  const pointer = wide ? BigInt64Array.of(0n, BigInt(count)) : Int32Array.of(0, count);
  return {
    kind: 'sparse',
    members: [
      { name: 'data', dtype, shape: [count], bytes: data },
      { name: 'indices', dtype: wide ? 'int64' : 'int32', shape: [count], bytes: bytesOf(indices) },
      { name: 'indptr', dtype: wide ? 'int64' : 'int32', shape: [2], bytes: bytesOf(pointer) },
      { name: 'shape', dtype: 'int64', shape: [shape.length], bytes: bytesOf(BigInt64Array.from(shape, BigInt)) },
    ],
  };
}
