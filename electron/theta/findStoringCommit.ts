import { throwIfCancelled } from '../../shared/contract/cancelled';
import type { CommitHash } from '../../shared/model/commit';
import type { GitRepository } from '../git/gitRepository';
import { sameEntry } from './diffMetadata';
import type { MetadataStore } from './metadataStore';

/** Commits looked at; further back, the commit found so far is given. */
const MAX_COMMITS = 2000;

export interface StoredEntry {
  readonly repository: Pick<GitRepository, 'commit'>;
  readonly metadata: MetadataStore;
  /** A commit whose metadata holds the entry. */
  readonly commit: CommitHash;
  readonly path: string;
  readonly group: string;
  /** Object of the entry, so that another entry of the name is not mistaken for it. */
  readonly oid: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The commit that stored an entry: git-theta repeats an unchanged entry in every later commit, and what refers to it names any of these.
 * Follows parents for as long as one of them has the same entry.
 */
export async function findStoringCommit(stored: StoredEntry): Promise<CommitHash> {
  const { repository, metadata, path, group, oid, signal } = stored;
  const entryAt = async (commit: CommitHash) => {
    const blob = await metadata.blobAt(commit, path);
    return blob === null ? undefined : (await metadata.parsed(blob, path)).entries.get(group);
  };
  // A version that cannot be read, or a history that ends early, ends the search, not the work that it is for.
  const entry = await entryAt(stored.commit).catch(() => undefined);
  if (entry?.oid !== oid) return stored.commit;
  let here = stored.commit;
  for (let count = 0; count < MAX_COMMITS; count++) {
    throwIfCancelled(signal);
    let older: CommitHash | null = null;
    const parents = await repository.commit(here).then(
      (info) => info.parents,
      () => [],
    );
    for (const parent of parents) {
      const before = await entryAt(parent).catch(() => undefined);
      if (before !== undefined && sameEntry(before, entry)) {
        older = parent;
        break;
      }
    }
    if (older === null) return here;
    here = older;
  }
  return here;
}
