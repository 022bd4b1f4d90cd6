import type { ErrorData } from '../../shared/contract/errors';
import type { ComparedGroup } from '../../shared/model/comparison';
import type { MeasuredRow } from '../services/comparer/measureRow';
import type { SettledChange } from '../services/comparer/settleRow';

/** One row of the result: what was matched, what became of it, and its numbers where there are two values. */
export interface ComparisonRow extends SettledChange {
  readonly group: ComparedGroup;
  readonly measured: MeasuredRow | null;
  /** Why there are no numbers. */
  readonly error: ErrorData | null;
}
