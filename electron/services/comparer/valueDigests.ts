import * as v from 'valibot';
import { CheckpointError } from '../../../shared/contract/errors';
import type { DigestCache } from '../../theta/digestCache';
import type { WorkerPool } from '../../workers/workerPool';
import { isPlan, type OpenedGroup } from '../checkpoints/openedCheckpoint';
import { openDigestCache } from '../tracker/digests';
import { type ComparedCheckpoint, resultsFor, valueId } from './comparedCheckpoint';

const KIND = 'digest 1';
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

/** SHA-256 of values (raw little-endian C-order bytes), each computed once. */
export interface ValueDigests {
  /** What is known already, of whichever command found it out; `null` when nothing is. */
  known(side: ComparedCheckpoint, group: OpenedGroup): Promise<string | null>;
  /** Reads the value when it is not known. @throws CheckpointError when the value cannot be read */
  digest(side: ComparedCheckpoint, group: OpenedGroup, signal?: AbortSignal): Promise<string>;
}

export function createValueDigests(pool: WorkerPool): ValueDigests {
  const tracked = new Map<string, DigestCache>();
  const cacheOf = ({ repository }: ComparedCheckpoint): DigestCache | null => {
    if (repository === null) return null;
    const cache = tracked.get(repository.id) ?? openDigestCache(repository);
    tracked.set(repository.id, cache);
    return cache;
  };

  const known = async (side: ComparedCheckpoint, group: OpenedGroup): Promise<string | null> => {
    const { plan } = group;
    // What `theta add` and checkouts have found out.
    const found = isPlan(plan) && plan.kind === 'chain' ? await cacheOf(side)?.get(plan.chain) : null;
    if (found != null) return found;
    const id = valueId(side, group);
    return id === null ? null : resultsFor([side], [id]).get(KIND, [id.id], sha256);
  };

  return {
    known,
    async digest(side, group, signal) {
      const found = await known(side, group);
      if (found !== null) return found;
      const { plan } = group;
      if (!isPlan(plan)) throw CheckpointError.fromData(plan);
      const result = await pool.run('digest', { plan }, { signal });
      const id = valueId(side, group);
      if (id !== null) await resultsFor([side], [id]).set(KIND, [id.id], result.sha256);
      return result.sha256;
    },
  };
}
