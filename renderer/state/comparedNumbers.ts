import type { CheckpointError } from '../../shared/contract/errors';
import { type ComparedChange, type ComparedGroup, comparedName } from '../../shared/model/comparison';
import type { PairNumbers, PairStructure } from '../../shared/model/pairNumbers';
import { elementCount, sameShape } from '../../shared/model/shape';
import type { SummarisedRow } from '../../shared/model/summariseComparison';
import { type BeyondBounds, boundBeyond, type PackedCloseness, type Tolerance } from '../charts/closenessBounds';

/** What was measured of one row, without what only its detail needs. */
export interface RowNumbers {
  readonly numbers: PairNumbers | null;
  readonly closeness: PackedCloseness | null;
  readonly structure: Pick<PairStructure, 'rank' | 'rankIsAtLeast' | 'scaling' | 'words'> | null;
  readonly error: CheckpointError | null;
}

/** What a row is called with the chosen tolerance: `within` changed, but no element by more than is tolerated. */
export const SHOWN_CHANGES = [...(['modified', 'added', 'removed', 'renamed', 'within', 'unchanged', 'unknown'] as const)] as const satisfies readonly (
  | ComparedChange
  | 'within'
)[];
export type ShownChange = (typeof SHOWN_CHANGES)[number];

export interface RowJudgement {
  readonly change: ShownChange;
  /** Elements beyond the tolerance; `null` while nothing was measured, or where nothing can be. */
  readonly beyond: BeyondBounds | null;
}

/** Whether numbers say anything about a row: both sides are there, can be read, and have one shape. */
export function canMeasure({ a, b }: ComparedGroup): boolean {
  return a !== null && b !== null && a.error === null && b.error === null && sameShape(a.shape, b.shape);
}

/** Whether its values have to be read: they are not known to be equal. */
export function wantsNumbers(group: ComparedGroup): boolean {
  return canMeasure(group) && group.change !== 'unchanged' && !(group.change === 'renamed' && group.renamedBy === 'content');
}

const NONE: BeyondBounds = { least: 0, most: 0 };

export function judgeRow(group: ComparedGroup, row: RowNumbers | undefined, tolerance: Tolerance): RowJudgement {
  if (group.a === null || group.b === null) return { change: group.change, beyond: null };
  if (!canMeasure(group)) return { change: group.a.error === null && group.b.error === null ? notEqual(group) : group.change, beyond: null };
  if (!wantsNumbers(group)) return { change: group.change, beyond: NONE };
  if (row?.numbers == null) return { change: group.change, beyond: null };
  const beyond = boundBeyond(row.numbers, row.closeness, tolerance);
  // Another element type is a change, whatever the values.
  const isSameType = group.a.dtype === group.b.dtype;
  if (row.numbers.changed === 0) return { change: isSameType && group.change !== 'renamed' ? 'unchanged' : notEqual(group), beyond };
  if (beyond.most === 0) return { change: 'within', beyond };
  return { change: notEqual(group), beyond };
}

function notEqual({ change }: ComparedGroup): ShownChange {
  return change === 'renamed' ? 'renamed' : 'modified';
}

/** Elements of a row, on the newer side where it is on both. */
export function elementsOf({ a, b }: ComparedGroup): number {
  return elementCount(b?.shape ?? a?.shape ?? []);
}

/** What the sentence about the comparison is made of. */
export function summarisedRow(group: ComparedGroup, { change, beyond }: RowJudgement): SummarisedRow {
  return {
    name: comparedName(group),
    change: change === 'within' ? 'unchanged' : change,
    elements: elementsOf(group),
    changed: beyond === null ? null : Math.round((beyond.least + beyond.most) / 2),
  };
}
