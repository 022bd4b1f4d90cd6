import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { sameShape } from '../../../shared/model/shape';
import type { FileGroup } from '../../formats/format';
import type { DigestCache } from '../../theta/digestCache';
import { createDigestCache } from '../../theta/digestCache';
import type { UpdateChain } from '../../updates/updateChain';
import type { WorkerPool } from '../../workers/workerPool';
import type { OpenedRepository } from '../repositories/openedRepository';
import { stateFolder } from '../stateFolder';

/** What digests are computed with. */
export interface DigestContext {
  readonly pool: WorkerPool;
  readonly cache: DigestCache;
  readonly signal: AbortSignal | undefined;
}

/** The digest cache of a repository. */
export function openDigestCache(repository: Pick<OpenedRepository, 'git'>): DigestCache {
  return createDigestCache(join(stateFolder(repository.git.place), 'digests'));
}

/**
 * SHA-256 of the value of a chain, from the cache or by reconstructing it once. `null` when it cannot be reconstructed, or is not of the type
 * and shape that the new value has: then it is not the same, whatever it is.
 */
export async function digestOfChain(
  chain: UpdateChain | CheckpointError | undefined,
  wanted: Pick<FileGroup, 'dtype' | 'shape'>,
  { pool, cache, signal }: DigestContext,
): Promise<string | null> {
  if (chain === undefined || chain instanceof CheckpointError) return null;
  const known = await cache.get(chain);
  if (known !== null) return known;
  try {
    const { sha256, dtype, shape } = await pool.run('digest', { plan: { kind: 'chain', chain } }, { signal, priority: 'background' });
    if (dtype !== wanted.dtype || !sameShape(shape, wanted.shape)) return null;
    cache.set(chain, sha256);
    return sha256;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CheckpointError) return null;
    throw error;
  }
}
