import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { CommitHash, CommitInfo } from '../../../shared/model/commit';
import type { GitRepository } from '../../git/gitRepository';

/** The rest of a history is read ahead in the background up to here; beyond, pages are read as they are asked for. */
const READ_AHEAD_COMMITS = 200_000;

export interface HistoryPage {
  readonly generation: number;
  readonly commits: readonly CommitInfo[];
  readonly total: number | null;
}

export interface HistoryIndex {
  page(offset: number, limit: number, signal: AbortSignal): Promise<HistoryPage>;
  /** Number of commits once all are read; `null` when there are more than are read ahead. */
  count(signal: AbortSignal): Promise<{ generation: number; total: number | null }>;
  /** Position of a commit in the order of the pages; `null` when no ref reaches it. */
  locate(commit: CommitHash, signal: AbortSignal): Promise<{ generation: number; index: number | null }>;
  /** The whole history. `onCount` hears how many commits have been read. */
  all(
    signal: AbortSignal,
    onCount?: (count: number) => void,
  ): Promise<{ generation: number; commits: readonly CommitInfo[]; indexOf: ReadonlyMap<CommitHash, number> }>;
  /** Refs have moved: what is read next belongs to a new generation. */
  reset(): void;
  dispose(): void;
}

interface Walk {
  readonly generation: number;
  readonly strict: boolean;
  readonly commits: CommitInfo[];
  readonly indexOf: Map<CommitHash, number>;
  readonly abort: AbortController;
  readonly batches: AsyncIterator<readonly CommitInfo[]>;
  complete: boolean;
  pulling: Promise<void> | null;
}

/**
 * The history of a repository in the order in which the window shows it, read as far as somebody looked.
 * The first walk uses git's default order, which needs no look-ahead: the first page of 100,000 commits comes in milliseconds. That order
 * shows a parent before its child only where clocks disagree; when that happens, the walk starts again in strict topological order as
 * a new generation.
 */
export function createHistoryIndex(repository: Pick<GitRepository, 'walk'>): HistoryIndex {
  let generation = 0;
  let disposed = false;
  let current = start(false);

  function start(strict: boolean): Walk {
    const abort = new AbortController();
    const batches = repository.walk({ strict, signal: abort.signal })[Symbol.asyncIterator]();
    return { generation: generation++, strict, commits: [], indexOf: new Map(), abort, batches, complete: false, pulling: null };
  }

  /** Reads one more batch into the walk; concurrent callers share it. */
  function pull(walk: Walk): Promise<void> {
    walk.pulling ??= pullBatch(walk).finally(() => {
      walk.pulling = null;
    });
    return walk.pulling;
  }

  async function pullBatch(walk: Walk): Promise<void> {
    const next = await walk.batches.next();
    if (next.done) {
      walk.complete = true;
      return;
    }
    for (const commit of next.value) {
      if (!walk.strict && commit.parents.some((parent) => walk.indexOf.has(parent))) {
        if (walk === current) current = start(true);
        walk.abort.abort();
        return;
      }
      walk.indexOf.set(commit.hash, walk.commits.length);
      walk.commits.push(commit);
    }
  }

  /** Reads until `enough` says so or the history ends; follows the index into a new generation. */
  async function readUntil(enough: (walk: Walk) => boolean, signal?: AbortSignal): Promise<Walk> {
    for (;;) {
      if (disposed) throw new CheckpointError('cancelled', 'The repository was closed.');
      throwIfCancelled(signal);
      const walk = current;
      if (walk.complete || enough(walk)) return walk;
      try {
        await pull(walk);
      } catch (error) {
        if (walk === current) {
          // The next request tries again from the start.
          current = start(false);
          throw error;
        }
      }
    }
  }

  function readAhead(from: Walk): void {
    const next = () => {
      if (disposed || current !== from || from.complete || from.commits.length >= READ_AHEAD_COMMITS) return;
      pull(from).then(next, () => {});
    };
    setImmediate(next);
  }

  return {
    async page(offset, limit, signal) {
      const walk = await readUntil((candidate) => candidate.commits.length >= offset + limit, signal);
      if (offset === 0) readAhead(walk);
      return { generation: walk.generation, commits: walk.commits.slice(offset, offset + limit), total: totalOf(walk) };
    },
    async count(signal) {
      const walk = await readUntil((candidate) => candidate.commits.length >= READ_AHEAD_COMMITS, signal);
      return { generation: walk.generation, total: totalOf(walk) };
    },
    async locate(commit, signal) {
      const walk = await readUntil((candidate) => candidate.indexOf.has(commit), signal);
      return { generation: walk.generation, index: walk.indexOf.get(commit) ?? null };
    },
    async all(signal, onCount) {
      const walk = await readUntil((candidate) => {
        onCount?.(candidate.commits.length);
        return false;
      }, signal);
      return { generation: walk.generation, commits: walk.commits, indexOf: walk.indexOf };
    },
    reset() {
      current.abort.abort();
      current = start(false);
    },
    dispose() {
      disposed = true;
      current.abort.abort();
    },
  };
}

function totalOf({ complete, commits }: Walk): number | null {
  return complete ? commits.length : null;
}
