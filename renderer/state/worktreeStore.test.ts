import { describe, expect, it, vi } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import { latest } from './loadable';
import { createNoticeStore } from './noticeStore';
import { createRefsStore } from './refsStore';
import { fakeClient } from './testing/fakeHost';
import { hashOf, repositoryWith, worktreeWith } from './testing/samples';
import { createWorkspaceStore } from './workspaceStore';
import { createWorktreeStore, type WorktreeStatus } from './worktreeStore';

const change: WorktreeStatus['changes'][number] = { path: 'model.pt', kind: 'modified', staged: false, format: 'pytorch', bytes: 10, filter: 'theta' };

async function setUp(rest: Parameters<typeof repositoryWith>[0] = {}) {
  const state = { changes: [change], fail: null as CheckpointError | null };
  const answer = () => {
    if (state.fail !== null) throw state.fail;
    return null;
  };
  const { host, client } = fakeClient({
    'repository/open': () => repositoryWith(rest),
    'repository/describe': () => repositoryWith(rest),
    'worktree/status': () => worktreeWith({ changes: state.changes }),
    'worktree/discard': () => {
      const done = answer();
      state.changes = [];
      return done;
    },
    'branch/create': answer,
    'branch/switch': answer,
    'tag/create': answer,
  });
  const notices = createNoticeStore();
  const workspace = createWorkspaceStore({ client, notices });
  const context = { client, workspace, notices };
  const worktree = createWorktreeStore(context);
  const refs = createRefsStore(context);
  await workspace.getState().openRepository('/repo');
  return { host, state, notices, workspace, worktree: worktree.getState, refs: refs.getState };
}

describe('the working tree', () => {
  it('is read when a repository opens and whenever it changed', async () => {
    const { host, worktree, state } = await setUp();
    await vi.waitFor(() => expect(latest(worktree().status)?.changes).toHaveLength(1));
    state.changes = [];
    host.emit('repository/changed', { repository: 'r1' });
    await vi.waitFor(() => expect(latest(worktree().status)?.changes).toEqual([]));
    expect(host.inputs('worktree/status')).toHaveLength(2);
  });

  it('is nothing in a bare repository, nor without one', async () => {
    const { host, worktree, workspace } = await setUp({ bare: true });
    await worktree().reload();
    expect([worktree().status.kind, host.inputs('worktree/status').length]).toEqual(['idle', 0]);
    workspace.getState().closeRepository();
    expect(worktree().status.kind).toBe('idle');
  });

  it('is restored only after the question', async () => {
    const { host, worktree, notices } = await setUp();
    worktree().askDiscard(['model.pt']);
    expect(host.inputs('worktree/discard')).toEqual([]);
    worktree().closeDiscard();
    await worktree().confirmDiscard();
    expect(host.inputs('worktree/discard')).toEqual([]);
    worktree().askDiscard(['model.pt']);
    await worktree().confirmDiscard();
    expect(host.inputs('worktree/discard')).toEqual([{ repository: 'r1', paths: ['model.pt'] }]);
    expect(worktree().discard).toBeNull();
    expect(latest(worktree().status)?.changes).toEqual([]);
    expect(notices.getState().notices.at(-1)?.text).toContain('model.pt');
  });

  it('says why it was not restored', async () => {
    const { worktree, state } = await setUp();
    state.fail = new CheckpointError('permission', 'Read-only.');
    worktree().askDiscard(['model.pt']);
    await worktree().confirmDiscard();
    expect(worktree().discard).toMatchObject({ paths: ['model.pt'], isRunning: false, error: { code: 'permission' } });
  });
});

describe('branches and tags', () => {
  it('are made where they were asked for', async () => {
    const { host, refs, notices } = await setUp();
    refs().ask({ kind: 'branch', commit: hashOf(4) });
    await refs().createBranch('trial', { switchTo: true });
    refs().ask({ kind: 'tag', commit: hashOf(5) });
    await refs().createTag('v1', '  ');
    refs().ask({ kind: 'tag', commit: hashOf(5) });
    await refs().createTag('v2', ' Two\n');
    expect(host.inputs('branch/create')).toEqual([{ repository: 'r1', name: 'trial', commit: hashOf(4), switch: true }]);
    expect(host.inputs('tag/create').map(({ name, message }) => [name, message])).toEqual([
      ['v1', null],
      ['v2', 'Two'],
    ]);
    expect(refs().dialog).toBeNull();
    expect(notices.getState().notices.map(({ kind }) => kind)).toEqual(['success', 'success', 'success']);
  });

  it('keep their dialog open with the reason when they were not made', async () => {
    const { refs, state } = await setUp();
    state.fail = new CheckpointError('exists', 'There is one.');
    refs().ask({ kind: 'branch', commit: hashOf(4) });
    await refs().createBranch('trial', { switchTo: false });
    expect(refs()).toMatchObject({ dialog: { kind: 'branch' }, isRunning: false, error: { code: 'exists' } });
    refs().close();
    expect(refs()).toMatchObject({ dialog: null, error: null });
  });

  it('are not switched to where changes would be lost, and that is said', async () => {
    const { refs, state, host } = await setUp();
    state.fail = new CheckpointError('conflict', 'model.pt has changes.');
    await refs().switchTo('other');
    expect(refs().refusedSwitch).toMatchObject({ name: 'other', error: { code: 'conflict' } });
    state.fail = null;
    await refs().switchTo('other');
    expect(refs().refusedSwitch).toBeNull();
    expect(host.inputs('branch/switch')).toHaveLength(2);
  });
});
