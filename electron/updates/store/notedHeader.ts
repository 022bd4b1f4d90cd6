import type { UpdateChain } from '../updateChain';
import type { TensorHeader } from '../updateType';
import { readObjectNotes } from './readObjectNotes';

/**
 * Element type and shape that a chain gives, as they are noted in its last object, without looking at the others. Whoever reads the value finds out
 * whether that is true. `null` when nothing is noted, or the update was written for another base than the chain has.
 * @throws CheckpointError cancelled
 */
export async function notedHeader({ steps }: UpdateChain, signal?: AbortSignal): Promise<TensorHeader | null> {
  const [last, before] = [steps.at(-1), steps.at(-2)];
  if (last === undefined || before === undefined) return null;
  const notes = await readObjectNotes(last.object, { signal });
  return notes?.base?.oid === before.object.oid && notes.base.type === before.kind ? notes.value : null;
}
