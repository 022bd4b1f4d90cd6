import { describe, expect, it } from 'vitest';
import { type CommitHash, type CommitInfo, isCommitHash } from '../../../shared/model/commit';
import type { GitRepository } from '../../git/gitRepository';
import { createHistoryIndex } from './historyIndex';

function hash(number: number): CommitHash {
  const text = number.toString(16).padStart(40, '0');
  if (!isCommitHash(text)) throw new TypeError(text);
  return text;
}

function commit(number: number, ...parents: number[]): CommitInfo {
  return { hash: hash(number), parents: parents.map(hash), author: { name: 'A', email: 'a@b', time: number, offset: 0 }, title: `commit ${number}` };
}

type Batches = readonly (readonly CommitInfo[])[];

/** A history to walk, with a record of how it was walked. */
function repository(loose: Batches, strict: Batches = loose) {
  const walks: { strict: boolean; read: number; signal: AbortSignal | undefined }[] = [];
  const walk: GitRepository['walk'] = async function* (options) {
    const record = { strict: options.strict, read: 0, signal: options.signal };
    walks.push(record);
    for (const batch of options.strict ? strict : loose) {
      options.signal?.throwIfAborted();
      record.read++;
      yield batch;
    }
  };
  return { walks, git: { walk } satisfies Pick<GitRepository, 'walk'> };
}

const never = new AbortController().signal;
const linear = [[commit(5, 4), commit(4, 3)], [commit(3, 2), commit(2, 1)], [commit(1)]];

describe('history index', () => {
  it('reads no further than somebody looks before it answers', async () => {
    const { git, walks } = repository(linear);
    const history = createHistoryIndex(git);
    const page = await history.page(0, 2, never);
    expect(page.commits.map((item) => item.title)).toEqual(['commit 5', 'commit 4']);
    expect(page.total).toBeNull();
    expect(walks).toMatchObject([{ strict: false, read: 1 }]);
    history.dispose();
  });

  it('gives the total once the end was seen, and short pages at the end', async () => {
    const history = createHistoryIndex(repository(linear).git);
    expect(await history.page(4, 10, never)).toMatchObject({ commits: [{ title: 'commit 1' }], total: 5 });
    expect(await history.page(10, 10, never)).toMatchObject({ commits: [], total: 5 });
    history.dispose();
  });

  it('says how many there are once it has read them, without being asked for a page', async () => {
    const history = createHistoryIndex(repository(linear).git);
    expect((await history.page(0, 2, never)).total).toBeNull();
    expect(await history.count(never)).toEqual({ generation: 0, total: 5 });
    expect(await createHistoryIndex(repository([]).git).count(never)).toMatchObject({ total: 0 });
  });

  it('does not read all of a history that has no end in sight to count it', async () => {
    const many = Array.from({ length: 60 }, (_, batch) => Array.from({ length: 4000 }, (__, at) => commit(1_000_000 - batch * 4000 - at)));
    const { git, walks } = repository(many);
    const history = createHistoryIndex(git);
    expect(await history.count(never)).toEqual({ generation: 0, total: null });
    expect(walks[0]?.read).toBe(50);
    history.dispose();
  });

  it('starts again in strict order, as a new generation, when a parent came before its child', async () => {
    const skewed = [[commit(2, 1), commit(1)], [commit(3, 2)]];
    const { git, walks } = repository(skewed, [[commit(3, 2), commit(2, 1), commit(1)]]);
    const history = createHistoryIndex(git);
    const first = await history.page(0, 2, never);
    const whole = await history.all(never);
    expect(whole.commits.map((item) => item.title)).toEqual(['commit 3', 'commit 2', 'commit 1']);
    expect(whole.generation).toBeGreaterThan(first.generation);
    expect(walks.map(({ strict }) => strict)).toEqual([false, true]);
    expect(walks[0]?.signal?.aborted).toBe(true);
    history.dispose();
  });

  it('locates commits, and says when no ref reaches one', async () => {
    const history = createHistoryIndex(repository(linear).git);
    expect((await history.locate(hash(3), never)).index).toBe(2);
    expect((await history.locate(hash(99), never)).index).toBeNull();
    history.dispose();
  });

  it('begins a new generation after a reset', async () => {
    const { git, walks } = repository(linear);
    const history = createHistoryIndex(git);
    const before = await history.page(0, 1, never);
    history.reset();
    const after = await history.page(0, 1, never);
    expect(after.generation).toBeGreaterThan(before.generation);
    expect(walks).toHaveLength(2);
    history.dispose();
  });

  it('fails for one request and tries again for the next', async () => {
    let fail = true;
    const walk: GitRepository['walk'] = async function* () {
      if (fail) throw new Error('disk gone');
      yield [commit(1)];
    };
    const history = createHistoryIndex({ walk });
    await expect(history.page(0, 1, never)).rejects.toThrow('disk gone');
    fail = false;
    expect((await history.page(0, 1, never)).commits).toHaveLength(1);
    history.dispose();
  });

  it('stops waiting when the request is cancelled or the repository closes', async () => {
    const history = createHistoryIndex(repository(linear).git);
    await expect(history.all(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    history.dispose();
    await expect(history.page(0, 1, never)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
