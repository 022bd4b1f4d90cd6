import { CheckpointError } from '../../../shared/contract/errors';
import { dtypeKind } from '../../../shared/model/dtype';
import { tensorBytes } from '../../../shared/model/shape';
import type { TensorStream } from '../../tensors/tensorStream';
import { openChain } from '../openChain';
import { usesOwnTypes } from '../usesOwnTypes';
import { applyCandidate, type Candidate } from './candidate';
import { checkDeclared } from './checkDeclared';
import { encodeOnce } from './encodeOnce';
import { chainBytes, chainTooLarge, notForGitTheta, tooManySteps } from './fullCopyNotes';
import type { Pace } from './pace';
import { readDeclared } from './readDeclared';
import { storeDense } from './storeDense';
import { incrementMembers, storeIncrement } from './storeIncrement';
import type { DeclaredMember, StoredGroup, StoreRequest } from './storeRequest';
import { readValueFacts } from './valueFacts';

/** Chains of small groups may cost more than a full copy: nobody would notice, and the type of the update was asked for. */
const SMALL_CHAIN = 64 * 1024;
/** Up to this depth of a product, libraries sum up in the same order. */
const COMMON_DEPTH = 16;

/**
 * Stores an update that was produced elsewhere. What the reading code makes of it and the previous value is the new value.
 * @throws CheckpointError invalid-request when it does not fit; what reading throws; no-space, permission, cancelled
 */
export async function storeDeclared(request: StoreRequest, declared: readonly DeclaredMember[], pace: Pace): Promise<StoredGroup> {
  try {
    const { base: chain, facts, objects, choice, maxLinks, ownTypes } = request;
    if (chain === null) throw new CheckpointError('invalid-request', 'There is no previous value that the update data could be applied to.');
    const candidate = await readDeclared(request, declared, pace.signal);
    const base = await openChain(chain, pace.signal);
    try {
      await checkDeclared(candidate, base, pace.signal);
      const result = await applyCandidate(base, candidate);
      if (choice === 'dense') return await storeDense(result, request, { pace, facts: null, notes: [] });
      if (chain.steps.length >= maxLinks) return await storeDense(result, request, { pace, facts: null, notes: [tooManySteps(chain)] });
      if (!ownTypes && usesOwnTypes(chain)) return await storeDense(result, request, { pace, facts: null, notes: [notForGitTheta()] });
      const value = await factsOf(result, pace);
      const members = incrementMembers(candidate, { chain, value, facts });
      const object = await encodeOnce(members, pace.signal);
      const spent = chainBytes(chain) + object.bytes;
      const full = chain.steps[0]?.object.bytes ?? 0;
      if (spent > Math.max(full, SMALL_CHAIN)) return await storeDense(result, request, { pace, facts: value, notes: [chainTooLarge(spent, full)] });
      return await storeIncrement(candidate, { object, value, objects, notes: productNotes(candidate) });
    } finally {
      await base.close();
    }
  } catch (error) {
    throw CheckpointError.from(error).at({ group: request.group });
  }
}

async function factsOf(result: TensorStream, pace: Pace) {
  pace.expect(tensorBytes(result.dtype, result.shape));
  return { dtype: result.dtype, shape: result.shape, ...(await readValueFacts(result, pace)) };
}

/** Where git-theta may compute other last bits than we do. */
function productNotes({ kind, members }: Candidate): string[] {
  const factor = members[0];
  const depth = factor?.shape.at(-1) ?? 0;
  if (kind !== 'low-rank' || factor === undefined || depth <= COMMON_DEPTH || dtypeKind(factor.dtype) === 'int') return [];
  return [`git-theta may give values that differ by rounding, because products of depth ${depth} are summed in another order on some machines.`];
}
