import { CheckpointError } from '../../../shared/contract/errors';
import type { MessageRange, ScalarField } from '../../encodings/protobuf/scanFields';

/** Values of a repeated field, which may stand packed, one by one, or both. */
export interface RepeatedValues {
  /** Packed runs of values. */
  readonly runs: readonly MessageRange[];
  /** Values that stand by themselves. */
  readonly single: number;
}

export interface CollectedValues {
  readonly runs: MessageRange[];
  single: number;
}

/** Writers make one run. */
const MAX_RUNS = 100_000;

/** @throws CheckpointError too-large */
export function addValue(values: CollectedValues, field: ScalarField): void {
  if (field.kind === 'bytes') {
    if (values.runs.push({ offset: field.offset, length: field.length }) > MAX_RUNS)
      throw new CheckpointError('too-large', `The values of a tensor stand in more than ${MAX_RUNS} parts.`, { place: { offset: field.offset } });
  } else values.single++;
}

export function isEmpty({ runs, single }: RepeatedValues): boolean {
  return single === 0 && runs.every(({ length }) => length === 0);
}
