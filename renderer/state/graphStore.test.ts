import { describe, expect, it, vi } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import type { GraphView } from '../../shared/model/graph';
import { graphLayout, graphView, smallGraph } from '../charts/testing/graphSamples';
import { carryGroups, carryItem, firstOpen } from './graphPlaces';
import { createGraphStore } from './graphStore';
import { latest } from './loadable';
import { createNoticeStore } from './noticeStore';
import { deferred, fakeClient } from './testing/fakeHost';
import { hashOf, repositoryWith } from './testing/samples';
import { createWorkspaceStore } from './workspaceStore';

type Answers = Parameters<typeof fakeClient>[0];

const { view } = smallGraph();
const LAYOUT = smallGraph().layout;
const group = (path: string) => view.groups.findIndex((candidate) => candidate.path === path);
const MODEL = { path: 'model.onnx', storage: 'theta', format: 'onnx', groups: 2, bytes: 100, status: 'unmodified' } as const;
const TORCH = { ...MODEL, path: 'model.pt', format: 'pytorch' } as const;

function stateOf(graph: string, rest: { view?: GraphView; revision?: number; done?: string[]; undone?: string[] } = {}) {
  return { graph, revision: 0, view, done: [], undone: [], ...rest };
}

async function opened(answers: Answers = {}) {
  let next = 0;
  const { host, client } = fakeClient({
    'repository/open': () => repositoryWith({ checkpoints: [MODEL, TORCH] }),
    'repository/describe': () => repositoryWith({ checkpoints: [MODEL, TORCH] }),
    'repository/close': () => null,
    'graph/open': () => stateOf(`g${++next}`),
    'graph/close': () => null,
    'graph/layout': () => LAYOUT,
    'graph/node': ({ node }) => ({ node, attributes: [], doc: '', metadata: [], documentation: null, unknownFields: [] }),
    'graph/search': () => ({ nodes: [{ node: 1, why: 'operator Relu' }], truncated: false }),
    ...answers,
  });
  const notices = createNoticeStore();
  const workspace = createWorkspaceStore({ client, notices });
  const graph = createGraphStore({ client, workspace, notices });
  await workspace.getState().openRepository('/repo');
  return { host, workspace, graph, notices };
}

async function watched(answers: Answers = {}) {
  const all = await opened(answers);
  const watch = all.graph.getState().watch();
  await vi.waitFor(() => expect(all.graph.getState().drawn.kind).toBe('ready'));
  return { ...all, watch };
}

describe('opening', () => {
  it('asks only while somebody looks, for the selected version', async () => {
    const { host, graph } = await opened();
    expect(host.inputs('graph/open')).toEqual([]);
    graph.getState().watch();
    await vi.waitFor(() => expect(graph.getState().drawn.kind).toBe('ready'));
    expect(host.inputs('graph/open')).toEqual([{ side: { kind: 'version', repository: 'r1', commit: hashOf(0), path: 'model.onnx' } }]);
    // The graph is small: everything is open.
    expect(host.inputs('graph/layout')).toEqual([{ graph: 'g1', revision: 0, root: 0, open: [group('stem'), group('body')] }]);
  });

  it('leaves checkpoints alone that have no graph', async () => {
    const { host, graph, workspace } = await opened();
    workspace.getState().choosePath('model.pt');
    graph.getState().watch();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(host.inputs('graph/open')).toEqual([]);
    expect(graph.getState().graph.kind).toBe('idle');
  });

  it('shows the earlier version while the next one loads, then closes it', async () => {
    const second = deferred<ReturnType<typeof stateOf>>();
    let calls = 0;
    const { host, graph, workspace } = await watched({ 'graph/open': () => (calls++ === 0 ? stateOf('g1') : second.promise) });
    graph.getState().select({ kind: 'node', ref: 2 });
    graph.getState().toggle(group('stem'));
    workspace.getState().selectCommit(hashOf(1));
    expect(graph.getState().graph.kind).toBe('loading');
    expect(latest(graph.getState().graph)?.graph).toBe('g1');
    expect(host.inputs('graph/close')).toEqual([]);
    // The other version has one group less, so that all numbers are others.
    const other = graphView({
      inputs: ['x'],
      outputs: ['y'],
      nodes: [
        { name: '/body/Relu', operator: 'Relu', inputs: ['x'], outputs: ['b'], module: 'body' },
        { name: '/body/Add', operator: 'Add', inputs: ['b'], outputs: ['y'], module: 'body' },
      ],
    });
    await vi.waitFor(() => expect(host.inputs('graph/open')).toHaveLength(2));
    second.resolve(stateOf('g2', { view: other }));
    await vi.waitFor(() => expect(latest(graph.getState().graph)?.graph).toBe('g2'));
    expect(host.inputs('graph/close')).toEqual([{ graph: 'g1' }]);
    expect(graph.getState().selection).toEqual({ kind: 'node', ref: 1 });
    expect([...graph.getState().open]).toEqual([1]);
  });

  it('passes by versions that are not rested on', async () => {
    const { host, workspace, graph } = await watched();
    for (let index = 1; index < 6; index++) workspace.getState().selectCommit(hashOf(index));
    await vi.waitFor(() => expect(latest(graph.getState().graph)?.side).toMatchObject({ commit: hashOf(5) }));
    expect(host.inputs('graph/open')).toHaveLength(2);
  });

  it('closes a graph whose answer nobody waits for any more', async () => {
    const first = deferred<ReturnType<typeof stateOf>>();
    const { host, graph, workspace } = await opened({ 'graph/open': () => first.promise });
    const watch = graph.getState().watch();
    await vi.waitFor(() => expect(host.inputs('graph/open')).toHaveLength(1));
    watch.dispose();
    expect(host.calls.find(({ method }) => method === 'graph/open')?.isCancelled).toBe(true);
    workspace.getState().closeRepository();
    expect(graph.getState().graph.kind).toBe('idle');
  });

  it('looks at the working tree on request, and reads it again when it changes', async () => {
    const { host, graph, workspace } = await watched();
    graph.getState().setSource('worktree');
    await vi.waitFor(() => expect(latest(graph.getState().graph)?.side).toEqual({ kind: 'worktree', repository: 'r1', path: 'model.onnx' }));
    await workspace.getState().refresh();
    await vi.waitFor(() => expect(host.inputs('graph/open')).toHaveLength(3));
  });

  it('says why a model cannot be opened, and tries again', async () => {
    let fails = true;
    const { graph } = await opened({
      'graph/open': () => {
        if (fails) throw new CheckpointError('malformed', 'Not a model.');
        return stateOf('g1');
      },
    });
    graph.getState().watch();
    await vi.waitFor(() => expect(graph.getState().graph).toMatchObject({ kind: 'failed', error: { code: 'malformed' } }));
    fails = false;
    graph.getState().retry();
    await vi.waitFor(() => expect(graph.getState().drawn.kind).toBe('ready'));
  });
});

describe('groups', () => {
  it('open and close by hand, keeping the old layout and the place of what was pressed', async () => {
    const slow = deferred<typeof LAYOUT>();
    let calls = 0;
    const { host, graph } = await watched({ 'graph/layout': () => (calls++ === 0 ? LAYOUT : slow.promise) });
    graph.getState().toggle(group('body'));
    expect(graph.getState().drawn.kind).toBe('loading');
    expect(latest(graph.getState().drawn)?.layout).toEqual(LAYOUT);
    const smaller = graphLayout([], []);
    slow.resolve(smaller);
    await vi.waitFor(() => expect(graph.getState().drawn.kind).toBe('ready'));
    expect(latest(graph.getState().drawn)).toMatchObject({ anchor: { kind: 'group', ref: group('body') } });
    expect(host.inputs('graph/layout').at(-1)?.open).toEqual([group('stem')]);
  });

  it('are as drawn again when a layout is cancelled', async () => {
    let calls = 0;
    const { host, graph } = await watched({ 'graph/layout': () => (calls++ === 0 ? LAYOUT : new Promise<typeof LAYOUT>(() => undefined)) });
    graph.getState().closeAll();
    graph.getState().cancelLayout();
    expect(graph.getState().drawn.kind).toBe('ready');
    expect([...graph.getState().open].sort()).toEqual([group('stem'), group('body')].sort());
    await vi.waitFor(() => expect(host.calls.findLast(({ method }) => method === 'graph/layout')?.isCancelled).toBe(true));
  });

  it('open where they hide what is gone to', async () => {
    const { host, graph } = await watched();
    graph.getState().closeAll();
    await vi.waitFor(() => expect(host.inputs('graph/layout')).toHaveLength(2));
    graph.getState().goTo({ kind: 'node', ref: 2 });
    expect(graph.getState()).toMatchObject({ selection: { kind: 'node', ref: 2 }, goal: { item: { kind: 'node', ref: 2 }, turn: 1 } });
    await vi.waitFor(() => expect(host.inputs('graph/layout').at(-1)?.open).toEqual([group('body')]));
  });
});

describe('what is selected', () => {
  it('is described; what was asked for another node is cancelled', async () => {
    const { host, graph } = await watched();
    graph.getState().select({ kind: 'node', ref: 0 });
    graph.getState().select({ kind: 'node', ref: 2 });
    await vi.waitFor(() => expect(graph.getState().detail).toMatchObject({ kind: 'ready', value: { node: 2 } }));
    expect(host.inputs('graph/node').at(-1)).toEqual({ graph: 'g1', node: 2 });
    graph.getState().select(null);
    expect(graph.getState().detail.kind).toBe('idle');
  });

  it('is searched for once typing rests', async () => {
    const { host, graph } = await watched();
    for (const text of ['R', 'Re', 'Relu ']) graph.getState().setSearch(text, 'text');
    await vi.waitFor(() => expect(graph.getState().search.found).toMatchObject({ kind: 'ready', value: { nodes: [{ node: 1 }] } }));
    expect(host.inputs('graph/search')).toEqual([{ graph: 'g1', text: 'Relu', mode: 'text', limit: 2000 }]);
    graph.getState().setSearch('', 'text');
    expect(graph.getState().search.found.kind).toBe('idle');
  });
});

describe('edits', () => {
  const edit = { kind: 'inline' } as const;
  it('give the graph a new revision; undo and redo know their titles', async () => {
    const { host, graph } = await watched({
      'graph/apply': () => stateOf('g1', { revision: 1, done: ['Inline'] }),
      'graph/undo': () => stateOf('g1', { revision: 2, undone: ['Inline'] }),
    });
    graph.getState().select({ kind: 'node', ref: 1 });
    expect(await graph.getState().apply(edit)).toBe(true);
    expect(host.inputs('graph/apply')).toEqual([{ graph: 'g1', revision: 0, edit }]);
    expect(latest(graph.getState().graph)).toMatchObject({ revision: 1, done: ['Inline'] });
    expect(graph.getState().selection).toEqual({ kind: 'node', ref: 1 });
    await graph.getState().undo();
    expect(latest(graph.getState().graph)).toMatchObject({ revision: 2, undone: ['Inline'] });
    await vi.waitFor(() => expect(host.inputs('graph/layout').at(-1)?.revision).toBe(2));
  });

  it('are refused with a notice', async () => {
    const { graph, notices } = await watched({
      'graph/apply': () => {
        throw new CheckpointError('conflict', 'The name is taken.');
      },
    });
    expect(await graph.getState().apply(edit)).toBe(false);
    expect(notices.getState().notices[0]).toMatchObject({ error: { message: 'The name is taken.' } });
  });

  it('wait for their version to be selected again', async () => {
    const { host, graph, workspace } = await watched({ 'graph/apply': () => stateOf('g1', { revision: 1, done: ['Inline'] }) });
    await graph.getState().apply(edit);
    workspace.getState().selectCommit(hashOf(1));
    await vi.waitFor(() => expect(latest(graph.getState().graph)?.graph).toBe('g2'));
    expect(host.inputs('graph/close')).toEqual([]);
    workspace.getState().selectCommit(hashOf(0));
    await vi.waitFor(() => expect(latest(graph.getState().graph)).toMatchObject({ graph: 'g1', done: ['Inline'] }));
    expect(host.inputs('graph/close')).toEqual([{ graph: 'g2' }]);
    workspace.getState().closeRepository();
    await vi.waitFor(() => expect(host.inputs('graph/close')).toHaveLength(2));
  });
});

describe('places in a graph', () => {
  const blocks = (count: number) =>
    graphView({
      nodes: Array.from({ length: count * 3 }, (_, at) => ({
        name: `/b${Math.floor(at / 3)}/n${at}`,
        operator: 'Relu',
        inputs: [`v${at}`],
        outputs: [`v${at + 1}`],
        module: `b${Math.floor(at / 3)}`,
      })),
    });
  it('open at first only as many groups as make a small picture', () => {
    expect(firstOpen(blocks(5), 0).size).toBe(5);
    // 50 closed groups are 50 boxes, and each opened one adds two.
    expect(firstOpen(blocks(50), 0).size).toBe(5);
    expect(firstOpen(blocks(500), 0).size).toBe(0);
    expect(firstOpen(graphView({ nodes: [] }), 0).size).toBe(0);
  });

  it('are found again in another version by path and name', () => {
    const [small, large] = [blocks(2), blocks(3)];
    expect([...carryGroups(large, [1, 3], small)]).toEqual([1]);
    expect(carryItem(large, { kind: 'node', ref: 4 }, small)).toEqual({ kind: 'node', ref: 4 });
    expect(carryItem(large, { kind: 'node', ref: 7 }, small)).toBeNull();
    expect(carryItem(large, { kind: 'value', ref: 2 }, small)).toEqual({ kind: 'value', ref: 2 });
    expect(carryItem(large, { kind: 'group', ref: 3 }, small)).toBeNull();
  });
});
