import { describe, expect, it, vi } from 'vitest';
import type { RepositoryDescription } from '../../shared/contract/requests';
import type { CommitHash } from '../../shared/model/commit';
import { createNoticeStore } from './noticeStore';
import { createStoryStore } from './storyStore';
import { deferred, fakeClient } from './testing/fakeHost';
import { createWorkspaceStore } from './workspaceStore';

const hash = (at: number) => at.toString(16).padStart(40, '0') as CommitHash;
const COMMITS = Array.from({ length: 40 }, (_, at) => hash(at));

const REPOSITORY: RepositoryDescription = {
  id: 'r1',
  path: '/r',
  name: 'r',
  bare: false,
  shallow: false,
  backend: 'native',
  head: { kind: 'branch', name: 'main', commit: hash(39) },
  refs: [],
  remotes: [],
  submodules: [],
  checkpoints: [{ path: 'model.pt', storage: 'theta', format: 'pytorch', groups: 1, bytes: 8, status: 'unmodified' }],
  notices: [],
};

const STATS = {
  count: 4,
  finite: 4,
  nan: 0,
  positiveInfinity: 0,
  negativeInfinity: 0,
  zeros: 1,
  min: -1,
  max: 2,
  mean: 0.5,
  std: 1,
  l1: 4,
  norm: 3,
  subnormals: 0,
  distinct: { count: 3, exact: true },
  exact: null,
};

type Answers = Parameters<typeof fakeClient>[0];

async function open(answers: Answers = {}) {
  const { host, client } = fakeClient({
    'repository/open': () => REPOSITORY,
    'timeline/statistics': ({ cells, histogram }) =>
      cells.map(() => ({
        stats: STATS,
        histogram: histogram === null ? null : { min: -1, max: 2, counts: new Float64Array(histogram.bins), edges: null },
        error: null,
      })),
    'timeline/differences': ({ cells }) => cells.map(() => ({ numbers: null, error: null })),
    ...answers,
  });
  const workspace = createWorkspaceStore({ client, notices: createNoticeStore() });
  const story = createStoryStore({ client, workspace });
  await workspace.getState().openRepository('/r');
  return { host, workspace, story };
}

describe('storyStore', () => {
  it('measures all versions, newest first, in batches', async () => {
    const { host, story } = await open();
    story.getState().show({ group: 'w', commits: COMMITS });
    await vi.waitFor(() => expect(story.getState().waiting).toBe(0));
    const asked = host.inputs('timeline/statistics');
    expect(asked.map(({ cells }) => cells.length)).toEqual([32, 8]);
    expect(asked[0]?.cells[0]).toEqual({ commit: hash(39), group: 'w' });
    expect(asked[1]?.cells.at(-1)).toEqual({ commit: hash(0), group: 'w' });
    expect([...story.getState().statistics.keys()]).toHaveLength(40);
    expect([...story.getState().differences.keys()]).toHaveLength(40);
  });

  it('asks only for what is new when commits come', async () => {
    const { host, story } = await open();
    story.getState().show({ group: 'w', commits: COMMITS.slice(0, 3) });
    await vi.waitFor(() => expect(story.getState().statistics.size).toBe(3));
    story.getState().show({ group: 'w', commits: COMMITS.slice(0, 4) });
    await vi.waitFor(() => expect(story.getState().statistics.size).toBe(4));
    expect(host.inputs('timeline/statistics').map(({ cells }) => cells.map(({ commit }) => commit))).toEqual([[hash(2), hash(1), hash(0)], [hash(3)]]);
  });

  it('forgets another group and cancels what ran for it', async () => {
    const answer = deferred<never[]>();
    const { host, story } = await open({ 'timeline/differences': () => answer.promise });
    story.getState().show({ group: 'w', commits: COMMITS.slice(0, 3) });
    await vi.waitFor(() => expect(host.inputs('timeline/differences')).toHaveLength(1));
    story.getState().show({ group: 'v', commits: COMMITS.slice(0, 2) });
    await vi.waitFor(() => expect(host.calls.find(({ method }) => method === 'timeline/differences')?.isCancelled).toBe(true));
    expect(story.getState().statistics.size).toBe(0);
    story.getState().leave();
    expect(story.getState()).toMatchObject({ target: null, waiting: 0 });
  });

  it('says what failed, and tries again', async () => {
    let isBroken = true;
    const { story } = await open({
      'timeline/differences': ({ cells }) => {
        if (isBroken) throw new Error('gone');
        return cells.map(() => ({ numbers: null, error: null }));
      },
    });
    story.getState().show({ group: 'w', commits: COMMITS.slice(0, 2) });
    await vi.waitFor(() => expect(story.getState().error).not.toBeNull());
    isBroken = false;
    story.getState().retry();
    await vi.waitFor(() => expect(story.getState().statistics.size).toBe(2));
    expect(story.getState().error).toBeNull();
  });

  it('asks for histograms over one range, and for a picture once', async () => {
    const preview = { rows: 1, columns: 2, values: Float32Array.of(1, 2), sourceRows: 1, sourceColumns: 2 };
    const { host, story } = await open({ 'side/slice': () => ({ dtype: 'float32', shape: [2], preview }) });
    story.getState().show({ group: 'w', commits: COMMITS.slice(0, 2) });
    story.getState().loadRidges(COMMITS.slice(0, 2), { min: -1, max: 2 });
    await vi.waitFor(() => expect(story.getState().ridges.kind).toBe('ready'));
    expect(host.inputs('timeline/statistics').at(-1)?.histogram).toEqual({ bins: 80, range: { min: -1, max: 2 } });
    story.getState().loadPicture(hash(1), [2]);
    await vi.waitFor(() => expect(story.getState().picture.kind).toBe('ready'));
    story.getState().loadPicture(hash(0), [2]);
    await vi.waitFor(() => expect(story.getState().picture).toMatchObject({ kind: 'ready', value: { commit: hash(0) } }));
    story.getState().loadPicture(hash(1), [2]);
    expect(story.getState().picture).toMatchObject({ kind: 'ready', value: { commit: hash(1) } });
    expect(host.inputs('side/slice')).toHaveLength(2);
    expect(host.inputs('side/slice')[0]).toMatchObject({
      side: { kind: 'version', commit: hash(1), path: 'model.pt' },
      view: { rowAxis: null, columnAxis: 0 },
    });
  });

  it('follows rows and bisects; a cancelled bisection leaves nothing', async () => {
    const answer = deferred<{ found: CommitHash | null; tested: []; note: null }>();
    const { host, story } = await open({
      'timeline/blame': () => ({ commits: [hash(1)], rows: Int32Array.of(0), elements: null, note: null }),
      'timeline/bisect': () => answer.promise,
    });
    story.getState().show({ group: 'w', commits: COMMITS.slice(0, 2) });
    story.getState().loadBlame(hash(1), [600, 2, 3]);
    await vi.waitFor(() => expect(story.getState().blame).toMatchObject({ kind: 'ready', value: { commit: hash(1) } }));
    expect(host.inputs('timeline/blame')[0]?.window).toEqual({ rows: [0, 512], columns: [0, 3] });
    story.getState().bisect('std > 1', 'head');
    await vi.waitFor(() =>
      expect(host.inputs('timeline/bisect')).toEqual([{ repository: 'r1', path: 'model.pt', group: 'w', condition: 'std > 1', scope: { kind: 'head' } }]),
    );
    story.getState().cancelBisection();
    answer.resolve({ found: hash(1), tested: [], note: null });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(story.getState().bisection.kind).toBe('idle');
  });
});
