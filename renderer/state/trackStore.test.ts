import { describe, expect, it, vi } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import type { Progress } from '../../shared/contract/frames';
import type { Output, RepositoryDescription } from '../../shared/contract/requests';
import type { TrackCandidate, TrackItem, TrackPreview } from '../../shared/contract/trackRequests';
import { latest } from './loadable';
import { createNewRepositoryStore } from './newRepositoryStore';
import { createNoticeStore } from './noticeStore';
import { deferred, fakeClient } from './testing/fakeHost';
import { candidateOf, hashOf, previewOf, repositoryWith, worktreeWith } from './testing/samples';
import { createTrackStore } from './trackStore';
import { createWorkspaceStore } from './workspaceStore';
import { createWorktreeStore, type WorktreeStatus } from './worktreeStore';

const result: Output<'track/commit'> = { commit: hashOf(7), addedBytes: 4, fullBytes: 16, seconds: 1, notes: [] };

interface Given {
  readonly candidates?: readonly TrackCandidate[];
  readonly preview?: (item: TrackItem) => TrackPreview;
  readonly repository?: Partial<RepositoryDescription> | null;
  readonly status?: Partial<WorktreeStatus>;
}

async function setUp({ candidates, preview = ({ path }) => previewOf(path), repository = {}, status = {} }: Given = {}) {
  const commits: { gate: ReturnType<typeof deferred<Output<'track/commit'>>>; progress: (progress: Progress) => void }[] = [];
  const previews: { item: TrackItem; gate: ReturnType<typeof deferred<TrackPreview>>; progress: (progress: Progress) => void }[] = [];
  const held = { previews: false };
  const described = { now: repositoryWith(repository ?? {}) };
  const { host, client } = fakeClient({
    'repository/open': () => described.now,
    'repository/describe': () => described.now,
    'repository/init': ({ folder }) => ({ path: folder }),
    'worktree/status': () => worktreeWith(status),
    'track/recognise': ({ sources }) => ({
      candidates: [...(candidates ?? sources.map((source) => candidateOf(source)))],
      refused: sources
        .filter((source) => source.endsWith('.txt'))
        .map((source) => ({ source, error: { code: 'unsupported-format', message: 'No checkpoint.' } })),
    }),
    'track/preview': ({ item }, { progress }) => {
      if (!held.previews) return preview(item);
      const gate = deferred<TrackPreview>();
      previews.push({ item, gate, progress });
      return gate.promise;
    },
    'track/commit': (_input, { progress }) => {
      const gate = deferred<Output<'track/commit'>>();
      commits.push({ gate, progress });
      return gate.promise;
    },
  });
  const notices = createNoticeStore();
  const workspace = createWorkspaceStore({ client, notices });
  const context = { client, workspace, notices };
  const worktree = createWorktreeStore(context);
  const newRepository = createNewRepositoryStore(context);
  const store = createTrackStore({ ...context, worktree, newRepository });
  if (repository !== null) await workspace.getState().openRepository('/repo');
  const get = store.getState;
  const settled = () =>
    vi.waitFor(() =>
      expect(
        get()
          .files.map((file) => file.preview.kind)
          .filter((kind) => kind !== 'ready'),
      ).toEqual([]),
    );
  return { host, workspace, worktree, notices, newRepository, get, settled, commits, previews, held, described };
}

describe('track', () => {
  it('leads from files to a commit that is then selected', async () => {
    const { get, host, settled, commits, workspace, notices } = await setUp();
    await get().track(['/in/model.pt', '/in/other.pt']);
    expect(get()).toMatchObject({ isOpen: true, stage: { kind: 'choosing' }, shown: '/in/model.pt', message: 'Track 2 checkpoints' });
    await settled();
    const committing = get().commit();
    await vi.waitFor(() => expect(commits).toHaveLength(1));
    commits[0]?.progress({ phase: 'Storing', done: 5, total: 10, unit: 'bytes' });
    expect(get().stage).toMatchObject({ kind: 'committing', progress: { done: 5 } });
    commits[0]?.gate.resolve(result);
    await committing;
    expect(host.inputs('track/commit')).toEqual([
      {
        repository: 'r1',
        items: [
          { source: '/in/model.pt', path: 'model.pt', update: 'auto', updateData: null },
          { source: '/in/other.pt', path: 'other.pt', update: 'auto', updateData: null },
        ],
        message: 'Track 2 checkpoints',
        author: null,
        newBranch: null,
        convertLfs: false,
      },
    ]);
    expect(get()).toMatchObject({ isOpen: false, stage: { kind: 'none' }, files: [] });
    expect(workspace.getState()).toMatchObject({ commit: hashOf(7), path: 'model.pt' });
    expect(notices.getState().notices.at(-1)).toMatchObject({ kind: 'success', title: 'Committed', text: expect.stringContaining('4 B') });
  });

  it('says what the files are when none can be used', async () => {
    const { get } = await setUp({ candidates: [] });
    await get().track(['/in/notes.txt']);
    expect(get()).toMatchObject({ stage: { kind: 'unusable', error: null }, refused: [{ source: '/in/notes.txt', error: { code: 'unsupported-format' } }] });
  });

  it('calls it an update where git-theta keeps the place, and leaves a message of one’s own alone', async () => {
    const { get } = await setUp({ candidates: [candidateOf('/in/model.pt', { storage: 'theta' })] });
    await get().track(['/in/model.pt']);
    expect(get().message).toBe('Update model.pt');
    get().setPlace('/in/model.pt', 'runs/new.pt');
    expect(get().message).toBe('Track new.pt');
    get().setMessage('Mine');
    get().setPlace('/in/model.pt', 'model.pt');
    expect(get().message).toBe('Mine');
  });

  it('takes more files in beside those that are there, and keeps what was chosen for them', async () => {
    const { get, host, settled } = await setUp();
    await get().track(['/in/a.pt']);
    await settled();
    get().setUpdate('/in/a.pt', 'dense');
    get().setMessage('Mine');
    await get().track(['/in/b.pt', '/in/b.txt']);
    await settled();
    expect(get()).toMatchObject({ shown: '/in/b.pt', message: 'Mine', refused: [{ source: '/in/b.txt' }] });
    expect(get().files.map(({ source, update }) => [source, update])).toEqual([
      ['/in/a.pt', 'dense'],
      ['/in/b.pt', 'auto'],
      ['/in/b.txt', 'auto'],
    ]);
    host.calls.length = 0;
    get().remove('/in/b.pt');
    expect(get().shown).toBe('/in/b.txt');
  });

  it('commits only what differs, and nothing where nothing does', async () => {
    const { get, host, settled, commits } = await setUp({ preview: ({ path }) => previewOf(path, { unchanged: path === 'a.pt' }) });
    await get().track(['/in/a.pt', '/in/b.pt']);
    await settled();
    void get().commit();
    await vi.waitFor(() => expect(commits).toHaveLength(1));
    expect(host.inputs('track/commit')[0]?.items.map(({ path }) => path)).toEqual(['b.pt']);
    commits[0]?.gate.resolve(result);
    await vi.waitFor(() => expect(get().stage.kind).toBe('none'));
    await get().track(['/in/a.pt']);
    await settled();
    await get().commit();
    expect(commits).toHaveLength(1);
  });

  it('is cancelled at the host and leads back to the choices', async () => {
    const { get, host, settled, commits } = await setUp();
    await get().track(['/in/model.pt']);
    await settled();
    get().setMessage('Mine');
    const committing = get().commit();
    await vi.waitFor(() => expect(commits).toHaveLength(1));
    get().cancel();
    await committing;
    expect(host.calls.find(({ method }) => method === 'track/commit')?.isCancelled).toBe(true);
    expect(get()).toMatchObject({ isOpen: true, stage: { kind: 'choosing', error: null, note: expect.stringContaining('as it was before') }, message: 'Mine' });
  });

  it('keeps what was chosen when the commit fails', async () => {
    const { get, settled, commits } = await setUp();
    await get().track(['/in/model.pt']);
    await settled();
    get().setUpdate('/in/model.pt', 'sparse');
    await settled();
    const committing = get().commit();
    await vi.waitFor(() => expect(commits).toHaveLength(1));
    commits[0]?.gate.fail('no-space');
    await committing;
    expect(get()).toMatchObject({ stage: { kind: 'choosing', error: { code: 'no-space' } }, files: [{ update: 'sparse' }] });
  });

  it('goes on when the dialog is closed, shows itself when more is dropped, and tells how it ended', async () => {
    const { get, settled, commits, notices } = await setUp();
    await get().track(['/in/model.pt']);
    await settled();
    const committing = get().commit();
    await vi.waitFor(() => expect(commits).toHaveLength(1));
    get().close();
    expect(get()).toMatchObject({ isOpen: false, stage: { kind: 'committing' } });
    await get().track(['/in/late.pt']);
    expect(get()).toMatchObject({ isOpen: true, files: [{ source: '/in/model.pt' }] });
    get().close();
    commits[0]?.gate.fail('permission');
    await committing;
    expect(notices.getState().notices.at(-1)).toMatchObject({ kind: 'error', error: { code: 'permission' } });
    expect(get().stage.kind).toBe('none');
  });
});

describe('the preview', () => {
  it('is computed one file at a time, the shown one first, and the old one stays while it is computed anew', async () => {
    const { get, previews, held } = await setUp();
    held.previews = true;
    await get().track(['/in/a.pt', '/in/b.pt', '/in/c.pt']);
    await vi.waitFor(() => expect(previews.map(({ item }) => item.path)).toEqual(['a.pt']));
    get().show('/in/c.pt');
    previews[0]?.progress({ phase: 'Comparing', done: 1, total: 2, unit: 'bytes' });
    expect(get().files[0]?.preview).toMatchObject({ kind: 'loading', progress: { done: 1 } });
    previews[0]?.gate.resolve(previewOf('a.pt'));
    await vi.waitFor(() => expect(previews.map(({ item }) => item.path)).toEqual(['a.pt', 'c.pt']));
    get().setUpdate('/in/a.pt', 'dense');
    expect(get().files[0]?.preview.kind).toBe('loading');
    expect(latest(get().files[0]?.preview ?? { kind: 'idle' })?.path).toBe('a.pt');
  });

  it('that is outdated is cancelled, and its answer counts for nothing', async () => {
    const { get, host, previews, held } = await setUp();
    held.previews = true;
    await get().track(['/in/a.pt']);
    await vi.waitFor(() => expect(previews).toHaveLength(1));
    get().setUpdateData('/in/a.pt', '/in/lora.pt');
    await vi.waitFor(() => expect(previews).toHaveLength(2));
    expect(host.calls.find(({ method }) => method === 'track/preview')?.isCancelled).toBe(true);
    previews[0]?.gate.resolve(previewOf('a.pt', { addedBytes: 999 }));
    previews[1]?.gate.resolve(previewOf('a.pt', { addedBytes: 1 }));
    await vi.waitFor(() => expect(get().files[0]?.preview).toMatchObject({ kind: 'ready', value: { addedBytes: 1 } }));
    expect(previews[1]?.item.updateData).toBe('/in/lora.pt');
  });

  it('is not asked for at a place that is none, nor for a file that cannot be tracked', async () => {
    const problem = { code: 'malformed', message: 'Broken.' } as const;
    const { get, host } = await setUp({ candidates: [candidateOf('/in/a.pt'), candidateOf('/in/b.pt', { problem })] });
    await get().track(['/in/a.pt', '/in/b.pt']);
    await vi.waitFor(() => expect(host.inputs('track/preview')).toHaveLength(1));
    get().setPlace('/in/a.pt', '../a.pt');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(host.inputs('track/preview').map(({ item }) => item.path)).toEqual(['a.pt']);
  });

  it('is computed anew when HEAD moved', async () => {
    const { get, host, settled, workspace, described } = await setUp();
    await get().track(['/in/a.pt']);
    await settled();
    await workspace.getState().refresh();
    expect(host.inputs('track/preview')).toHaveLength(1);
    described.now = repositoryWith({ head: { kind: 'branch', name: 'main', commit: hashOf(3) } });
    await workspace.getState().refresh();
    await vi.waitFor(() => expect(host.inputs('track/preview')).toHaveLength(2));
  });

  it('that fails keeps the commit from being made until it is right', async () => {
    const { get, commits } = await setUp({
      preview: ({ updateData, path }) => {
        if (updateData !== null) throw new CheckpointError('invalid-request', 'It has no R.');
        return previewOf(path);
      },
    });
    await get().track(['/in/a.pt']);
    get().setUpdateData('/in/a.pt', '/in/x.pt');
    await vi.waitFor(() => expect(get().files[0]?.preview).toMatchObject({ kind: 'failed', error: { message: 'It has no R.' } }));
    await get().commit();
    expect(commits).toHaveLength(0);
  });
});

describe('files of this machine', () => {
  it('are sent one after another, with progress', async () => {
    const { get, host, settled } = await setUp();
    const sent: string[] = [];
    Object.assign(host, {
      uploadFile: async (file: File, { onProgress }: { onProgress?: (progress: Progress) => void }) => {
        onProgress?.({ phase: `Sending ${file.name}`, done: 1, total: 2, unit: 'bytes' });
        expect(get().stage).toMatchObject({ kind: 'receiving', file: file.name, index: sent.length, count: 2, progress: { done: 1 } });
        sent.push(file.name);
        return `/uploads/${file.name}`;
      },
    });
    await get().trackFiles([new File(['x'], 'a.pt'), new File(['y'], 'b.pt')]);
    const forgotten: string[] = [];
    Object.assign(host, { forgetUpload: (path: string) => forgotten.push(path) });
    await settled();
    expect(get().files.map(({ source }) => source)).toEqual(['/uploads/a.pt', '/uploads/b.pt']);
    expect(forgotten).toEqual([]);
    get().close();
    expect(forgotten).toEqual(['/uploads/a.pt', '/uploads/b.pt']);
  });

  it('that do not arrive are said, and closing ends the sending', async () => {
    const { get, host } = await setUp();
    const signals: (AbortSignal | undefined)[] = [];
    let fail = () => {};
    Object.assign(host, {
      uploadFile: (_file: File, { signal }: { signal?: AbortSignal }) => {
        signals.push(signal);
        return new Promise((_resolve, reject) => (fail = () => reject(new CheckpointError('no-space', 'Full.'))));
      },
    });
    const first = get().trackFiles([new File(['x'], 'a.pt')]);
    fail();
    await first;
    expect(get().stage).toMatchObject({ kind: 'unusable', error: { code: 'no-space' } });
    const second = get().trackFiles([new File(['x'], 'a.pt')]);
    get().cancel();
    fail();
    await second;
    expect(signals[1]?.aborted).toBe(true);
    expect(get()).toMatchObject({ isOpen: false, stage: { kind: 'none' } });
  });
});

describe('without a repository', () => {
  it('offers to make one in the folder of the file, and goes on with it', async () => {
    const { get, host, newRepository, settled } = await setUp({ repository: null });
    await get().track(['/in/model.pt']);
    expect(host.inputs('track/recognise')[0]?.repository).toBeNull();
    expect(get().isOpen).toBe(false);
    expect(newRepository.getState().offered).toEqual({ sources: ['/in/model.pt'], folder: '/in' });
    await newRepository.getState().create(get().track);
    await settled();
    expect(host.inputs('repository/init')).toEqual([{ folder: '/in' }]);
    expect(get()).toMatchObject({ isOpen: true, stage: { kind: 'choosing' } });
    expect(newRepository.getState().offered).toBeNull();
  });

  it('asks where, when the file was sent to the host', async () => {
    const { get, host, newRepository } = await setUp({ repository: null });
    Object.assign(host, { uploadFile: async (file: File) => `/uploads/1/${file.name}` });
    await get().trackFiles([new File(['x'], 'a.pt')]);
    expect(newRepository.getState().offered).toEqual({ sources: ['/uploads/1/a.pt'], folder: null });
    await newRepository.getState().create(get().track);
    expect(host.inputs('repository/init')).toEqual([]);
    const forgotten: string[] = [];
    Object.assign(host, { forgetUpload: (path: string) => forgotten.push(path) });
    newRepository.getState().close();
    expect(forgotten).toEqual(['/uploads/1/a.pt']);
  });
});
