import { type AverageRequest, averageGroup } from '../../updates/store/averageGroup';
import type { StoredGroup } from '../../updates/store/storeRequest';
import type { TaskContext } from './task';

export type AverageInput = AverageRequest;
export type AverageOutput = StoredGroup;

/** Stores a weighted sum of values of a parameter group as a full copy. */
export async function average(input: AverageInput, context: TaskContext): Promise<AverageOutput> {
  return averageGroup(input, context);
}
