import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { CommitHash } from '../../../shared/model/commit';
import type { GitCommand } from '../../git/native/gitProcess';
import { peelToCommits, unpushedCommits } from '../../git/push/unpushedCommits';
import type { OpenedRepository } from '../repositories/openedRepository';
import type { NewEntry } from './objectsOfCommits';
import type { NeededObject } from './remoteContext';

export interface BasesQuery {
  readonly entries: readonly NewEntry[];
  /** What is pushed. */
  readonly tips: readonly CommitHash[];
  readonly remote: string | null;
  readonly known: readonly CommitHash[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Objects of the chains below new incremental entries whose base commit the remote will not get: an amend, rebase or squash left it behind, and
 * with it nobody speaks of these objects. Chains through commits that the remote has, or gets, are covered by those.
 */
export async function basesOnNoRemote(repository: OpenedRepository, command: GitCommand, query: BasesQuery): Promise<readonly NeededObject[]> {
  const incremental = query.entries.filter(({ entry }) => entry.updateType !== 'dense');
  const bases = [...new Set(incremental.map(({ entry }) => entry.lastCommit).filter((commit) => commit !== null))];
  const here = (await peelToCommits(command, bases, query.signal)).filter((commit) => commit !== null);
  const range = { tips: here, known: [...query.known, ...query.tips], remote: query.remote, signal: query.signal };
  const left = new Set<string>((await unpushedCommits(command, range)).map(({ commit }) => commit));
  const covered = new Set<string>(here.filter((commit) => !left.has(commit)));
  const uncovered = incremental.filter(({ entry }) => entry.lastCommit === null || !covered.has(entry.lastCommit));

  const byBlob = new Map<string, NewEntry[]>();
  for (const item of uncovered) {
    const key = `${item.path}\0${item.blob}`;
    byBlob.set(key, [...(byBlob.get(key) ?? []), item]);
  }
  const needed: NeededObject[] = [];
  for (const items of byBlob.values()) {
    throwIfCancelled(query.signal);
    const [first] = items;
    if (first === undefined) continue;
    const { commit, path, blob } = first;
    const chains = await repository.chains.resolve(
      { commit, path, blob },
      items.map(({ entry }) => entry),
      query.signal,
    );
    for (const [group, chain] of chains) {
      // What cannot be reconstructed here may still be there: a shallow clone does not have the commits that the remote has.
      if (chain instanceof CheckpointError) continue;
      for (const { object, commit: at } of chain.steps) needed.push({ oid: object.oid, bytes: object.bytes, group, path, commit: at });
    }
  }
  return needed;
}
