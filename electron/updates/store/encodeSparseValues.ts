import type { DType } from '../../../shared/model/dtype';
import { bytesOf } from '../../tensors/kernels/lanes';
import type { Candidate } from './candidate';
import type { Changes } from './collectChanges';

/** Changed elements as an update of our own: the new elements, and where they stand. @param changes with the new elements as their data */
export function encodeSparseValues({ count, indices, data }: Changes, { dtype }: { readonly dtype: DType }): Candidate {
  return {
    kind: 'sparse-values',
    members: [
      { name: 'values', dtype, shape: [count], bytes: data },
      { name: 'indices', dtype: indices instanceof BigInt64Array ? 'int64' : 'int32', shape: [count], bytes: bytesOf(indices) },
    ],
  };
}
