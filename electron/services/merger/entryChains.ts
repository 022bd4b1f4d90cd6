import type { CommitHash } from '../../../shared/model/commit';
import { sameEntry } from '../../theta/diffMetadata';
import type { ThetaEntry } from '../../theta/metadata';
import type { OpenedRepository } from '../repositories/openedRepository';
import { mergedCommits } from './mergedCommits';
import type { Sides } from './readSide';
import { type Chain, sideChains } from './sideChains';

export interface ChainSearch {
  readonly sides: Sides;
  readonly path: string;
  readonly signal: AbortSignal | undefined;
}

/** Finds the chain of a merged entry, wherever that came from: what is stored in full needs none of the versions. */
export function entryChains(repository: OpenedRepository, { sides, path, signal }: ChainSearch): (entry: ThetaEntry) => Promise<Chain | undefined> {
  let commits: Promise<readonly CommitHash[]> | null = null;
  return async (entry) => {
    const { name, oid, bytes, updateType } = entry;
    if (updateType === 'dense') return { group: name, steps: [{ kind: updateType, object: { oid, bytes, path: repository.lfs.pathOf(oid) }, commit: null }] };
    for (const side of [sides.ours, sides.theirs, sides.base]) {
      const own = side.metadata.entries.get(name);
      if (own === undefined || !sameEntry(own, entry)) continue;
      commits ??= mergedCommits(repository.git, process.env);
      return (await sideChains(repository, { side, path, commits: await commits, signal }, [own])).get(name);
    }
    return undefined;
  };
}
