import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { CommitHash, CommitInfo } from '../../../shared/model/commit';
import type { ParsedCommit } from '../parseCommit';
import { DateQueue } from './dateQueue';

type Read = (hash: CommitHash) => Promise<ParsedCommit>;

interface WalkOptions {
  readonly strict: boolean;
  readonly signal?: AbortSignal | undefined;
}

const FIRST_BATCH = 200;
const LARGEST_BATCH = 4000;

/** Commits reachable from the tips, in the orders of `git rev-list`: by committer date as found, or `--date-order`. */
export async function* walkIsomorphic(read: Read, tips: readonly CommitHash[], options: WalkOptions): AsyncGenerator<readonly CommitInfo[]> {
  let batch: CommitInfo[] = [];
  let threshold = FIRST_BATCH;
  const commits = options.strict ? inDateOrder(read, tips, options.signal) : asFound(read, tips, options.signal);
  for await (const { hash, parents, author, title } of commits) {
    batch.push({ hash, parents, author, title });
    if (batch.length < threshold) continue;
    yield batch;
    batch = [];
    threshold = Math.min(threshold * 2, LARGEST_BATCH);
  }
  if (batch.length > 0) yield batch;
}

/** The newest known commit is next; its parents become known. A parent with a later date than its child may come too early. */
async function* asFound(read: Read, tips: readonly CommitHash[], signal: AbortSignal | undefined): AsyncGenerator<ParsedCommit> {
  const seen = new Set<CommitHash>();
  const queue = new DateQueue<ParsedCommit>();
  const discover = async (hashes: readonly CommitHash[]) => {
    for (const hash of hashes) {
      throwIfCancelled(signal);
      if (seen.has(hash)) continue;
      seen.add(hash);
      const commit = await read(hash);
      queue.push(commit, commit.committer.time);
    }
  };
  await discover(tips);
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    await discover(next.parents);
    yield next;
  }
}

/** Kahn's order: a commit is free once all its children are out; of the free ones the newest is next. */
async function* inDateOrder(read: Read, tips: readonly CommitHash[], signal: AbortSignal | undefined): AsyncGenerator<ParsedCommit> {
  const all = new Map<CommitHash, ParsedCommit>();
  const children = new Map<CommitHash, number>();
  for await (const commit of asFound(read, tips, signal)) {
    all.set(commit.hash, commit);
    for (const parent of new Set(commit.parents)) children.set(parent, (children.get(parent) ?? 0) + 1);
  }
  const free = new DateQueue<ParsedCommit>();
  for (const commit of all.values()) if (!children.has(commit.hash)) free.push(commit, commit.committer.time);
  for (let next = free.pop(); next !== undefined; next = free.pop()) {
    throwIfCancelled(signal);
    yield next;
    for (const hash of new Set(next.parents)) {
      const left = (children.get(hash) ?? 0) - 1;
      children.set(hash, left);
      const parent = all.get(hash);
      if (left === 0 && parent !== undefined) free.push(parent, parent.committer.time);
    }
  }
}
