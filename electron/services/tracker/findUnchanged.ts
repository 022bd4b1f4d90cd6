import type { CommitHash } from '../../../shared/model/commit';
import { sameShape } from '../../../shared/model/shape';
import type { ThetaEntry } from '../../theta/metadata';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import { type Arriving, takeGroups } from './arriving';
import { type Candidate, mayKeep } from './candidates';
import { type DigestContext, digestOfChain } from './digests';
import type { PhaseProgress } from './phaseProgress';
import type { SourceGroup } from './sourceGroup';

export interface Unchanged {
  /** Entries that have the very value that the file has, in the order of the candidates. */
  readonly entries: readonly { readonly candidate: Candidate; readonly entry: ThetaEntry }[];
}

export interface UnchangedSearch extends DigestContext {
  readonly groups: readonly SourceGroup[];
  readonly candidates: readonly Candidate[];
  readonly head: CommitHash | null;
  /** Set while the file still comes in. */
  readonly arriving: Arriving | undefined;
  /** Blob ids of the metadata that the file is known to stand for, bit for bit. */
  readonly proven: readonly string[];
  readonly progress: PhaseProgress;
  /** Is told of a group whose value is in no candidate, before others are looked at; `null`: nobody need be. */
  readonly whenChanged: ((group: SourceGroup, found: { readonly sha256: string; readonly signal: AbortSignal }) => Promise<void>) | null;
}

export interface Comparison {
  readonly unchanged: ReadonlyMap<string, Unchanged>;
  /** SHA-256 of the values that were hashed for it, by joined name. */
  readonly digests: ReadonlyMap<string, string>;
}

/**
 * The groups of a file whose every bit is in a candidate already, by joined name. Each value of the file is hashed once; a stored one only when
 * the cache does not know its digest. The signature is not asked: it does not tell NaN from NaN, nor one value from its neighbour.
 */
export async function findUnchanged(search: UnchangedSearch): Promise<Comparison> {
  const { groups, candidates, head, proven, pool, progress } = search;
  const found = new Map<string, Unchanged>();
  const digests = new Map<string, string>();
  const { controller, release } = linkedController(search.signal);
  const context: DigestContext = { pool, cache: search.cache, signal: controller.signal };

  const next = takeGroups(groups, search.arriving);
  const compare = async () => {
    const group = await next();
    const alike = candidates.flatMap((candidate) => {
      const entry = candidate.metadata.entries.get(group.name);
      return entry?.dtype === group.dtype && sameShape(entry.shape, group.shape) && mayKeep(candidate, entry, head) ? [{ candidate, entry }] : [];
    });
    const part = progress.part(group.bytes);
    const known = alike.filter(({ candidate }) => proven.includes(candidate.place.blob));
    if (known.length > 0) found.set(group.name, { entries: known });
    else if (alike.length > 0) {
      const { sha256 } = await pool.run('digest', { plan: group.plan }, { signal: controller.signal, priority: 'background', onProgress: part.at });
      digests.set(group.name, sha256);
      const entries = [];
      for (const one of alike) {
        if ((await digestOfChain(one.candidate.chains.get(group.name), group, context)) === sha256) entries.push(one);
      }
      if (entries.length > 0) found.set(group.name, { entries });
      else await search.whenChanged?.(group, { sha256, signal: controller.signal });
    }
    part.end();
  };
  try {
    await forEachLimited(groups, compare, { limit: pool.size * 2, controller });
  } finally {
    release();
  }
  return { unchanged: found, digests };
}
