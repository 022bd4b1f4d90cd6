import { describe, expect, it, vi } from 'vitest';
import type { Progress } from '../../shared/contract/frames';
import { latest } from './loadable';
import { createNoticeStore } from './noticeStore';
import { createParameterStore, type Inspection } from './parameterStore';
import { deferred, fakeClient } from './testing/fakeHost';
import { hashOf, repositoryWith } from './testing/samples';
import { createWorkspaceStore } from './workspaceStore';

const inspection = (dtype: string): Inspection => ({
  dtype,
  shape: [1],
  stats: {
    count: 1,
    finite: 1,
    nan: 0,
    positiveInfinity: 0,
    negativeInfinity: 0,
    zeros: 0,
    min: 1,
    max: 1,
    mean: 1,
    std: 0,
    l1: 1,
    norm: 1,
    subnormals: 0,
    distinct: { count: 1, exact: true },
    exact: null,
  },
  histogram: { min: 1, max: 1, counts: Float64Array.of(1), edges: null },
  preview: { rows: 1, columns: 1, values: Float32Array.of(1), sourceRows: 1, sourceColumns: 1 },
  chain: [{ updateType: 'dense', commit: hashOf(0), oid: 'ab'.repeat(32), storedBytes: 4 }],
  sha256: '00'.repeat(32),
});
const target = (group: string) => ({ commit: hashOf(0), path: 'model.pt', group });

async function openGroups() {
  const gates = new Map<string, ReturnType<typeof deferred<Inspection>>>();
  const report = new Map<string, (progress: Progress) => void>();
  const { host, client } = fakeClient({
    'repository/open': () => repositoryWith(),
    'repository/describe': () => repositoryWith(),
    'parameter/inspect': ({ group }, { progress }) => {
      const gate = deferred<Inspection>();
      gates.set(group, gate);
      report.set(group, progress);
      return gate.promise;
    },
  });
  const notices = createNoticeStore();
  const workspace = createWorkspaceStore({ client, notices });
  const store = createParameterStore({ client, workspace, notices });
  await workspace.getState().openRepository('/repo');
  const asked = async (group: string) => {
    await vi.waitFor(() => expect(gates.has(group)).toBe(true));
    return gates.get(group);
  };
  return {
    host,
    get: store.getState,
    asked,
    report,
    cancelled: () => host.calls.filter((call) => call.method === 'parameter/inspect').map((call) => call.isCancelled),
  };
}

describe('the inspection of a group', () => {
  it('shows its progress, then its result, and is remembered', async () => {
    const { get, asked, report, host } = await openGroups();
    get().show(target('w'));
    await asked('w');
    report.get('w')?.({ phase: 'Reading', done: 1, total: 2, unit: 'bytes' });
    expect(get().inspection).toMatchObject({ kind: 'loading', progress: { done: 1 } });
    (await asked('w'))?.resolve(inspection('float32'));
    await vi.waitFor(() => expect(get().inspection.kind).toBe('ready'));
    get().leave();
    expect(get()).toMatchObject({ target: null, inspection: { kind: 'idle' } });
    get().show(target('w'));
    expect(get().inspection.kind).toBe('ready');
    expect(host.inputs('parameter/inspect')).toHaveLength(1);
  });

  it('gives way to that of another group, whose figures are marked as old until then', async () => {
    const { get, asked, cancelled } = await openGroups();
    get().show(target('a'));
    (await asked('a'))?.resolve(inspection('float32'));
    await vi.waitFor(() => expect(get().inspection.kind).toBe('ready'));
    get().show(target('b'));
    expect(get()).toMatchObject({ isStale: true });
    expect(latest(get().inspection)?.dtype).toBe('float32');
    await asked('b');
    get().show(target('c'));
    (await asked('c'))?.resolve(inspection('int8'));
    await vi.waitFor(() => expect(get()).toMatchObject({ isStale: false, inspection: { kind: 'ready' } }));
    (await asked('b'))?.resolve(inspection('bool'));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(latest(get().inspection)?.dtype).toBe('int8');
    expect(cancelled()).toEqual([false, true, false]);
  });

  it('is cancelled on request, and by leaving', async () => {
    const { get, asked, cancelled } = await openGroups();
    get().show(target('a'));
    await asked('a');
    get().cancel();
    expect(get().inspection).toMatchObject({ kind: 'failed', error: { code: 'cancelled' } });
    get().retry();
    await vi.waitFor(() => expect(cancelled()).toHaveLength(2));
    expect(get().inspection.kind).toBe('loading');
    get().leave();
    expect(cancelled()).toEqual([true, true]);
    expect(get().inspection.kind).toBe('idle');
  });

  it('that fails shows no figures of another group, and is tried again when the repository changed', async () => {
    const { get, asked, host } = await openGroups();
    get().show(target('a'));
    (await asked('a'))?.resolve(inspection('float32'));
    await vi.waitFor(() => expect(get().inspection.kind).toBe('ready'));
    get().show(target('b'));
    (await asked('b'))?.fail('missing-object');
    await vi.waitFor(() => expect(get().inspection.kind).toBe('failed'));
    expect(latest(get().inspection)).toBeUndefined();
    host.emit('repository/changed', { repository: 'r1' });
    await vi.waitFor(() => expect(host.inputs('parameter/inspect')).toHaveLength(3));
    (await asked('b'))?.resolve(inspection('int8'));
    await vi.waitFor(() => expect(get().inspection.kind).toBe('ready'));
  });
});
