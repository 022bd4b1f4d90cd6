import { describe, expect, it, vi } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import type { Output } from '../../shared/contract/requests';
import { GRAPH_CHANGES } from '../../shared/model/graphEdit';
import { smallGraph } from '../charts/testing/graphSamples';
import { createCompareStore } from './compareStore';
import { createGraphDiffStore } from './graphDiffStore';
import { latest } from './loadable';
import { createNoticeStore } from './noticeStore';
import type { SideChoice } from './sideChoice';
import { deferred, fakeClient } from './testing/fakeHost';
import { hashOf, repositoryWith } from './testing/samples';
import { createWorkspaceStore } from './workspaceStore';

type Answers = Parameters<typeof fakeClient>[0];

const { view, layout } = smallGraph();
const MODEL = { path: 'model.onnx', storage: 'theta', format: 'onnx', groups: 2, bytes: 100, status: 'unmodified' } as const;
const A: SideChoice = { kind: 'revision', repository: null, revision: hashOf(1), path: 'model.onnx' };
const B: SideChoice = { kind: 'revision', repository: null, revision: 'main', path: 'model.onnx' };
const group = (path: string) => view.groups.findIndex((candidate) => candidate.path === path);
const tensor = (name: string) => view.initializers.findIndex((candidate) => candidate.name === name);

/** Relu was added, and the weight has other values. */
function diffOf(graph: string) {
  const nodeChanges = new Uint8Array(view.nodes.names.length).fill(255);
  nodeChanges[1] = GRAPH_CHANGES.indexOf('added');
  const initializerChanges = new Uint8Array(view.initializers.length).fill(255);
  const weight = tensor('stem.weight');
  initializerChanges[weight] = GRAPH_CHANGES.indexOf('value');
  return {
    state: { graph, revision: 0, view, done: [], undone: [] },
    nodeChanges,
    initializerChanges,
    changes: [
      { what: 'node', change: 'added', a: -1, b: 1, text: 'Relu /body/Relu' },
      { what: 'initializer', change: 'value', a: weight, b: weight, text: 'stem.weight float[2, 3]: 6 of 6 values changed' },
    ],
    text: '+ node Relu /body/Relu\n',
  } as const;
}

const MEASURED: Output<'compare/numbers'>[number] = {
  numbers: {
    comparedAs: 'float32',
    shape: [2, 3],
    elements: 6,
    changed: 6,
    beyond: 6,
    rtol: 0,
    atol: 0,
    notFinite: 0,
    signFlips: 0,
    maxAbs: 1,
    maxAt: [0, 0],
    maxRelative: 1,
    meanAbs: 1,
    rms: 1,
    norm: 2.5,
    relativeL2: 0.5,
    cosine: 1,
    maxUlp: null,
  },
  closeness: null,
  structure: null,
  error: null,
};

async function opened(answers: Answers = {}) {
  let next = 0;
  const { host, client } = fakeClient({
    'repository/open': () => repositoryWith({ checkpoints: [MODEL] }),
    'repository/describe': () => repositoryWith({ checkpoints: [MODEL] }),
    'repository/close': () => null,
    'revision/resolve': () => ({ commit: hashOf(0) }),
    'graph/diff': () => diffOf(`d${++next}`),
    'graph/close': () => null,
    'graph/layout': () => layout,
    'compare/numbers': () => [MEASURED],
    ...answers,
  });
  const notices = createNoticeStore();
  const workspace = createWorkspaceStore({ client, notices });
  const compare = createCompareStore({ client, workspace, notices });
  const diff = createGraphDiffStore({ client, workspace, compare });
  await workspace.getState().openRepository('/repo');
  return { host, workspace, compare, diff };
}

async function watched(answers: Answers = {}) {
  const all = await opened(answers);
  all.diff.getState().show({ a: A, b: B });
  const watch = all.diff.getState().watch();
  await vi.waitFor(() => expect(all.diff.getState().drawn.kind).toBe('ready'));
  return { ...all, watch };
}

describe('two graphs', () => {
  it('are asked for only while somebody looks, by what the sides mean now', async () => {
    const { host, diff } = await opened();
    diff.getState().show({ a: A, b: B });
    expect(host.inputs('graph/diff')).toEqual([]);
    diff.getState().watch();
    await vi.waitFor(() => expect(diff.getState().drawn.kind).toBe('ready'));
    const version = (commit: string) => ({ kind: 'version', repository: 'r1', commit, path: 'model.onnx' });
    expect(host.inputs('graph/diff')).toEqual([{ a: version(hashOf(1)), b: version(hashOf(0)) }]);
    expect(host.inputs('graph/layout')).toEqual([{ graph: 'd1', revision: 0, root: 0, open: [group('stem'), group('body')] }]);
  });

  it('measure only the initializers that differ in values', async () => {
    const { host, diff } = await watched();
    await vi.waitFor(() => expect(diff.getState().waiting).toBe(0));
    expect(host.inputs('compare/numbers').map(({ pairs }) => pairs)).toEqual([[{ a: 'stem.weight', b: 'stem.weight' }]]);
    expect(diff.getState().numbers.get(tensor('stem.weight'))?.numbers?.norm).toBe(2.5);
  });

  it('stay as they were folded when the sides are swapped; the earlier union is closed', async () => {
    const { host, diff, compare } = await watched();
    diff.getState().toggle(group('stem'));
    diff.getState().select({ kind: 'node', ref: 1 });
    compare.getState().swap();
    await vi.waitFor(() => expect(latest(diff.getState().drawn)?.diff.graph).toBe('d2'));
    expect([...diff.getState().open]).toEqual([group('body')]);
    expect(diff.getState().selection).toEqual({ kind: 'node', ref: 1 });
    expect(latest(diff.getState().drawn)?.isNew).toBe(false);
    expect(host.inputs('graph/close')).toEqual([{ graph: 'd1' }]);
  });

  it('are closed with the comparison', async () => {
    const { host, diff } = await watched();
    diff.getState().hide();
    expect(diff.getState()).toMatchObject({ isShown: false, diff: { kind: 'idle' }, drawn: { kind: 'idle' } });
    await vi.waitFor(() => expect(host.inputs('graph/close')).toEqual([{ graph: 'd1' }]));
  });

  it('make room for another commit that is chosen, and for another folder', async () => {
    const { workspace, diff } = await watched();
    workspace.getState().selectCommit(hashOf(3));
    expect(diff.getState().isShown).toBe(false);
    diff.getState().show();
    workspace.getState().closeRepository();
    await vi.waitFor(() => expect(diff.getState().diff.kind).toBe('idle'));
  });

  it('come back with a link', async () => {
    const { workspace, compare, diff } = await opened();
    workspace.getState().closeRepository();
    compare.getState().restore('/repo', { a: A, b: B });
    diff.getState().restore('/repo', true);
    diff.getState().watch();
    await workspace.getState().openRepository('/repo', { view: 'graph', commit: hashOf(2) });
    await vi.waitFor(() => expect(diff.getState().drawn.kind).toBe('ready'));
  });

  it('are compared again when a branch may have moved, and not for commits', async () => {
    const { workspace, host, diff, compare } = await watched();
    await workspace.getState().refresh();
    await vi.waitFor(() => expect(host.inputs('graph/diff')).toHaveLength(2));
    compare.getState().restore('/repo', { a: A, b: { ...B, revision: hashOf(0) } });
    await vi.waitFor(() => expect(latest(diff.getState().drawn)?.diff.graph).toBe('d3'));
    await workspace.getState().refresh();
    expect(host.inputs('graph/diff')).toHaveLength(3);
  });

  it('can be given up; an answer that comes too late is closed', async () => {
    const answer = deferred<ReturnType<typeof diffOf>>();
    const { host, diff } = await opened({ 'graph/diff': () => answer.promise });
    diff.getState().show({ a: A, b: B });
    diff.getState().watch();
    await vi.waitFor(() => expect(host.inputs('graph/diff')).toHaveLength(1));
    diff.getState().cancel();
    expect(diff.getState().diff).toMatchObject({ kind: 'failed', error: { code: 'cancelled' } });
    expect(host.calls.find(({ method }) => method === 'graph/diff')?.isCancelled).toBe(true);
  });

  it('say why a side cannot be opened, and try again', async () => {
    let fails = true;
    const { diff } = await opened({
      'graph/diff': () => {
        if (fails) throw new CheckpointError('unsupported-format', 'Only ONNX models hold a computation graph.');
        return diffOf('d1');
      },
    });
    diff.getState().show({ a: A, b: B });
    diff.getState().watch();
    await vi.waitFor(() => expect(diff.getState().diff).toMatchObject({ kind: 'failed', error: { code: 'unsupported-format' } }));
    fails = false;
    diff.getState().retry();
    await vi.waitFor(() => expect(diff.getState().drawn.kind).toBe('ready'));
  });

  it('are opened again when the host has closed them', async () => {
    let isGone = false;
    const { diff } = await watched({
      'graph/layout': ({ graph }) => {
        if (isGone && graph === 'd1') throw new CheckpointError('not-found', 'The graph is no longer open.');
        return layout;
      },
    });
    isGone = true;
    diff.getState().toggle(group('stem'));
    await vi.waitFor(() => expect(latest(diff.getState().drawn)?.diff.graph).toBe('d2'));
  });
});

describe('changes', () => {
  it('are gone to one after the other, around at the end; what hides one is opened', async () => {
    const { diff } = await watched();
    diff.getState().closeAll();
    diff.getState().step(1);
    expect(diff.getState()).toMatchObject({ change: 0, selection: { kind: 'node', ref: 1 }, goal: { item: { kind: 'node', ref: 1 } } });
    expect(diff.getState().open.has(group('body'))).toBe(true);
    diff.getState().step(1);
    expect(diff.getState()).toMatchObject({ change: 1, selection: { kind: 'node', ref: 0 } });
    diff.getState().step(1);
    expect(diff.getState().change).toBe(0);
    diff.getState().step(-1);
    expect(diff.getState().change).toBe(1);
  });

  it('are gone to as the filter leaves them', async () => {
    const { diff } = await watched();
    diff.getState().setFilter({ kind: 'value' });
    diff.getState().step(-1);
    expect(diff.getState().change).toBe(1);
    diff.getState().setFilter({ text: 'nothing of this name' });
    diff.getState().step(1);
    expect(diff.getState().change).toBe(1);
  });

  it('are chosen with what they concern', async () => {
    const { diff } = await watched();
    diff.getState().select({ kind: 'node', ref: 0 });
    expect(diff.getState().change).toBe(1);
    diff.getState().select({ kind: 'node', ref: 2 });
    expect(diff.getState().change).toBeNull();
  });
});
