import { storeGroup } from '../../updates/store/storeGroup';
import type { StoredGroup, StoreRequest } from '../../updates/store/storeRequest';
import type { TaskContext } from './task';

export type StoreInput = StoreRequest;
export type StoreOutput = StoredGroup;

/** Stores a new value of a parameter group as the smallest update that gives it back exactly. */
export async function store(input: StoreInput, context: TaskContext): Promise<StoreOutput> {
  return storeGroup(input, context);
}
