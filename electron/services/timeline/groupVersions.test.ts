import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CommitHash } from '../../../shared/model/commit';
import { parseCondition } from '../../../shared/model/condition';
import { makeRepository, type TestRepository, temporaryFolder } from '../../git/testing/testRepository';
import { createInProcessPool } from '../../workers/createInProcessPool';
import { createBlobFiles } from '../blobFiles';
import { createCheckpointCache } from '../checkpoints/checkpointCache';
import { openOne } from '../repositories/repositoryCache';
import { bisectGroup } from './bisect';
import { blameGroup } from './blame';
import { compareCells, measureCells } from './measureCells';
import type { CellContext } from './openCells';
import { safetensorsBytes } from './testing/safetensorsBytes';
import { timelineIndex } from './timelines';

const FILE = 'm.safetensors';
const never = new AbortController().signal;
let cache: string;
beforeAll(async () => {
  cache = await temporaryFolder();
});
afterAll(() => rm(cache, { recursive: true, force: true }));

async function open(test: TestRepository, signal = never) {
  const repository = await openOne(test.path);
  const pool = createInProcessPool();
  onTestFinished(async () => {
    repository.dispose();
    await pool.close();
  });
  const blobFiles = createBlobFiles(cache);
  const context: CellContext = { repository, checkpoints: createCheckpointCache(blobFiles), pool, path: FILE, signal };
  const index = (commit: CommitHash) => timelineIndex(repository, { path: FILE, scope: { kind: 'commit', commit } }, { blobFiles, signal: never });
  return { context, index };
}

async function repository(): Promise<TestRepository> {
  const test = await makeRepository();
  onTestFinished(() => test.dispose());
  return test;
}

/** Three rows of two, and a group that never changes. */
const file = (...values: number[]) => safetensorsBytes({ w: { shape: [3, 2], values }, still: { shape: [1], values: [1] } });

describe('blame', () => {
  it('names the commit that last changed each row and element, through a branch whose value the merge has', async () => {
    const test = await repository();
    const root = await test.commit('root', { [FILE]: file(0, 0, 0, 0, 0, 0) });
    await test.git(['checkout', '-q', '-b', 'side']);
    const side = await test.commit('side', { [FILE]: file(0, 0, 0, 7, 0, 0) });
    await test.git(['checkout', '-q', 'main']);
    await test.commit('other', { 'x.txt': 'x' });
    await test.git(['merge', '-q', '--no-ff', '-m', 'merge', 'side']);
    const tip = await test.commit('tip', { [FILE]: file(0, 0, 0, 7, 9, 0) });
    const { context, index } = await open(test);
    const window = { rows: [1, 9], columns: [1, 2] } as const;
    const found = await blameGroup(context, await index(tip), { commit: tip, group: 'w', window });
    expect(found.commits).toEqual([tip, side, root]);
    expect([...found.rows]).toEqual([2, 1, 0]);
    expect([...(found.elements ?? [])]).toEqual([1, 2]);
    expect(found.note).toBeNull();
  });

  it('counts a change of shape as one of everything, and a value that came back as one', async () => {
    const test = await repository();
    await test.commit('flat', { [FILE]: safetensorsBytes({ w: { shape: [6], values: [0, 0, 0, 0, 0, 0] } }) });
    const shaped = await test.commit('shaped', { [FILE]: file(0, 0, 0, 0, 0, 0) });
    await test.commit('away', { [FILE]: file(5, 0, 0, 0, 0, 0) });
    const back = await test.commit('back', { [FILE]: file(0, 0, 0, 0, 0, 0) });
    const { context, index } = await open(test);
    const found = await blameGroup(context, await index(back), { commit: back, group: 'w', window: null });
    expect([...found.rows].map((place) => found.commits[place])).toEqual([back, shaped, shaped]);
  });

  it('stops where a version cannot be read, and says so', async () => {
    const test = await repository();
    await test.commit('before', { [FILE]: file(0, 0, 0, 0, 0, 0) });
    const middle = await test.commit('middle', { [FILE]: file(0, 1, 0, 0, 0, 0) });
    const tip = await test.commit('tip', { [FILE]: file(0, 1, 2, 0, 0, 0) });
    const { context, index } = await open(test);
    const run = context.pool.run.bind(context.pool);
    let calls = 0;
    vi.spyOn(context.pool, 'run').mockImplementation((task, input, options) => (++calls === 2 ? Promise.reject(new Error('gone')) : run(task, input, options)));
    const found = await blameGroup(context, await index(tip), { commit: tip, group: 'w', window: null });
    expect([...found.rows].map((place) => found.commits[place])).toEqual([middle, tip, middle]);
    expect(found.note).toContain('cannot be read');
  });

  it('knows no group that the commit has not', async () => {
    const test = await repository();
    const tip = await test.commit('one', { [FILE]: file(0, 0, 0, 0, 0, 0) });
    const { context, index } = await open(test);
    await expect(blameGroup(context, await index(tip), { commit: tip, group: 'nothing', window: null })).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('bisect', () => {
  const condition = (text: string) => {
    const parsed = parseCondition(text);
    if (typeof parsed === 'string') throw new Error(parsed);
    return parsed;
  };

  async function growing(versions: number) {
    const test = await repository();
    const commits: CommitHash[] = [];
    for (let version = 0; version < versions; version++) {
      commits.push(await test.commit(`value ${version}`, { [FILE]: file(version, 0, 0, 0, 0, 0) }));
      await test.commit(`other ${version}`, { 'x.txt': String(version) });
    }
    const tip = await test.hash('HEAD');
    const opened = await open(test);
    const index = await opened.index(tip);
    return { commits, search: (text: string) => bisectGroup(opened.context, index, { tip, group: 'w', condition: condition(text) }) };
  }

  it('finds the first commit in a few reconstructions, and says what it presumes', async () => {
    const { commits, search } = await growing(12);
    for (const [text, first] of [
      ['max >= 1', 1],
      ['max > 6', 7],
      ['max == 11', 11],
      ['norm > 8.5', 9],
    ] as const) {
      const { found, tested, note } = await search(text);
      expect(found).toBe(commits[first]);
      expect(tested.length).toBeLessThanOrEqual(6);
      expect(note).toContain('presumes');
      for (const { commit, value, holds } of tested) {
        expect(value).toBe(commits.indexOf(commit));
        expect(holds).toBe(commits.indexOf(commit) >= first);
      }
    }
  });

  it('says when it holds from the start, or at neither end', async () => {
    const { commits, search } = await growing(4);
    expect(await search('min >= 0')).toMatchObject({ found: commits[0], note: 'The condition holds at the first version already.', tested: [{ value: 0 }] });
    const never = await search('nan > 0');
    expect(never.found).toBeNull();
    expect(never.tested).toHaveLength(2);
    expect(never.note).toContain('neither');
  });

  it('asks about changes since the version before', async () => {
    const { commits, search } = await growing(4);
    const { found, tested } = await search('delta == 1');
    expect(found).toBe(commits[1]);
    expect(tested.find(({ commit }) => commit === commits[0])).toMatchObject({ value: null, holds: false });
  });
});

describe('cells', () => {
  it('are measured in their order, equal values once and never again, each with its own error', async () => {
    const test = await repository();
    const one = await test.commit('one', { [FILE]: file(3, 4, 0, 0, 0, 0) });
    const two = await test.commit('two', { [FILE]: file(3, 4, 0, 0, 0, 12), 'y.txt': 'y' });
    const same = await test.commit('same', { 'z.txt': 'z' });
    const { context } = await open(test);
    const run = vi.spyOn(context.pool, 'run');
    const cells = [
      { commit: same, group: 'w' },
      { commit: two, group: 'nothing' },
      { commit: one, group: 'w' },
      { commit: two, group: 'w' },
    ];
    const measured = await measureCells(context, cells, { bins: 2, range: { min: 0, max: 12 } });
    expect(measured.map(({ stats }) => stats?.norm ?? null)).toEqual([13, null, 5, 13]);
    expect(measured[1]?.error).toMatchObject({ code: 'not-found', place: { group: 'nothing', commit: two } });
    expect([...(measured[0]?.histogram?.counts ?? [])]).toEqual([5, 1]);
    expect(run).toHaveBeenCalledTimes(2);
    expect(await measureCells(context, cells, { bins: 2, range: { min: 0, max: 12 } })).toEqual(measured);
    expect(run).toHaveBeenCalledTimes(2);
    const compared = await compareCells(context, cells);
    expect(compared.map(({ numbers }) => numbers?.norm ?? null)).toEqual([0, null, null, 12]);
    expect(compared.map(({ error }) => error)).toEqual([null, null, null, null]);
  });

  it('stop with a cancel', async () => {
    const test = await repository();
    const commit = await test.commit('one', { [FILE]: file(3, 4, 0, 0, 0, 0) });
    const { context } = await open(test, AbortSignal.abort());
    await expect(measureCells(context, [{ commit, group: 'w' }], null)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
