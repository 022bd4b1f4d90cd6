import type { CheckpointError } from '../../../shared/contract/errors';
import { sameShape } from '../../../shared/model/shape';
import type { GroupVersions } from '../../theta/mergeMetadata';
import type { ThetaEntry } from '../../theta/metadata';
import type { UpdateChain } from '../../updates/updateChain';
import type { WorkerPool } from '../../workers/workerPool';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import type { OpenedRepository } from '../repositories/openedRepository';
import { digestOfChain, openDigestCache } from '../tracker/digests';

export interface EqualValuesRequest {
  /** Groups whose three entries are three different ones. */
  readonly groups: readonly GroupVersions[];
  readonly chainOf: (entry: ThetaEntry) => UpdateChain | CheckpointError | undefined;
  readonly pool: WorkerPool;
  readonly signal: AbortSignal | undefined;
}

/** Pairs of entries that may stand for one value. Their signatures are sums of the values: two that differ come from two values. */
export function pairsToCompare(groups: readonly GroupVersions[]): readonly (readonly [ThetaEntry, ThetaEntry])[] {
  return groups.flatMap(({ base, ours, theirs }) =>
    (
      [
        [ours, theirs],
        [base, theirs],
        [base, ours],
      ] as const
    ).flatMap(([a, b]) => (a !== null && b !== null && mayBeEqual(a, b) ? [[a, b] as const] : [])),
  );
}

function mayBeEqual(a: ThetaEntry, b: ThetaEntry): boolean {
  if (a.dtype !== b.dtype || !sameShape(a.shape, b.shape)) return false;
  return a.signature === null || b.signature === null || a.signature.every((number, index) => number === b.signature?.[index]);
}

/** Which different entries give the same value, bit for bit. One that cannot be reconstructed equals nothing. */
export async function equalValues(repository: OpenedRepository, request: EqualValuesRequest): Promise<(a: ThetaEntry, b: ThetaEntry) => boolean> {
  const { chainOf, pool, signal } = request;
  const pairs = pairsToCompare(request.groups);
  const digests = new Map<ThetaEntry, string | null>();
  const cache = openDigestCache(repository);
  const { controller, release } = linkedController(signal);
  try {
    const compute = async (entry: ThetaEntry) => {
      digests.set(entry, await digestOfChain(chainOf(entry), entry, { pool, cache, signal: controller.signal }));
    };
    await forEachLimited(new Set(pairs.flat()), compute, { limit: pool.size, controller });
  } finally {
    release();
  }
  if (digests.size > 0) await cache.save();
  return (a, b) => {
    const digest = digests.get(a) ?? null;
    return digest !== null && digest === digests.get(b);
  };
}
