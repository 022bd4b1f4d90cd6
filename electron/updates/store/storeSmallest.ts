import { dtypeBytes } from '../../../shared/model/dtype';
import { tensorBytes } from '../../../shared/model/shape';
import { lfsObjectPath } from '../../git/lfs/lfsFolders';
import type { UpdateChain } from '../updateChain';
import type { TensorHeader } from '../updateType';
import type { Candidate } from './candidate';
import { encodeOnce } from './encodeOnce';
import { chainBytes, chainTooLarge, notSmaller } from './fullCopyNotes';
import { keepValue } from './keptValues';
import { measureObject } from './measureObject';
import type { Pace } from './pace';
import type { ChangeScan } from './scanChange';
import { storeDenseIf } from './storeDense';
import { incrementMembers, storeIncrement } from './storeIncrement';
import type { StoredGroup, StoreRequest } from './storeRequest';

/** An update this many times smaller than a full copy is estimated to be is stored without making the copy. */
const CLEARLY = 2;
const BY_FAR = 8;
/** A part of the excerpt that is enough to tell what is smaller by far: whole elements. */
const FEW_BYTES = 64 * 1024;

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
  const object = await encodeOnce(members, pace.signal);
  const { bytes } = object;
  const spent = chainBytes(chain) + bytes;
  const copy = chain.steps[0]?.object.bytes ?? 0;
  if (spent > copy || !(await isClearlySmaller(bytes, scan, pace.signal))) {
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
  const stored = await storeIncrement(candidate, { object, value, objects: request.objects, notes: [] });
  await keepNext(stored, scan, { request, chain });
  return stored;
}

async function keepNext({ kind, oid, bytes, sha256 }: StoredGroup, { next }: ChangeScan, { request, chain }: Omit<SmallestOptions, 'pace'>): Promise<void> {
  const { objects, values } = request;
  if (objects === null || values === null) return;
  const steps = [...chain.steps, { kind, object: { oid, bytes, path: lfsObjectPath(objects, oid) }, commit: null }];
  await keepValue(values, { ...chain, steps }, { ...next, sha256 });
}

/** A few pieces of the value tell roughly how many bytes a full copy takes; where that is not enough, more of them are asked. */
async function isClearlySmaller(bytes: number, { next, excerpt }: ChangeScan, signal: AbortSignal): Promise<boolean> {
  const few = excerpt.subarray(0, FEW_BYTES);
  if (bytes * BY_FAR < (await estimateDense(next, few, signal))) return true;
  return bytes * CLEARLY <= (await estimateDense(next, excerpt, signal));
}

async function estimateDense({ dtype, shape }: TensorHeader, excerpt: Uint8Array, signal: AbortSignal): Promise<number> {
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
