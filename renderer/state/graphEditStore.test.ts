import { describe, expect, it, vi } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import type { GraphView } from '../../shared/model/graph';
import type { EditReview } from '../../shared/model/graphEdit';
import { smallGraph } from '../charts/testing/graphSamples';
import { createGraphEditStore, knownCheck, typedName } from './graphEditStore';
import { createGraphStore } from './graphStore';
import { latest } from './loadable';
import { createNoticeStore } from './noticeStore';
import { addressKey } from './renameDraft';
import { deferred, fakeClient } from './testing/fakeHost';
import { hashOf, repositoryWith } from './testing/samples';
import { createWorkspaceStore } from './workspaceStore';

type Answers = Parameters<typeof fakeClient>[0];

const { view, layout } = smallGraph();
const [name = ''] = view.initializers.map((each) => each.name);
const address = { graph: '', name };
const key = addressKey(address);
const MODEL = { path: 'model.onnx', storage: 'theta', format: 'onnx', groups: 2, bytes: 100, status: 'unmodified' } as const;

function reviewOf(rest: Partial<EditReview> = {}): EditReview {
  return { title: 'Rename 1 initializer', sites: [], warnings: [], refusals: [], conflicts: [], bytesTouched: 10, ...rest };
}

function renamed(to: string): GraphView {
  return { ...view, initializers: view.initializers.map((each) => (each.name === name ? { ...each, name: to } : each)) };
}

async function opened(answers: Answers = {}) {
  let next = 0;
  const { host, client } = fakeClient({
    'repository/open': () => repositoryWith({ checkpoints: [MODEL] }),
    'repository/close': () => null,
    'graph/open': () => ({ graph: `g${++next}`, revision: 0, view, done: [], undone: [] }),
    'graph/close': () => null,
    'graph/layout': () => layout,
    'graph/review': () => reviewOf(),
    'graph/apply': () => ({ graph: `g${next}`, revision: 1, view: renamed('better'), done: ['Rename 1 initializer'], undone: [] }),
    'graph/propose': () => [{ address, to: 'proposed', source: 'content', reason: 'equal to proposed' }],
    ...answers,
  });
  const notices = createNoticeStore();
  const workspace = createWorkspaceStore({ client, notices });
  const graph = createGraphStore({ client, workspace, notices });
  const edit = createGraphEditStore({ client, workspace, notices, graph });
  await workspace.getState().openRepository('/repo');
  graph.getState().watch();
  await vi.waitFor(() => expect(graph.getState().drawn.kind).toBe('ready'));
  return { host, workspace, graph, edit, notices };
}

describe('new names', () => {
  it('are checked a moment after the last letter, without the places that they touch', async () => {
    const conflicts = [{ address, text: 'taken' }];
    const { host, edit } = await opened({ 'graph/review': () => reviewOf({ refusals: ['taken'], conflicts }) });
    for (const to of ['b', 'be', 'bet']) edit.getState().setNames([typedName(address, to)]);
    expect(edit.getState().check.kind).toBe('loading');
    await vi.waitFor(() => expect(edit.getState().check.kind).toBe('ready'));
    expect(host.inputs('graph/review')).toEqual([{ graph: 'g1', edit: { kind: 'rename', renames: [{ ...address, to: 'bet' }] }, withSites: false }]);
    expect(knownCheck(edit.getState().check).problems.get(key)).toEqual(['taken']);
    edit.getState().dropNames([key]);
    expect(edit.getState().check.kind).toBe('idle');
  });

  it('keep what was known of them while they are checked again, and say when that fails', async () => {
    let fails = false;
    const { edit } = await opened({
      'graph/review': () => {
        if (fails) throw new CheckpointError('internal', 'No.');
        return reviewOf({ warnings: ['known'] });
      },
    });
    edit.getState().setNames([typedName(address, 'b')]);
    await vi.waitFor(() => expect(edit.getState().check.kind).toBe('ready'));
    fails = true;
    edit.getState().setNames([typedName(address, 'c')]);
    expect(knownCheck(edit.getState().check).warnings).toEqual(['known']);
    await vi.waitFor(() => expect(edit.getState().check.kind).toBe('failed'));
    expect(knownCheck(edit.getState().check).warnings).toEqual(['known']);
  });

  it('wait for their version to be looked at again', async () => {
    const { edit, graph, workspace } = await opened();
    edit.getState().setNames([typedName(address, 'b')]);
    workspace.getState().selectCommit(hashOf(1));
    await vi.waitFor(() => expect(latest(graph.getState().graph)?.graph).toBe('g2'));
    expect(edit.getState().draft.size).toBe(0);
    workspace.getState().selectCommit(hashOf(0));
    await vi.waitFor(() => expect(edit.getState().draft.get(key)?.to).toBe('b'));
    workspace.getState().closeRepository();
    expect(edit.getState().draft.size).toBe(0);
  });

  it('come from a mapping, with what does not fit', async () => {
    const { edit } = await opened();
    expect(edit.getState().takeMapping(`{"${name}": "mapped", "absent": "x"}`, 'json')).toMatchObject({ unknown: ['absent'] });
    expect(edit.getState().draft.get(key)).toMatchObject({ to: 'mapped', origin: 'mapping' });
    expect(() => edit.getState().takeMapping('{"a" "b"}', 'json')).toThrow('Line 1');
  });
});

describe('proposals', () => {
  it('are taken one by one or all, and stay apart until then', async () => {
    const { host, edit } = await opened();
    const side = { kind: 'version', repository: 'r1', commit: hashOf(0), path: 'model.pt' } as const;
    await edit.getState().propose({ kind: 'checkpoint', side }, { onlyNumbered: true, words: 'model.pt' });
    expect(host.inputs('graph/propose')).toEqual([{ graph: 'g1', from: { kind: 'checkpoint', side }, onlyNumbered: true }]);
    expect(edit.getState().proposing).toEqual({ kind: 'done', from: 'model.pt', count: 1 });
    expect(edit.getState().draft.size).toBe(0);
    edit.getState().accept(['nobody']);
    expect(edit.getState().draft.size).toBe(0);
    edit.getState().accept(null);
    expect(edit.getState().draft.get(key)).toEqual({ address, to: 'proposed', origin: 'content', reason: 'equal to proposed' });
  });

  it('can be given up while they are looked for', async () => {
    const waiting = deferred<never>();
    const { host, edit } = await opened({ 'graph/propose': () => waiting.promise });
    void edit.getState().propose({ kind: 'nodes' }, { onlyNumbered: false, words: 'the nodes' });
    await vi.waitFor(() => expect(host.inputs('graph/propose')).toHaveLength(1));
    edit.getState().cancelProposing();
    expect(host.calls.find(({ method }) => method === 'graph/propose')?.isCancelled).toBe(true);
    expect(edit.getState().proposing.kind).toBe('none');
  });
});

describe('the review', () => {
  it('shows every place, and what is applied leaves the draft', async () => {
    const sites = [{ graph: '', place: 'initializer 0', before: name, after: 'better' }];
    const { host, edit, graph } = await opened({ 'graph/review': () => reviewOf({ sites }) });
    await edit.getState().propose({ kind: 'nodes' }, { onlyNumbered: false, words: 'the nodes' });
    edit.getState().setNames([typedName(address, 'better')]);
    edit.getState().reviewDraft();
    await vi.waitFor(() => expect(edit.getState().review?.review.kind).toBe('ready'));
    expect(host.inputs('graph/review').at(-1)?.withSites).toBe(true);
    await edit.getState().applyReview();
    expect(host.inputs('graph/apply')).toEqual([{ graph: 'g1', revision: 0, edit: { kind: 'rename', renames: [{ ...address, to: 'better' }] } }]);
    expect(edit.getState().review).toBeNull();
    expect(edit.getState().draft.size).toBe(0);
    // Proposals for values that are called otherwise now are over.
    expect(edit.getState().proposals.size).toBe(0);
    expect(edit.getState().proposing.kind).toBe('none');
    expect(graph.getState().unsaved()).toHaveLength(1);
    graph.getState().markSaved(false);
    expect(graph.getState().unsaved()).toEqual([]);
  });

  it('applies nothing that is refused, and stays open when applying fails', async () => {
    let refusals = ['no'];
    const { host, edit, notices } = await opened({
      'graph/review': () => reviewOf({ refusals }),
      'graph/apply': () => {
        throw new CheckpointError('conflict', 'Edited meanwhile.');
      },
    });
    edit.getState().startReview({ kind: 'remove-initializer', address });
    await vi.waitFor(() => expect(edit.getState().review?.review.kind).toBe('ready'));
    await edit.getState().applyReview();
    expect(host.inputs('graph/apply')).toEqual([]);
    refusals = [];
    edit.getState().retryReview();
    await vi.waitFor(() => expect(latest(edit.getState().review?.review ?? { kind: 'idle' })?.refusals).toEqual([]));
    await edit.getState().applyReview();
    expect(edit.getState().review?.isApplying).toBe(false);
    expect(notices.getState().notices[0]?.error?.message).toBe('Edited meanwhile.');
    edit.getState().closeReview();
    expect(edit.getState().review).toBeNull();
  });
});
