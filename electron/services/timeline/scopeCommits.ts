import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { isCheckpointError } from '../../../shared/contract/errors';
import type { TimelineScope } from '../../../shared/contract/timelineRequests';
import { type CommitHash, type CommitInfo, headCommit } from '../../../shared/model/commit';
import type { OpenedRepository } from '../repositories/openedRepository';

export interface ScopeOptions {
  readonly signal: AbortSignal;
  readonly onCount?: (count: number) => void;
}

type Known = Pick<OpenedRepository, 'git' | 'history'>;

/** The commits of a scope, parents before children; in the order of their dates where parentage leaves it open. @throws not-found for a commit that is not there */
export async function scopeCommits(repository: Known, scope: TimelineScope, options: ScopeOptions): Promise<readonly CommitInfo[]> {
  const { commits, indexOf } = await repository.history.all(options.signal, options.onCount);
  const oldestFirst = [...commits].reverse();
  if (scope.kind === 'all') return oldestFirst;
  const tip = scope.kind === 'commit' ? scope.commit : headCommit(await repository.git.head());
  if (tip === null) return [];
  const newer = await notReached(repository, tip, indexOf, options);
  const wanted = new Uint8Array(commits.length);
  const mark = (hash: CommitHash) => {
    const index = indexOf.get(hash);
    if (index !== undefined) wanted[index] = 1;
  };
  mark(tip);
  for (const { parents } of newer) for (const parent of parents) mark(parent);
  // Children come before their parents, so one pass reaches all.
  for (const [index, { parents }] of commits.entries()) if (wanted[index] === 1) for (const parent of parents) mark(parent);
  return [...oldestFirst.filter((_, index) => wanted[commits.length - 1 - index] === 1), ...newer];
}

/** Commits that no ref leads to, from `tip` down to those that the history knows, parents first. */
async function notReached({ git }: Known, tip: CommitHash, known: ReadonlyMap<CommitHash, number>, { signal }: ScopeOptions): Promise<readonly CommitInfo[]> {
  if (known.has(tip)) return [];
  const found = new Map<CommitHash, CommitInfo>();
  const pending: CommitHash[] = [tip];
  for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
    throwIfCancelled(signal);
    if (found.has(hash) || known.has(hash)) continue;
    const commit = await git.commit(hash).catch((error: unknown) => {
      // Where a shallow clone ends.
      if (hash !== tip && (isCheckpointError(error, 'not-found') || isCheckpointError(error, 'missing-object'))) return null;
      throw error;
    });
    if (commit === null) continue;
    found.set(hash, commit);
    pending.push(...commit.parents);
  }
  return parentsFirst(found, tip);
}

function parentsFirst(commits: ReadonlyMap<CommitHash, CommitInfo>, tip: CommitHash): readonly CommitInfo[] {
  const ordered = new Set<CommitHash>();
  const stack: CommitHash[] = [tip];
  for (let hash = stack.at(-1); hash !== undefined; hash = stack.at(-1)) {
    const waiting = (commits.get(hash)?.parents ?? []).filter((parent) => commits.has(parent) && !ordered.has(parent));
    if (waiting.length > 0 && !ordered.has(hash)) stack.push(...waiting);
    else {
      stack.pop();
      ordered.add(hash);
    }
  }
  return [...ordered].flatMap((hash) => commits.get(hash) ?? []);
}
