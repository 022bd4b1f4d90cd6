import { assertNever } from '../../../shared/base/assertNever';
import type { ChangeQuantity, ValueQuantity } from '../../../shared/model/condition';
import type { PairNumbers } from '../../../shared/model/pairNumbers';
import type { TensorStats } from '../../../shared/model/tensorStats';

/** A number of a value that a condition asks about; `null` where it does not exist. */
export function valueQuantity(stats: TensorStats, quantity: ValueQuantity): number | null {
  switch (quantity) {
    case 'min':
    case 'max':
    case 'mean':
    case 'std':
    case 'l1':
    case 'norm':
    case 'zeros':
    case 'nan':
    case 'subnormals':
      return stats[quantity];
    case 'sparsity':
      return stats.count === 0 ? null : stats.zeros / stats.count;
    case 'inf':
      return stats.positiveInfinity + stats.negativeInfinity;
    case 'distinct':
      return stats.distinct.count;
    default:
      return assertNever(quantity);
  }
}

/** The same of a change. */
export function changeQuantity(numbers: PairNumbers, quantity: ChangeQuantity): number | null {
  switch (quantity) {
    case 'delta':
      return numbers.norm;
    case 'relative_l2':
      return numbers.relativeL2;
    case 'max_abs':
      return numbers.maxAbs;
    case 'mean_abs':
      return numbers.meanAbs;
    case 'cosine':
      return numbers.cosine;
    case 'changed_share':
      return numbers.elements === 0 ? null : numbers.changed / numbers.elements;
    default:
      return assertNever(quantity);
  }
}
