import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ComparedChange, ComparedGroup } from '../../shared/model/comparison';
import type { PairNumbers } from '../../shared/model/pairNumbers';
import { createCompareStore } from './compareStore';
import { createNoticeStore } from './noticeStore';
import type { SideChoice } from './sideChoice';
import { deferred, fakeClient } from './testing/fakeHost';
import { hashOf, repositoryWith } from './testing/samples';
import { createWorkspaceStore } from './workspaceStore';

function groupOf(name: string, change: ComparedChange = 'modified'): ComparedGroup {
  const side = { name, dtype: 'float32', shape: [4], bytes: 16, updateType: null, tiedTo: null, error: null } as const;
  return { a: change === 'added' ? null : side, b: change === 'removed' ? null : side, change, renamedBy: null };
}

function numbersOf(rest: Partial<PairNumbers> = {}): PairNumbers {
  const zero = { notFinite: 0, signFlips: 0, maxAt: null, maxRelative: 0.5, meanAbs: 0.1, rms: 0.1, norm: 0.2, relativeL2: 0.1, cosine: 1, maxUlp: 3 };
  return { comparedAs: 'float32', shape: [4], elements: 4, changed: 2, beyond: 2, rtol: 0, atol: 0, maxAbs: 0.1, ...zero, ...rest };
}

function openedWith(groups: readonly ComparedGroup[]) {
  const side = { label: 'model.pt', format: 'pytorch', storage: 'theta', groups: groups.length, bytes: 16 } as const;
  return { a: side, b: side, groups, metadata: [], notes: [] };
}

const at = (revision: string): SideChoice => ({ kind: 'revision', repository: null, revision, path: 'model.pt' });

interface Host {
  readonly groups?: readonly ComparedGroup[];
  readonly measure?: () => Promise<void>;
}

async function storeOver({ groups = [groupOf('w')], measure }: Host = {}) {
  const { host, client } = fakeClient({
    'repository/open': ({ path }) => repositoryWith({ id: path === '/repo' ? 'r1' : `id of ${path}`, path }),
    'repository/close': () => null,
    'repository/describe': () => repositoryWith(),
    'checkpoint/paths': () => ['model.pt', 'other.pt'],
    'revision/resolve': ({ text }) => ({ commit: text === 'gone' ? null : hashOf(text.length) }),
    'compare/open': () => openedWith(groups),
    'compare/numbers': async ({ pairs, rtol, atol }) => {
      await measure?.();
      return pairs.map(() => ({ numbers: numbersOf({ rtol, atol, beyond: rtol > 0 ? 0 : 2 }), closeness: null, structure: null, error: null }));
    },
  });
  const notices = createNoticeStore();
  const workspace = createWorkspaceStore({ client, notices });
  const store = createCompareStore({ client, workspace, notices });
  await workspace.getState().openRepository('/repo');
  return { host, store, workspace };
}

const isReady = (store: ReturnType<typeof createCompareStore>) =>
  vi.waitFor(() => {
    expect(store.getState().comparison.kind).toBe('ready');
    expect(store.getState().progress.status).toBe('idle');
  });

describe('sides', () => {
  it('are resolved, opened and measured once both are chosen, and only while the view is shown', async () => {
    const { host, store, workspace } = await storeOver();
    store.getState().setSide('a', at('main'));
    store.getState().setSide('b', at(hashOf(9)));
    expect(host.inputs('compare/open')).toEqual([]);
    workspace.getState().showView('compare');
    await isReady(store);
    expect(host.inputs('revision/resolve')).toEqual([{ repository: 'r1', text: 'main' }]);
    const version = (commit: string) => ({ kind: 'version', repository: 'r1', commit, path: 'model.pt' });
    expect(host.inputs('compare/open')).toEqual([{ a: version(hashOf(4)), b: version(hashOf(9)) }]);
    expect(store.getState().numbersOf(0)?.numbers?.changed).toBe(2);
    expect(store.getState().paths.a).toEqual(['model.pt', 'other.pt']);
  });

  it('say which revision names no commit', async () => {
    const { store } = await storeOver();
    store.getState().compare(at('gone'), at('main'));
    await vi.waitFor(() => expect(store.getState().comparison).toMatchObject({ kind: 'failed', error: { code: 'not-found' } }));
  });

  it('change places, and the other comparison stays until the new one is there', async () => {
    const { host, store } = await storeOver();
    store.getState().compare(at('one'), at('three'));
    await isReady(store);
    store.getState().swap();
    expect(store.getState()).toMatchObject({ a: at('three'), b: at('one'), isStale: true, comparison: { kind: 'loading', last: {} } });
    await isReady(store);
    expect(store.getState().isStale).toBe(false);
    expect(host.inputs('compare/open')[1]).toMatchObject({ a: { commit: hashOf(5) }, b: { commit: hashOf(3) } });
  });

  it('are forgotten with their repository, unless a link brought them', async () => {
    const { store, workspace } = await storeOver();
    store.getState().compare(at('one'), at('three'));
    await isReady(store);
    await workspace.getState().openRepository('/else');
    expect(store.getState()).toMatchObject({ a: null, b: null, comparison: { kind: 'idle' } });
    store.getState().restore('/repo', { a: at('one'), b: at('three') });
    await workspace.getState().openRepository('/repo', { view: 'compare' });
    await isReady(store);
    expect(store.getState().a).toEqual(at('one'));
  });

  it('of another repository open it once, and close it with the opened one', async () => {
    const { host, store, workspace } = await storeOver();
    const base: SideChoice = { kind: 'revision', repository: '/base', revision: hashOf(1), path: 'base.pt' };
    store.getState().compare(base, at('main'));
    await isReady(store);
    store.getState().swap();
    await isReady(store);
    expect(host.inputs('repository/open').filter(({ path }) => path === '/base')).toHaveLength(1);
    expect(host.inputs('compare/open')[0]).toMatchObject({ a: { repository: 'id of /base', path: 'base.pt' }, b: { repository: 'r1' } });
    workspace.getState().closeRepository();
    await vi.waitFor(() => expect(host.inputs('repository/close').map(({ repository }) => repository)).toContain('id of /base'));
  });

  it('that can move are looked at again when the repository changed, commits are not', async () => {
    const { host, store, workspace } = await storeOver();
    store.getState().compare(at(hashOf(1)), at(hashOf(2)));
    await isReady(store);
    await workspace.getState().refresh();
    expect(host.inputs('compare/open')).toHaveLength(1);
    store.getState().setSide('b', { kind: 'worktree', repository: null, path: 'model.pt' });
    await isReady(store);
    await workspace.getState().refresh();
    await vi.waitFor(() => expect(host.inputs('compare/open')).toHaveLength(3));
  });
});

describe('measuring', () => {
  const many = Array.from({ length: 100 }, (_, index) => groupOf(`layer.${index}`));

  it('begins with what is on the screen, and asks for nothing that is known to be equal or one-sided', async () => {
    const gate = deferred<undefined>();
    let isFirst = true;
    const measure = async () => {
      if (isFirst) await gate.promise;
      isFirst = false;
    };
    const groups = [...many, groupOf('same', 'unchanged'), groupOf('new', 'added'), groupOf('old', 'removed'), groupOf('who', 'unknown')];
    const { host, store } = await storeOver({ groups, measure });
    store.getState().compare(at('one'), at('three'));
    await vi.waitFor(() => expect(host.inputs('compare/numbers')).toHaveLength(1));
    store.getState().setVisible([90, 91, 100, 101]);
    gate.resolve(undefined);
    await isReady(store);
    const asked = host.inputs('compare/numbers').map(({ pairs }) => pairs.map(({ b }) => b));
    expect(asked[1]).toEqual(['layer.90', 'layer.91']);
    expect(new Set(asked.flat()).size).toBe(101);
    expect(asked.flat()).toHaveLength(101);
    expect(store.getState().progress).toMatchObject({ done: 101, total: 101 });
  });

  it('stops when it is told to or nobody looks, and goes on', async () => {
    const gate = deferred<undefined>();
    const { host, store, workspace } = await storeOver({ groups: many, measure: () => gate.promise.then(() => undefined) });
    store.getState().compare(at('one'), at('three'));
    await vi.waitFor(() => expect(host.inputs('compare/numbers')).toHaveLength(1));
    store.getState().stopNumbers();
    expect(store.getState().progress.status).toBe('stopped');
    await vi.waitFor(() => expect(host.calls.find(({ method }) => method === 'compare/numbers')?.isCancelled).toBe(true));
    store.getState().resumeNumbers();
    workspace.getState().showView('history');
    expect(store.getState().progress.status).toBe('stopped');
    gate.resolve(undefined);
    workspace.getState().showView('compare');
    await isReady(store);
    expect(store.getState().progress.done).toBe(100);
  });

  it('says why it failed, keeps what it has, and goes on when asked', async () => {
    let failures = 1;
    const measure = async () => {
      if (failures-- > 0) throw new Error('no');
    };
    const { store } = await storeOver({ groups: many, measure });
    store.getState().compare(at('one'), at('three'));
    await vi.waitFor(() => expect(store.getState().progress).toMatchObject({ status: 'failed', error: { code: 'internal' } }));
    store.getState().resumeNumbers();
    await isReady(store);
    expect(store.getState().progress.done).toBe(100);
  });
});

describe('the tolerance', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  it('is measured with once it has settled, only where bounds do not tell', async () => {
    const { host, store } = await storeOver({ groups: [groupOf('w'), groupOf('same', 'unchanged')] });
    store.getState().compare(at('one'), at('three'));
    await isReady(store);
    store.getState().setTolerance({ rtol: 0.2, atol: 0 });
    store.getState().setTolerance({ rtol: 0.3, atol: 0.05 });
    expect(host.inputs('compare/numbers')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    await isReady(store);
    expect(host.inputs('compare/numbers').map(({ rtol, atol }) => [rtol, atol])).toEqual([
      [0, 0],
      [0.3, 0.05],
    ]);
    expect(store.getState().numbersOf(0)?.numbers?.beyond).toBe(0);
    // A tolerance above the largest difference, and bits: what is known tells.
    store.getState().setTolerance({ rtol: 0, atol: 0.2 });
    await vi.advanceTimersByTimeAsync(1000);
    store.getState().setTolerance({ rtol: 0, atol: 0 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(host.inputs('compare/numbers')).toHaveLength(2);
  });
});
