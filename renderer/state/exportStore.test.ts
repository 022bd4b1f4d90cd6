import { describe, expect, it, vi } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import type { Progress } from '../../shared/contract/frames';
import { createExportStore, type ExportResult, withExtension } from './exportStore';
import { createNoticeStore } from './noticeStore';
import { deferred, fakeClient } from './testing/fakeHost';
import { hashOf, repositoryWith } from './testing/samples';
import { createWorkspaceStore } from './workspaceStore';

const result: ExportResult = { path: '/out/model.pt', bytes: 10, groups: 2, seconds: 1, notes: [] };

async function openExport() {
  const existing = new Set<string>();
  const runs: { gate: ReturnType<typeof deferred<ExportResult>>; progress: (progress: Progress) => void }[] = [];
  const { host, client } = fakeClient({
    'repository/open': () => repositoryWith(),
    'export/options': () => ({
      suggestedPath: '/out/model.pt',
      formats: [
        { format: 'original', label: 'PyTorch', extension: '.pt', note: null },
        { format: 'safetensors', label: 'safetensors', extension: 'safetensors', note: null },
      ],
    }),
    'export/run': ({ destination, overwrite }, { progress }) => {
      if (existing.has(destination) && !overwrite) throw new CheckpointError('exists', 'There is a file.');
      const gate = deferred<ExportResult>();
      runs.push({ gate, progress });
      return gate.promise;
    },
    'dialog/pickSaveFile': () => ({ path: '/picked/x.pt' }),
    'shell/reveal': () => null,
  });
  const notices = createNoticeStore();
  const workspace = createWorkspaceStore({ client, notices });
  const store = createExportStore({ client, workspace, notices });
  await workspace.getState().openRepository('/repo');
  workspace.getState().requestExport(hashOf(0), 'model.pt');
  await vi.waitFor(() => expect(store.getState().options.kind).toBe('ready'));
  return { host, workspace, notices, existing, runs, get: store.getState };
}

describe('export', () => {
  it('begins with the own format and the suggested path, and runs to its result', async () => {
    const { get, host, runs } = await openExport();
    expect(get()).toMatchObject({ format: 'original', destination: '/out/model.pt', run: { kind: 'none' } });
    const started = get().start();
    await vi.waitFor(() => expect(runs).toHaveLength(1));
    runs[0]?.progress({ phase: 'Writing', done: 5, total: 10, unit: 'bytes' });
    expect(get().run).toMatchObject({ kind: 'running', progress: { phase: 'Writing', done: 5 } });
    runs[0]?.gate.resolve(result);
    await started;
    expect(get().run).toMatchObject({ kind: 'done', result });
    expect(host.inputs('export/run')).toEqual([
      { repository: 'r1', commit: hashOf(0), path: 'model.pt', destination: '/out/model.pt', format: 'original', overwrite: false },
    ]);
    await get().reveal();
    expect(host.inputs('shell/reveal')).toEqual([{ path: '/out/model.pt' }]);
  });

  it('asks before a file is replaced', async () => {
    const { get, host, existing, runs } = await openExport();
    existing.add('/out/model.pt');
    await get().start();
    expect(get().run).toMatchObject({ kind: 'exists', job: { destination: '/out/model.pt' } });
    void get().start({ overwrite: true });
    await vi.waitFor(() => expect(runs).toHaveLength(1));
    expect(host.inputs('export/run').map((input) => input.overwrite)).toEqual([false, true]);
  });

  it('forgets the question when another name is typed', async () => {
    const { get, existing } = await openExport();
    existing.add('/out/model.pt');
    await get().start();
    get().setDestination('/out/other.pt');
    expect(get().run.kind).toBe('none');
  });

  it('is cancelled at the host, and leads back to the choices', async () => {
    const { get, host, runs } = await openExport();
    const started = get().start();
    await vi.waitFor(() => expect(runs).toHaveLength(1));
    get().cancel();
    await started;
    expect(get()).toMatchObject({ run: { kind: 'none' }, destination: '/out/model.pt' });
    expect(host.calls.find((call) => call.method === 'export/run')?.isCancelled).toBe(true);
  });

  it('goes on when the dialog is closed, and says when it is done', async () => {
    const { get, workspace, notices, runs } = await openExport();
    const started = get().start();
    await vi.waitFor(() => expect(runs).toHaveLength(1));
    workspace.getState().closeExport();
    expect(get().run.kind).toBe('running');
    // Another version is asked for meanwhile: the dialog shows what runs.
    workspace.getState().requestExport(hashOf(1), 'model.pt');
    expect(get().run.kind).toBe('running');
    workspace.getState().closeExport();
    runs[0]?.gate.resolve(result);
    await started;
    expect(notices.getState().notices).toMatchObject([{ kind: 'success', text: '/out/model.pt' }]);
    workspace.getState().requestExport(hashOf(2), 'model.pt');
    expect(get().run.kind).toBe('none');
    await vi.waitFor(() => expect(get().options.kind).toBe('ready'));
  });

  it('keeps a failure until it is looked at, then offers the choices of the version asked for', async () => {
    const { get, host, runs, workspace, notices } = await openExport();
    const started = get().start();
    await vi.waitFor(() => expect(runs).toHaveLength(1));
    workspace.getState().requestExport(hashOf(5), 'model.pt');
    runs[0]?.gate.fail('no-space');
    await started;
    expect(get().run).toMatchObject({ kind: 'failed', error: { code: 'no-space' } });
    expect(notices.getState().notices).toEqual([]);
    get().reset();
    await vi.waitFor(() => expect(host.inputs('export/options').at(-1)?.commit).toBe(hashOf(5)));
  });

  it('takes the extension of the format with it', async () => {
    const { get } = await openExport();
    get().chooseFormat('safetensors');
    expect(get().destination).toBe('/out/model.safetensors');
    get().setDestination('/out/mine');
    get().chooseFormat('original');
    expect(get().destination).toBe('/out/mine');
  });

  it('takes a path from the native dialog', async () => {
    const { get, host } = await openExport();
    await get().pickDestination('Export version');
    expect(get().destination).toBe('/picked/x.pt');
    expect(host.inputs('dialog/pickSaveFile')).toEqual([{ title: 'Export version', suggestedPath: '/out/model.pt' }]);
  });

  it('never starts twice, nor without a destination', async () => {
    const { get, runs } = await openExport();
    get().setDestination('  ');
    await get().start();
    expect(get().run.kind).toBe('none');
    get().setDestination('/out/a.pt');
    void get().start();
    void get().start();
    await vi.waitFor(() => expect(runs).toHaveLength(1));
  });
});

it.each([
  ['/a/model.pt', '.pt', '.npz', '/a/model.npz'],
  ['/a/model.PT', 'pt', 'npz', '/a/model.npz'],
  ['/a/model', '.pt', '.npz', '/a/model'],
  ['/a/model.pt', '', '.npz', '/a/model.pt'],
])('%s from %s to %s is %s', (path, from, to, expected) => {
  expect(withExtension(path, from, to)).toBe(expected);
});
