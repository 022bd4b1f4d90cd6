import { describe, expect, it, vi } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import type { Progress } from '../../shared/contract/frames';
import type { CheckpointWithChanges } from '../../shared/model/checkpoint';
import { createCheckpointStore } from './checkpointStore';
import { latest } from './loadable';
import { createNoticeStore } from './noticeStore';
import { deferred, fakeClient } from './testing/fakeHost';
import { checkpointAt, detailOf, hashOf, repositoryWith } from './testing/samples';
import { createWorkspaceStore } from './workspaceStore';

type Report = (progress: Progress) => void;

async function openCheckpoint(answer: (commit: string, report: Report) => CheckpointWithChanges | Promise<CheckpointWithChanges>) {
  const { host, client } = fakeClient({
    'repository/open': () => repositoryWith(),
    'repository/describe': () => repositoryWith(),
    'history/commit': ({ commit }) => detailOf(commit),
    'checkpoint/describe': ({ commit }, { progress }) => answer(commit, progress),
  });
  const notices = createNoticeStore();
  const workspace = createWorkspaceStore({ client, notices });
  const store = createCheckpointStore({ client, workspace, notices });
  await workspace.getState().openRepository('/repo');
  return { host, workspace, get: store.getState, shown: () => latest(store.getState().checkpoint)?.checkpoint.version.commit };
}

describe('the checkpoint at the selected commit', () => {
  it('is loaded with the commit, and what was shown stays until then', async () => {
    const gate = deferred<CheckpointWithChanges>();
    const { get, shown, workspace } = await openCheckpoint((commit) => (commit === hashOf(1) ? gate.promise : checkpointAt(hashOf(0))));
    await vi.waitFor(() => expect(get().checkpoint.kind).toBe('ready'));
    expect(latest(get().commit)?.title).toBe('Commit 0');
    workspace.getState().selectCommit(hashOf(1));
    expect(get().checkpoint.kind).toBe('loading');
    expect(shown()).toBe(hashOf(0));
    gate.resolve(checkpointAt(hashOf(1)));
    await vi.waitFor(() => expect(get().checkpoint.kind).toBe('ready'));
    expect(shown()).toBe(hashOf(1));
  });

  it('tells how far it is, but no more of what was left behind', async () => {
    const reports = new Map<string, Report>();
    const { get, workspace } = await openCheckpoint((commit, report) => {
      reports.set(commit, report);
      return new Promise<never>(() => undefined);
    });
    const half = { phase: 'Comparing with the parent', done: 9, total: 18, unit: 'groups' } as const;
    await vi.waitFor(() => expect(reports.has(hashOf(0))).toBe(true));
    reports.get(hashOf(0))?.(half);
    expect(get().checkpoint).toMatchObject({ kind: 'loading', progress: half });
    workspace.getState().selectCommit(hashOf(1));
    expect(get().checkpoint).toEqual({ kind: 'loading' });
    reports.get(hashOf(0))?.({ ...half, done: 10 });
    expect(get().checkpoint).toEqual({ kind: 'loading' });
  });

  it('is not asked for twice', async () => {
    const { get, host, workspace } = await openCheckpoint(() => checkpointAt(hashOf(0)));
    await vi.waitFor(() => expect(get().checkpoint.kind).toBe('ready'));
    workspace.getState().selectCommit(null);
    expect(get().checkpoint.kind).toBe('idle');
    workspace.getState().selectCommit(hashOf(0));
    expect(get().checkpoint.kind).toBe('ready');
    expect(host.inputs('checkpoint/describe')).toHaveLength(1);
  });

  it('is asked for only where the selection rests, and what is left behind is cancelled', async () => {
    const { get, host, workspace, shown } = await openCheckpoint(async (commit) => {
      if (commit === hashOf(0)) return new Promise<never>(() => undefined);
      return checkpointAt(hashOf(Number.parseInt(commit, 16)));
    });
    await vi.waitFor(() => expect(host.inputs('checkpoint/describe')).toHaveLength(1));
    for (let index = 1; index <= 20; index++) workspace.getState().selectCommit(hashOf(index));
    await vi.waitFor(() => expect(get().checkpoint.kind).toBe('ready'));
    expect(shown()).toBe(hashOf(20));
    const calls = host.calls.filter((call) => call.method === 'checkpoint/describe');
    expect(calls.length).toBeLessThanOrEqual(3);
    expect(calls[0]?.isCancelled).toBe(true);
  });

  it('that failed is asked for again when the repository changed, and on request', async () => {
    let isThere = false;
    const { get, host, workspace } = await openCheckpoint(() => {
      if (!isThere) throw new CheckpointError('missing-object', 'The object is missing.');
      return checkpointAt(hashOf(0));
    });
    await vi.waitFor(() => expect(get().checkpoint.kind).toBe('failed'));
    expect(get().commit.kind).toBe('ready');
    get().retry();
    await vi.waitFor(() => expect(host.inputs('checkpoint/describe')).toHaveLength(2));
    await vi.waitFor(() => expect(get().checkpoint.kind).toBe('failed'));
    isThere = true;
    host.emit('repository/changed', { repository: 'r1' });
    await vi.waitFor(() => expect(get().checkpoint.kind).toBe('ready'));
    expect(workspace.getState().revision).toBe(2);
  });

  it('is nothing without a checkpoint', async () => {
    const { client } = fakeClient({ 'repository/open': () => repositoryWith({ checkpoints: [] }), 'history/commit': ({ commit }) => detailOf(commit) });
    const notices = createNoticeStore();
    const workspace = createWorkspaceStore({ client, notices });
    const store = createCheckpointStore({ client, workspace, notices });
    await workspace.getState().openRepository('/repo');
    await vi.waitFor(() => expect(store.getState().commit.kind).toBe('ready'));
    expect(store.getState().checkpoint.kind).toBe('idle');
  });
});
