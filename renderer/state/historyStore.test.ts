import { describe, expect, it, vi } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import type { RepositoryDescription } from '../../shared/contract/requests';
import type { CommitInfo } from '../../shared/model/commit';
import { createHistoryStore } from './historyStore';
import { createNoticeStore } from './noticeStore';
import { deferred, fakeClient } from './testing/fakeHost';
import { changeOf, hashOf, lineOfCommits, repositoryWith } from './testing/samples';
import { createWorkspaceStore } from './workspaceStore';

interface World {
  commits: CommitInfo[];
  generation: number;
  repository: RepositoryDescription;
  failure: CheckpointError | null;
  /** The host has walked to the end of the history. */
  walked: Promise<void>;
}

async function openHistory(count: number, world: Partial<World> = {}) {
  const state: World = { commits: lineOfCommits(count), generation: 1, repository: repositoryWith(), failure: null, walked: Promise.resolve(), ...world };
  const fail = () => {
    if (state.failure !== null) throw state.failure;
  };
  const searches: { text: string; gate: ReturnType<typeof deferred<void>> }[] = [];
  const { host, client } = fakeClient({
    'repository/open': () => state.repository,
    'repository/describe': () => state.repository,
    'history/page': ({ offset, limit }) => {
      fail();
      const commits = state.commits.slice(offset, offset + limit);
      return { generation: state.generation, commits, total: offset + limit >= state.commits.length ? state.commits.length : null };
    },
    'history/count': async () => {
      await state.walked;
      return { generation: state.generation, total: state.commits.length };
    },
    'history/locate': ({ commit }) => {
      const index = state.commits.findIndex((candidate) => candidate.hash === commit);
      return { generation: state.generation, index: index < 0 ? null : index };
    },
    'history/changes': ({ commits }) => {
      fail();
      return commits.map((commit) => changeOf(commit));
    },
    'history/search': async ({ text }) => {
      const gate = deferred<void>();
      searches.push({ text, gate });
      await gate.promise;
      const matches = state.commits.flatMap((commit, index) =>
        commit.title.includes(text) ? [{ index, commit: commit.hash, field: 'message' as const, text: commit.title }] : [],
      );
      return { generation: state.generation, matches, truncated: false };
    },
  });
  const notices = createNoticeStore();
  const workspace = createWorkspaceStore({ client, notices });
  const history = createHistoryStore({ client, workspace, notices });
  await workspace.getState().openRepository('/repo');
  await vi.waitFor(() => expect(history.getState().status).not.toBe('loading'));
  return { state, host, workspace, history, searches, get: history.getState };
}

describe('pages', () => {
  it('come as far as is in view, and a little further', async () => {
    const { get, host } = await openHistory(12_000);
    expect(get().loaded).toBe(300);
    get().setWindow(280, 320);
    await vi.waitFor(() => expect(get().loaded).toBeGreaterThanOrEqual(720));
    get().setWindow(11_990, 12_000);
    await vi.waitFor(() => expect(get().list?.isComplete).toBe(true));
    expect(get().loaded).toBe(12_000);
    for (const page of host.inputs('history/page')) expect(page.limit).toBeLessThanOrEqual(5000);
    const before = host.inputs('history/page').length;
    get().setWindow(0, 40);
    get().setWindow(11_990, 12_000);
    await vi.waitFor(() => expect(get().status).toBe('ready'));
    expect(host.inputs('history/page')).toHaveLength(before);
  });

  it('stand in a list as long as the history, as soon as the host knows how long it is', async () => {
    const walk = deferred<void>();
    const { get, host } = await openHistory(20_000, { walked: walk.promise });
    expect(get()).toMatchObject({ loaded: 300, total: null, status: 'ready' });
    walk.resolve(undefined);
    await vi.waitFor(() => expect(get().total).toBe(20_000));
    expect(get()).toMatchObject({ loaded: 300, status: 'ready' });
    expect(get().list?.isComplete).toBe(false);
    get().setWindow(280, 320);
    await vi.waitFor(() => expect(get().loaded).toBeGreaterThanOrEqual(720));
    expect(get().total).toBe(20_000);
    expect(host.inputs('history/count')).toHaveLength(1);
  });

  it('are read anew when the host found another order on the way to the end', async () => {
    const walk = deferred<void>();
    const { get, state } = await openHistory(3000, { walked: walk.promise });
    state.generation = 2;
    state.commits = lineOfCommits(3000, 100);
    walk.resolve(undefined);
    await vi.waitFor(() => expect(get().list?.generation).toBe(2));
    expect(get().list?.commitAt(0)?.hash).toBe(hashOf(100));
    await vi.waitFor(() => expect(get().total).toBe(3000));
  });

  it('end with an empty repository', async () => {
    const { get } = await openHistory(0, { repository: repositoryWith({ head: { kind: 'unborn', name: 'main' }, refs: [] }) });
    expect(get()).toMatchObject({ status: 'ready', loaded: 0 });
    expect(get().list?.isComplete).toBe(true);
  });

  it('stay in view when more cannot be had, and go on when asked', async () => {
    const { get, state } = await openHistory(2000);
    state.failure = new CheckpointError('internal', 'git ended with 128.');
    get().setWindow(250, 300);
    await vi.waitFor(() => expect(get().status).toBe('failed'));
    expect(get()).toMatchObject({ loaded: 300, error: { message: 'git ended with 128.' } });
    state.failure = null;
    get().retry();
    await vi.waitFor(() => expect(get().loaded).toBe(700));
    expect(get()).toMatchObject({ status: 'ready', error: null });
  });

  it('start again in another list when the order has changed, and the old one stays until then', async () => {
    const { get, state, host, workspace } = await openHistory(3000);
    get().setWindow(900, 940);
    await vi.waitFor(() => expect(get().loaded).toBeGreaterThan(940));
    workspace.getState().selectCommit(hashOf(910));
    const old = get().list;
    state.generation = 2;
    state.commits = [...lineOfCommits(2, 5000).map((commit, place) => (place === 1 ? { ...commit, parents: [hashOf(0)] } : commit)), ...state.commits];
    state.repository = repositoryWith({ head: { kind: 'branch', name: 'main', commit: hashOf(5000) } });
    const seen = new Set<unknown>();
    const stop = vi.fn();
    const lists: (number | undefined)[] = [];
    host.emit('repository/changed', { repository: 'r1' });
    await vi.waitFor(() => {
      seen.add(get().list);
      lists.push(get().list?.loaded);
      expect(get().list?.generation).toBe(2);
    });
    stop();
    expect(seen).toContain(old);
    // Never a list in between that is shorter than what is in view.
    for (const loaded of lists) expect(loaded).toBeGreaterThanOrEqual(940);
    expect(get().list?.rowOf(hashOf(910))).toBe(912);
    expect(workspace.getState().commit).toBe(hashOf(910));
  });

  it('start again when a page in the middle turns out to be of another order', async () => {
    const { get, state } = await openHistory(3000);
    state.generation = 7;
    state.commits = lineOfCommits(3000, 100);
    get().setWindow(290, 330);
    await vi.waitFor(() => expect(get().list?.generation).toBe(7));
    expect(get().list?.commitAt(0)?.hash).toBe(hashOf(100));
    expect(get().loaded).toBeGreaterThanOrEqual(730);
  });

  it('are not asked for again when only the working tree changed', async () => {
    const { get, host, workspace } = await openHistory(1000);
    const list = get().list;
    host.emit('repository/changed', { repository: 'r1' });
    await vi.waitFor(() => expect(workspace.getState().revision).toBe(2));
    await vi.waitFor(() => expect(host.inputs('history/page').at(-1)?.offset).toBe(0));
    await vi.waitFor(() => expect(get().status).toBe('ready'));
    expect(get().list).toBe(list);
  });
});

describe('a commit that is to be shown', () => {
  it('is loaded up to, wherever it is, and then brought into view', async () => {
    const { get, workspace } = await openHistory(9000);
    workspace.getState().selectCommit(hashOf(8000));
    await vi.waitFor(() => expect(get().reveal?.row).toBe(8000));
    expect(get().loaded).toBeGreaterThan(8000);
    expect(workspace.getState().commit).toBe(hashOf(8000));
  });

  it('is forgotten when another one is chosen meanwhile', async () => {
    const { get, workspace } = await openHistory(9000);
    const rows: (number | undefined)[] = [];
    workspace.getState().selectCommit(hashOf(8000));
    workspace.getState().selectCommit(hashOf(3));
    await vi.waitFor(() => expect(get().reveal?.row).toBe(3));
    await new Promise((resolve) => setTimeout(resolve, 50));
    rows.push(get().reveal?.row);
    expect(rows).toEqual([3]);
  });

  it('is said to be in no branch when no ref leads to it', async () => {
    const { get, workspace } = await openHistory(10);
    workspace.getState().selectCommit(hashOf(77));
    await vi.waitFor(() => expect(get().unlisted).toBe(hashOf(77)));
    workspace.getState().selectCommit(hashOf(2));
    expect(get().unlisted).toBeNull();
  });
});

describe('changes', () => {
  it('are asked for in batches, for rows in view only, and once', async () => {
    const { get, host } = await openHistory(1000);
    get().setWindow(100, 250);
    await vi.waitFor(() => expect(get().changeOf(hashOf(249))).toBeDefined());
    expect(get().changeOf(hashOf(99))).toBeUndefined();
    const batches = host.inputs('history/changes').map((input) => input.commits.length);
    expect(Math.max(...batches)).toBeLessThanOrEqual(60);
    get().setWindow(120, 250);
    get().setWindow(110, 240);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(host.inputs('history/changes')).toHaveLength(batches.length);
    const asked = host.inputs('history/changes').flatMap((input) => input.commits);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('of another checkpoint are asked for anew', async () => {
    const { get, host, workspace } = await openHistory(50);
    get().setWindow(0, 10);
    await vi.waitFor(() => expect(get().changeOf(hashOf(9))).toBeDefined());
    workspace.getState().choosePath('other.pt');
    expect(get().changeOf(hashOf(9))).toBeUndefined();
    await vi.waitFor(() => expect(get().changeOf(hashOf(9))).toBeDefined());
    expect(host.inputs('history/changes').at(-1)?.path).toBe('other.pt');
  });

  it('that fail leave the list as it is, and come when asked again', async () => {
    const { get, state } = await openHistory(50);
    state.failure = new CheckpointError('internal', 'No.');
    get().setWindow(0, 10);
    await vi.waitFor(() => expect(get().changesError?.message).toBe('No.'));
    expect(get().list?.loaded).toBe(50);
    state.failure = null;
    get().retry();
    await vi.waitFor(() => expect(get().changeOf(hashOf(9))).toBeDefined());
    expect(get().changesError).toBeNull();
  });
});

describe('search', () => {
  it('goes to the first match from the selection on, then around', async () => {
    const { get, searches, workspace } = await openHistory(200);
    workspace.getState().selectCommit(hashOf(100));
    get().setSearch('Commit 9');
    expect(get().search.status).toBe('searching');
    await vi.waitFor(() => expect(searches).toHaveLength(1));
    searches[0]?.gate.resolve();
    await vi.waitFor(() => expect(get().search.status).toBe('ready'));
    // 9, and 90 to 99: nothing from 100 on, so around to the first.
    expect(get().search.found).toHaveLength(11);
    expect(workspace.getState().commit).toBe(hashOf(9));
    get().stepSearch('next');
    expect(workspace.getState().commit).toBe(hashOf(90));
    get().stepSearch('previous');
    get().stepSearch('previous');
    expect(workspace.getState().commit).toBe(hashOf(99));
    expect(get().search.byCommit.get(hashOf(95))?.reasons).toEqual([{ field: 'message', text: 'Commit 95' }]);
  });

  it('cancels the search for an earlier text, whose answer is never shown', async () => {
    const { get, searches, host } = await openHistory(200);
    get().setSearch('Commit 1');
    await vi.waitFor(() => expect(searches).toHaveLength(1));
    get().setSearch('Commit 17');
    await vi.waitFor(() => expect(searches).toHaveLength(2));
    expect(host.calls.filter((call) => call.method === 'history/search').map((call) => call.isCancelled)).toEqual([true, false]);
    searches[1]?.gate.resolve();
    await vi.waitFor(() => expect(get().search.status).toBe('ready'));
    searches[0]?.gate.resolve();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(get().search.found).toHaveLength(11);
  });

  it('asks once for a text that is typed quickly', async () => {
    const { get, searches } = await openHistory(20);
    for (const text of ['C', 'Co', 'Com', 'Comm']) get().setSearch(text);
    await vi.waitFor(() => expect(searches).toHaveLength(1));
    expect(searches[0]?.text).toBe('Comm');
  });

  it('ends with an empty text', async () => {
    const { get, searches } = await openHistory(20);
    get().setSearch('Commit');
    get().setSearch('');
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(searches).toHaveLength(0);
    expect(get().search).toMatchObject({ status: 'idle', found: [] });
  });
});
