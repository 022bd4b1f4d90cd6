import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { ChangeKind, ChangeTally, CommitChange } from '../../../shared/model/checkpoint';
import type { CommitHash } from '../../../shared/model/commit';
import { isUpdateKind } from '../../../shared/model/update';
import type { GitRepository } from '../../git/gitRepository';
import { diffMetadata } from '../../theta/diffMetadata';
import type { ThetaEntry } from '../../theta/metadata';
import type { MetadataStore } from '../../theta/metadataStore';
import { addBytes } from '../addBytes';
import { type StoredAs, storedAs } from '../storedAs';

export interface ChangesContext {
  readonly repository: GitRepository;
  readonly metadata: MetadataStore;
  /** Remembers how a blob is kept; blobs never change. */
  readonly storedAs: Map<string, StoredAs>;
}

/** What each commit did to one path against its first parent (the empty tree for a root), from metadata alone. */
export async function changesOfCommits(
  context: ChangesContext,
  path: string,
  commits: readonly CommitHash[],
  signal: AbortSignal,
): Promise<readonly CommitChange[]> {
  const infos = await Promise.all(commits.map((hash) => context.repository.commit(hash)));
  const parents = infos.map((info) => info.parents[0]);
  const asked = [...commits, ...parents.filter((parent) => parent !== undefined)];
  const entries = await context.repository.entries(asked, path, signal);
  const blobOf = new Map<CommitHash, string | null>();
  asked.forEach((hash, index) => {
    const entry = entries[index];
    blobOf.set(hash, entry?.kind === 'blob' ? entry.oid : null);
  });
  const changes: CommitChange[] = [];
  for (const [index, commit] of commits.entries()) {
    throwIfCancelled(signal);
    const parent = parents[index];
    changes.push(
      await changeOf(context, { commit, path, after: blobOf.get(commit) ?? null, before: parent === undefined ? null : (blobOf.get(parent) ?? null) }),
    );
  }
  return changes;
}

interface BlobPair {
  readonly commit: CommitHash;
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

async function changeOf(context: ChangesContext, pair: BlobPair): Promise<CommitChange> {
  const { commit, before, after } = pair;
  const nothing = { commit, present: after !== null, storage: null, unchanged: 0, tallies: {}, error: null } satisfies CommitChange;
  try {
    const now = after === null ? null : await storedAs(context, after);
    const old = before === null ? null : await storedAs(context, before);
    if (now?.storage === 'theta' || (now === null && old?.storage === 'theta')) {
      const theta = await thetaChange(context, pair, old?.storage === 'theta');
      return { ...nothing, storage: 'theta', ...theta };
    }
    if (before === after) return { ...nothing, storage: now?.storage ?? null };
    const tallies: Partial<Record<ChangeKind, ChangeTally>> = {};
    if (now !== null) tallies[before === null ? 'added' : 'replaced'] = { groups: 0, bytes: now.bytes };
    else if (old !== null) tallies.removed = { groups: 0, bytes: old.bytes };
    return { ...nothing, storage: now?.storage ?? old?.storage ?? null, tallies };
  } catch (error) {
    return { ...nothing, error: CheckpointError.from(error).at({ commit, file: pair.path }).toData() };
  }
}

async function thetaChange(
  { metadata }: ChangesContext,
  { path, before, after }: BlobPair,
  wasTheta: boolean,
): Promise<Pick<CommitChange, 'unchanged' | 'tallies'>> {
  const next = after === null ? null : await metadata.parsed(after, path);
  if (before === after) return { unchanged: next?.entries.size ?? 0, tallies: {} };
  // Its groups were not counted before; to call them added would say that the file was not there.
  if (before !== null && !wasTheta && next !== null) {
    const bytes = [...next.entries.values()].reduce((sum, entry) => addBytes(sum, entry.bytes), 0);
    return { unchanged: 0, tallies: { replaced: { groups: 0, bytes } } };
  }
  const old = before === null || !wasTheta ? null : await metadata.parsed(before, path);
  const diff = diffMetadata(old, next);
  const tallies: Partial<Record<ChangeKind, ChangeTally>> = {};
  const add = (kind: ChangeKind, { bytes }: Pick<ThetaEntry, 'bytes'>) => {
    const tally = tallies[kind] ?? { groups: 0, bytes: 0 };
    tallies[kind] = { groups: tally.groups + 1, bytes: addBytes(tally.bytes, bytes) };
  };
  for (const entry of diff.added) add('added', entry);
  for (const entry of diff.removed) add('removed', entry);
  for (const { a, b } of diff.renamed) add('renamed', a.oid === b.oid ? { bytes: 0 } : b);
  for (const entry of diff.modified) add(isUpdateKind(entry.updateType) ? entry.updateType : 'other', entry);
  return { unchanged: diff.unchanged.length, tallies };
}
