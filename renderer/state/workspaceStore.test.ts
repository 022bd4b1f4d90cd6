import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Emitter } from '../../shared/base/emitter';
import { clientFrameSchema } from '../../shared/contract/frames';
import type { RepositoryDescription } from '../../shared/contract/requests';
import type { ConnectionStatus } from '../../shared/contract/transport';
import type { CommitHash } from '../../shared/model/commit';
import { Client } from '../client/client';
import { latest } from './loadable';
import { createNoticeStore } from './noticeStore';
import { createWorkspaceStore, firstPlace } from './workspaceStore';

const commitA = 'a'.repeat(40) as CommitHash;
const commitB = 'b'.repeat(40) as CommitHash;

function described(id: string, more: Partial<RepositoryDescription> = {}): RepositoryDescription {
  const checkpoint = { storage: 'theta', format: 'pytorch', groups: 3, bytes: 12, status: 'unmodified' } as const;
  return {
    id,
    path: `/data/${id}`,
    name: id,
    bare: false,
    shallow: false,
    backend: 'native',
    head: { kind: 'branch', name: 'main', commit: commitA },
    refs: [],
    remotes: [],
    submodules: [],
    checkpoints: [
      { ...checkpoint, path: 'first.pt' },
      { ...checkpoint, path: 'sub/second.pt' },
    ],
    notices: [],
    ...more,
  };
}

/** A store against a host whose answers the test gives one by one. */
function setUp() {
  const frames = new Emitter<unknown>();
  const statuses = new Emitter<ConnectionStatus>();
  const calls: { id: number; method: string; input: unknown }[] = [];
  const client = new Client({
    status: 'open',
    send: (frame) => {
      const parsed = v.parse(clientFrameSchema, frame);
      if (parsed.kind === 'call') calls.push(parsed);
    },
    onFrame: (listener) => frames.on(listener),
    onStatus: (listener) => statuses.on(listener),
  });
  const notices = createNoticeStore();
  const store = createWorkspaceStore({ client, notices });
  const last = () => {
    const call = calls.at(-1);
    if (call === undefined) throw new Error('nothing was asked');
    return call;
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    store,
    notices,
    calls,
    last,
    async answer(output: unknown, id = last().id) {
      frames.emit({ kind: 'result', id, output });
      await settled();
    },
    async fail(code: string) {
      frames.emit({ kind: 'failure', id: last().id, error: { code, message: code } });
      await settled();
    },
    async event(repository: string) {
      frames.emit({ kind: 'event', name: 'repository/changed', data: { repository } });
      await settled();
    },
    async reconnect() {
      statuses.emit('lost');
      await settled();
      statuses.emit('open');
      await settled();
    },
  };
}

describe('workspaceStore', () => {
  it('opens a repository at HEAD and its first checkpoint', async () => {
    const { store, answer, last } = setUp();
    void store.getState().openRepository('/data/one');
    expect(store.getState()).toMatchObject({ opening: '/data/one', repository: { kind: 'loading' } });
    expect(last()).toMatchObject({ method: 'repository/open', input: { path: '/data/one' } });
    await answer(described('one'));
    expect(store.getState()).toMatchObject({ opening: null, path: 'first.pt', commit: commitA, group: null, repository: { kind: 'ready' } });
  });

  it('keeps the path of what could not be opened beside the error', async () => {
    const { store, fail } = setUp();
    void store.getState().openRepository('/nowhere');
    await fail('not-found');
    expect(store.getState()).toMatchObject({ opening: '/nowhere', repository: { kind: 'failed', error: { code: 'not-found' } } });
  });

  it('stays with the open repository when another one cannot be opened', async () => {
    const { store, notices, answer, fail } = setUp();
    void store.getState().openRepository('/data/one');
    await answer(described('one'));
    void store.getState().openRepository('/nowhere');
    await fail('not-found');
    expect(latest(store.getState().repository)?.id).toBe('one');
    expect(store.getState().repository.kind).toBe('ready');
    expect(notices.getState().notices).toMatchObject([{ kind: 'error', error: { code: 'not-found' } }]);
  });

  it('takes the answer to the last wish only, and closes what it leaves', async () => {
    const { store, calls, answer } = setUp();
    void store.getState().openRepository('/data/one');
    await answer(described('one'));
    void store.getState().openRepository('/data/two');
    const slow = calls.at(-1)?.id;
    void store.getState().openRepository('/data/three');
    await answer(described('three'));
    await answer(described('two'), slow);
    expect(latest(store.getState().repository)?.id).toBe('three');
    expect(calls.filter(({ method }) => method === 'repository/close').map(({ input }) => input)).toEqual([{ repository: 'one' }]);
  });

  it('describes again when the host says that something changed, keeping the selection', async () => {
    const { store, answer, event, last, calls } = setUp();
    void store.getState().openRepository('/data/one');
    await answer(described('one'));
    store.getState().selectCommit(commitB);
    store.getState().choosePath('sub/second.pt');
    await event('other');
    expect(calls).toHaveLength(1);
    const { revision } = store.getState();
    await event('one');
    expect(last()).toMatchObject({ method: 'repository/describe' });
    expect(latest(store.getState().repository)?.id).toBe('one');
    await answer(described('one', { notices: ['new'] }));
    expect(latest(store.getState().repository)?.notices).toEqual(['new']);
    expect(store.getState()).toMatchObject({ commit: commitB, path: 'sub/second.pt', revision: revision + 1 });
  });

  it('shows a failed refresh beside the old description', async () => {
    const { store, answer, fail } = setUp();
    void store.getState().openRepository('/data/one');
    await answer(described('one'));
    void store.getState().refresh();
    await fail('permission');
    expect(store.getState().repository).toMatchObject({ kind: 'failed', error: { code: 'permission' }, last: { id: 'one' } });
  });

  it('opens the repository again after the connection was lost, under its new id, and keeps the selection', async () => {
    const { store, answer, reconnect, last } = setUp();
    void store.getState().openRepository('/data/one/sub');
    await answer(described('one'));
    store.getState().selectCommit(commitB);
    store.getState().selectGroup('w');
    await reconnect();
    expect(last()).toMatchObject({ method: 'repository/open', input: { path: '/data/one' } });
    await answer(described('one', { id: 'again' }));
    expect(latest(store.getState().repository)?.id).toBe('again');
    expect(store.getState()).toMatchObject({ commit: commitB, group: 'w', path: 'first.pt' });
  });

  it('goes on opening what the loss of the connection interrupted', async () => {
    const { store, answer, reconnect, last } = setUp();
    void store.getState().openRepository('/data/one');
    await reconnect();
    expect(last()).toMatchObject({ method: 'repository/open', input: { path: '/data/one' } });
    await answer(described('one'));
    expect(store.getState().repository.kind).toBe('ready');
  });

  it('shows nothing of a repository that was closed while it was described', async () => {
    const { store, answer, calls } = setUp();
    void store.getState().openRepository('/data/one');
    await answer(described('one'));
    void store.getState().refresh();
    const describe = calls.at(-1)?.id;
    store.getState().closeRepository();
    await answer(described('one'), describe);
    expect(store.getState()).toMatchObject({ repository: { kind: 'idle' }, path: null, commit: null });
  });

  it('cancels opening and is where it was', async () => {
    const { store } = setUp();
    const done = store.getState().openRepository('/data/one');
    store.getState().cancelOpening();
    await done;
    expect(store.getState()).toMatchObject({ repository: { kind: 'idle' }, opening: null });
  });

  it('forgets the group when another checkpoint is chosen, and only then', async () => {
    const { store, answer } = setUp();
    void store.getState().openRepository('/data/one', { group: 'w' });
    await answer(described('one'));
    store.getState().choosePath('first.pt');
    expect(store.getState().group).toBe('w');
    store.getState().choosePath('sub/second.pt');
    expect(store.getState().group).toBeNull();
  });
});

describe('firstPlace', () => {
  const repository = described('one');

  it('follows a link before all else', () => {
    expect(firstPlace(repository, '/data/one', { path: 'gone.pt', commit: commitB, group: 'w' })).toEqual({ path: 'gone.pt', commit: commitB, group: 'w' });
  });

  it.each([
    ['/data/one/sub/second.pt', 'sub/second.pt'],
    ['/data/one/other.txt', 'first.pt'],
    ['/data/one', 'first.pt'],
    ['/data/one-more/sub/second.pt', 'first.pt'],
  ])('chooses for %s the checkpoint %s', (opened, path) => {
    expect(firstPlace(repository, opened, {}).path).toBe(path);
  });

  it('knows the separators of Windows', () => {
    expect(firstPlace({ ...repository, path: 'C:\\one' }, 'C:\\one\\sub\\second.pt', {}).path).toBe('sub/second.pt');
  });

  it('prefers what git-theta keeps to a plain file that comes first', () => {
    const [theta] = repository.checkpoints;
    if (theta === undefined) throw new Error('the description has no checkpoint');
    const plain = { ...theta, path: 'a.onnx', storage: 'blob' } as const;
    expect(firstPlace({ ...repository, checkpoints: [plain, theta] }, '/data/one', {}).path).toBe('first.pt');
    expect(firstPlace({ ...repository, checkpoints: [plain] }, '/data/one', {}).path).toBe('a.onnx');
  });

  it('selects nothing where there is nothing', () => {
    const empty = described('one', { head: { kind: 'unborn', name: 'main' }, checkpoints: [] });
    expect(firstPlace(empty, '/data/one', {})).toEqual({ path: null, commit: null, group: null });
  });
});
