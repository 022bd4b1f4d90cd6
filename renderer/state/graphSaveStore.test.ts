import { describe, expect, it, vi } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import { smallGraph } from '../charts/testing/graphSamples';
import { createGraphEditStore, typedName } from './graphEditStore';
import { commitMessage, createGraphSaveStore, overwriteWarning, versionPath } from './graphSaveStore';
import { createGraphStore } from './graphStore';
import { latest } from './loadable';
import { createNewRepositoryStore } from './newRepositoryStore';
import { createNoticeStore } from './noticeStore';
import { fakeClient } from './testing/fakeHost';
import { candidateOf, hashOf, previewOf, repositoryWith, worktreeWith } from './testing/samples';
import { createTrackStore } from './trackStore';
import { createWorkspaceStore } from './workspaceStore';
import { createWorktreeStore } from './worktreeStore';

type Answers = Parameters<typeof fakeClient>[0];

const { view, layout } = smallGraph();
const [name = ''] = view.initializers.map((each) => each.name);
const MODEL = { path: 'net/model.onnx', storage: 'theta', format: 'onnx', groups: 2, bytes: 100, status: 'unmodified' } as const;
const TITLE = 'Rename 4 initializers';

async function edited(answers: Answers = {}) {
  let next = 0;
  const { host, client } = fakeClient({
    'repository/open': () => repositoryWith({ checkpoints: [MODEL] }),
    'repository/describe': () => repositoryWith({ checkpoints: [MODEL] }),
    'repository/close': () => null,
    'graph/open': () => ({ graph: `g${++next}`, revision: 0, view, done: [], undone: [] }),
    'graph/close': () => null,
    'graph/layout': () => layout,
    'graph/review': () => ({ title: TITLE, sites: [], warnings: [], refusals: [], conflicts: [], bytesTouched: 1 }),
    'graph/apply': () => ({ graph: `g${next}`, revision: 1, view, done: [TITLE], undone: [] }),
    'graph/save': ({ path }) => ({ path, bytes: 100, files: [] }),
    'track/recognise': ({ sources }) => ({
      candidates: sources.map((source) => candidateOf(source, { path: 'net/model.onnx', format: 'onnx', storage: 'theta' })),
      refused: [],
    }),
    'track/preview': ({ item }) => previewOf(item.path),
    'worktree/status': () => worktreeWith(),
    ...answers,
  });
  const notices = createNoticeStore();
  const workspace = createWorkspaceStore({ client, notices });
  const context = { client, workspace, notices };
  const graph = createGraphStore(context);
  const graphEdit = createGraphEditStore({ ...context, graph });
  const track = createTrackStore({ ...context, worktree: createWorktreeStore(context), newRepository: createNewRepositoryStore(context) });
  const save = createGraphSaveStore({ ...context, graph, graphEdit, track });
  await workspace.getState().openRepository('/repo');
  graph.getState().watch();
  await vi.waitFor(() => expect(graph.getState().drawn.kind).toBe('ready'));
  await graph.getState().apply({ kind: 'inline' });
  return { host, workspace, graph, graphEdit, track, save, notices };
}

describe('saving', () => {
  it('as a version writes the file of the working tree and offers the commit with the title of the edit', async () => {
    const { host, save, track, graph } = await edited();
    save.getState().open();
    expect(save.getState()).toMatchObject({ isOpen: true, mode: 'version' });
    await save.getState().start();
    expect(host.inputs('graph/save')).toEqual([{ graph: 'g1', path: '/repo/net/model.onnx', overwrite: true }]);
    expect(host.inputs('track/recognise')).toEqual([{ repository: 'r1', sources: ['/repo/net/model.onnx'] }]);
    expect(track.getState()).toMatchObject({ isOpen: true, message: TITLE });
    expect(save.getState().isOpen).toBe(false);
    expect(graph.getState().unsaved()).toEqual([]);
  });

  it('over the file that is looked at opens it anew', async () => {
    const { host, save, graph } = await edited();
    graph.getState().setSource('worktree');
    await vi.waitFor(() => expect(latest(graph.getState().graph)?.graph).toBe('g2'));
    await graph.getState().apply({ kind: 'inline' });
    save.getState().open();
    await save.getState().start();
    await vi.waitFor(() => expect(latest(graph.getState().graph)?.graph).toBe('g3'));
    expect(host.inputs('graph/close')).toContainEqual({ graph: 'g2' });
  });

  it('as a file never replaces one unasked', async () => {
    let isThere = true;
    const { host, save, notices } = await edited({
      'graph/save': ({ path, overwrite }) => {
        if (isThere && !overwrite) throw new CheckpointError('exists', 'It is there.');
        return { path, bytes: 1, files: [] };
      },
    });
    save.getState().open();
    save.getState().setMode('file');
    expect(save.getState().destination).toBe('/repo/net/model-edited.onnx');
    await save.getState().start();
    expect(save.getState().run.kind).toBe('exists');
    save.getState().setDestination('/else/where.onnx');
    expect(save.getState().run.kind).toBe('none');
    await save.getState().start();
    await save.getState().start({ overwrite: true });
    expect(host.inputs('graph/save').map(({ path, overwrite }) => [path, overwrite])).toEqual([
      ['/repo/net/model-edited.onnx', false],
      ['/else/where.onnx', false],
      ['/else/where.onnx', true],
    ]);
    expect(notices.getState().notices.at(-1)).toMatchObject({ kind: 'success', text: '/else/where.onnx' });
    isThere = false;
  });

  it('says what went wrong and leaves the edits unsaved', async () => {
    const { save, graph } = await edited({
      'graph/save': () => {
        throw new CheckpointError('no-space', 'The disk is full.');
      },
    });
    save.getState().open();
    await save.getState().start();
    expect(save.getState().run).toMatchObject({ kind: 'failed', error: { code: 'no-space' } });
    expect(graph.getState().unsaved()).toHaveLength(1);
  });
});

describe('leaving', () => {
  it('the repository asks first when something would be lost', async () => {
    const { save, workspace, graphEdit } = await edited();
    graphEdit.getState().setNames([typedName({ graph: '', name }, 'b')]);
    workspace.getState().closeRepository();
    expect(save.getState().leaving?.losses).toEqual([`model.onnx at ${hashOf(0).slice(0, 8)}: ${TITLE}`, 'model.onnx: 1 new name that is not applied']);
    save.getState().answerLeaving(false);
    await Promise.resolve();
    expect(latest(workspace.getState().repository)?.id).toBe('r1');
    // The same repository again loses nothing.
    await workspace.getState().openRepository('/repo');
    expect(save.getState().leaving).toBeNull();
    workspace.getState().closeRepository();
    save.getState().answerLeaving(true);
    await vi.waitFor(() => expect(workspace.getState().repository.kind).toBe('idle'));
  });

  it('needs no question once it is saved', async () => {
    const { save, workspace } = await edited();
    save.getState().open();
    save.getState().setMode('file');
    await save.getState().start();
    workspace.getState().closeRepository();
    expect(workspace.getState().repository.kind).toBe('idle');
  });
});

describe('words', () => {
  it('of the commit: one edit is the subject, several stand below', () => {
    expect(commitMessage([TITLE], 'net/model.onnx')).toBe(TITLE);
    expect(commitMessage([TITLE, 'Remove node 3'], 'net/model.onnx')).toBe(`Edit model.onnx\n\n- ${TITLE}\n- Remove node 3`);
  });

  it('of what would be replaced', () => {
    const head = { kind: 'branch', name: 'main', commit: hashOf(0) } as const;
    const side = { kind: 'version', repository: 'r1', commit: hashOf(0), path: MODEL.path } as const;
    const warn = (status: 'unmodified' | 'modified' | 'deleted', commit = hashOf(0)) =>
      overwriteWarning({ checkpoints: [{ ...MODEL, status }], head }, { ...side, commit });
    expect(warn('unmodified')).toBeNull();
    expect(warn('modified')).toContain('not committed');
    expect(warn('deleted')).toContain('puts it there again');
    expect(warn('unmodified', hashOf(1))).toContain('branch main is at');
    expect(overwriteWarning({ checkpoints: [{ ...MODEL, status: 'modified' }], head }, { kind: 'worktree', repository: 'r1', path: MODEL.path })).toBeNull();
    expect(versionPath({ bare: true, path: '/repo' }, side)).toBeNull();
    expect(versionPath({ bare: false, path: '/repo/' }, side)).toBe('/repo/net/model.onnx');
    expect(versionPath({ bare: false, path: '/repo' }, { kind: 'file', path: '/a.onnx' })).toBeNull();
  });
});
