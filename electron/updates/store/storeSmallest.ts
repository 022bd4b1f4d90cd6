import { dtypeBytes } from '../../../shared/model/dtype';
import { tensorBytes } from '../../../shared/model/shape';
import type { UpdateChain } from '../updateChain';
import type { Candidate } from './candidate';
import { chainBytes, chainTooLarge, notSmaller } from './fullCopyNotes';
import { measureObject } from './measureObject';
import type { Pace } from './pace';
import type { ChangeScan } from './scanChange';
import { storeDenseIf } from './storeDense';
import { incrementMembers, storeIncrement } from './storeIncrement';
import type { StoredGroup, StoreRequest } from './storeRequest';

/** An update this many times smaller than a full copy is estimated to be is stored without making the copy. */
const CLEARLY = 2;

export interface SmallestOptions {
  readonly request: StoreRequest;
  readonly chain: UpdateChain;
  readonly pace: Pace;
}

/**
 * Stores an update that gives the exact value, or a full copy when that is no larger, or when the updates since the last full copy would
 * take more bytes than one.
 * @throws CheckpointError cancelled, no-space, permission; what reading throws
 */
export async function storeSmallest(candidate: Candidate, scan: ChangeScan, { request, chain, pace }: SmallestOptions): Promise<StoredGroup> {
  const value = { dtype: scan.next.dtype, shape: scan.next.shape, ...scan.facts };
  const members = incrementMembers(candidate, { chain, value, facts: request.facts });
  const bytes = await measureObject(members, pace.signal);
  const spent = chainBytes(chain) + bytes;
  const copy = chain.steps[0]?.object.bytes ?? 0;
  if (spent > copy || bytes * CLEARLY > (await estimateDense(scan, pace.signal))) {
    let full = 0;
    const accept = (dense: number) => {
      full = dense;
      return dense <= bytes || spent > Math.max(copy, dense);
    };
    const notes: string[] = [];
    const dense = await storeDenseIf(scan.next, request, { pace, facts: scan.facts, notes, accept });
    if (dense !== null) {
      if (full > bytes) notes.push(chainTooLarge(spent, full));
      else if (request.choice !== 'auto') notes.push(notSmaller(bytes, full));
      return dense;
    }
  }
  return storeIncrement(candidate, { members, value, objects: request.objects, notes: [], signal: pace.signal });
}

/** About how many bytes a full copy takes, from pieces of the value. */
async function estimateDense({ next: { dtype, shape }, excerpt }: ChangeScan, signal: AbortSignal): Promise<number> {
  if (excerpt.byteLength === 0) return 0;
  const array = {
    dtype,
    shape: [excerpt.byteLength / dtypeBytes(dtype)],
    blocks: async function* () {
      yield excerpt;
    },
  };
  const measured = await measureObject([{ name: 'parameter', array }], signal);
  return (measured * tensorBytes(dtype, shape)) / excerpt.byteLength;
}
