import { CheckpointError } from '../../../shared/contract/errors';
import { formatShape, sameShape, tensorBytes } from '../../../shared/model/shape';
import type { TensorStream } from '../../tensors/tensorStream';
import { openTensor } from '../openTensor';
import type { UpdateChain } from '../updateChain';
import { usesOwnTypes } from '../usesOwnTypes';
import { fullCopyBecause, notForGitTheta, tooManySteps } from './fullCopyNotes';
import { holdInMemory } from './holdInMemory';
import { inferUpdate } from './inferUpdate';
import { openBase, UnreadableBase } from './openBase';
import { Pace, type WorkContext } from './pace';
import { scanChange } from './scanChange';
import { storeDeclared } from './storeDeclared';
import { storeDense } from './storeDense';
import type { StoredGroup, StoreRequest } from './storeRequest';
import { storeSmallest } from './storeSmallest';

/** No update takes fewer bytes than a full copy of so small a value: each member has a header of two hundred. */
const TINY = 384;

/**
 * Stores a new value of one parameter group: as an incremental update where one gives the exact bits back and is smaller, else as a full
 * copy. What is stored incrementally was applied by the reading code and compared before.
 * @throws CheckpointError what reading the value throws; of a declared update: invalid-request, and what reading the previous value
 * throws; no-space, permission, cancelled. Nothing was stored then.
 */
export async function storeGroup(request: StoreRequest, context: WorkContext): Promise<StoredGroup> {
  const pace = new Pace(context);
  if (request.declared !== null) return storeDeclared(request, request.declared, pace);
  if (request.value === null)
    throw new CheckpointError('invalid-request', 'There is neither a value nor an update to store.', { place: { group: request.group } });
  const value = await openTensor(request.value, context.signal);
  try {
    const { chain, note } = usableBase(request, value);
    if (chain === null) return await storeFull(value, request, { pace, note });
    try {
      return await storeChange(value, { request, chain, pace });
    } catch (error) {
      if (!(error instanceof UnreadableBase)) throw error;
      return await storeFull(value, request, { pace, note: `Stored as a full copy, because the previous value cannot be read: ${error.message}` });
    }
  } finally {
    await value.close();
  }
}

/** The chain that an update could continue, or why there is none, when that is worth a word. */
function usableBase(request: StoreRequest, { dtype, shape }: TensorStream): { readonly chain: UpdateChain | null; readonly note: string | null } {
  const { base, choice, maxLinks, ownTypes } = request;
  if (choice === 'dense') return { chain: null, note: null };
  const unless = (reason: string) => ({ chain: null, note: choice === 'auto' ? null : fullCopyBecause(reason) });
  if (base === null) return unless('there is no previous value');
  if (tensorBytes(dtype, shape) <= TINY) return unless('no update would take fewer bytes');
  if (base.steps.length >= maxLinks) return { chain: null, note: tooManySteps(base) };
  if (!ownTypes && usesOwnTypes(base)) return { chain: null, note: notForGitTheta() };
  return { chain: base, note: null };
}

interface Change {
  readonly request: StoreRequest;
  readonly chain: UpdateChain;
  readonly pace: Pace;
}

async function storeChange(value: TensorStream, { request, chain, pace }: Change): Promise<StoredGroup> {
  const explicit = request.choice !== 'auto';
  const base = await openBase(chain, request.values, pace.signal);
  try {
    if (base.dtype !== value.dtype || !sameShape(base.shape, value.shape)) {
      const reason = `the previous value is ${base.dtype} ${formatShape(base.shape)}, the new one ${value.dtype} ${formatShape(value.shape)}`;
      return await storeFull(value, request, { pace, note: explicit ? fullCopyBecause(reason) : null });
    }
    return await storeDifference(value, base, { request, chain, pace });
  } finally {
    await base.close();
  }
}

async function storeDifference(value: TensorStream, base: TensorStream, change: Change): Promise<StoredGroup> {
  const { request, pace } = change;
  const next = holdInMemory(value);
  try {
    pace.expect(tensorBytes(value.dtype, value.shape));
    const ownTypes = request.ownTypes && request.choice === 'auto';
    const scan = await scanChange(base, next, { pace, ownTypes, sha256: request.sha256 });
    const { candidate, reason } = await inferUpdate(scan, request.choice, pace);
    if (candidate !== null) return await storeSmallest(candidate, scan, change);
    const notes = request.choice === 'auto' ? [] : [fullCopyBecause(reason)];
    return await storeDense(scan.next, request, { pace, facts: scan.facts, notes });
  } finally {
    await next.close();
  }
}

async function storeFull(
  value: TensorStream,
  request: StoreRequest,
  { pace, note }: { readonly pace: Pace; readonly note: string | null },
): Promise<StoredGroup> {
  return storeDense(value, request, { pace, facts: null, notes: note === null ? [] : [note] });
}
