import type { ComparedChange, ComparedGroup } from '../../../shared/model/comparison';
import type { PairNumbers } from '../../../shared/model/pairNumbers';

/** What became of a row when its numbers are known, and how many elements of it count as changed. */
export interface SettledChange {
  readonly change: ComparedChange;
  /** `null` where there are no numbers. */
  readonly changed: number | null;
}

/**
 * What a row is by its numbers: exactly, or with `tolerant` within their rtol and atol, where values of another type that are within it count as
 * unchanged too. Another shape is always a modification; a renamed group stays one.
 */
export function settleRow(
  { a, b, change, renamedBy }: ComparedGroup,
  numbers: PairNumbers | null,
  { tolerant }: { readonly tolerant: boolean },
): SettledChange {
  if (numbers === null || a === null || b === null) return { change, changed: change === 'unchanged' || renamedBy === 'content' ? 0 : null };
  const changed = tolerant ? numbers.beyond : numbers.changed;
  if (change === 'renamed') return { change, changed };
  const isOtherType = a.dtype !== b.dtype && !tolerant;
  return { change: changed > 0 || isOtherType ? 'modified' : 'unchanged', changed };
}
