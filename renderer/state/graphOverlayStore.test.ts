import { describe, expect, it, vi } from 'vitest';
import { smallGraph } from '../charts/testing/graphSamples';
import { differenceOf, statsOf } from '../charts/testing/timelineSamples';
import { createGraphOverlayStore } from './graphOverlayStore';
import { createGraphStore } from './graphStore';
import { createNoticeStore } from './noticeStore';
import { fakeClient } from './testing/fakeHost';
import { hashOf, repositoryWith } from './testing/samples';
import { createWorkspaceStore } from './workspaceStore';

const side = { label: '', format: 'onnx', storage: 'blob', groups: 1, bytes: 4 } as const;
const comparedSide = (name: string) => ({ name, dtype: 'float32' as const, shape: [4], bytes: 16, updateType: null, tiedTo: null, error: null });

type Answers = Parameters<typeof fakeClient>[0];

async function opened(answers: Answers = {}) {
  const { view, layout } = smallGraph();
  const { host, client } = fakeClient({
    'repository/open': () =>
      repositoryWith({ checkpoints: [{ path: 'model.onnx', storage: 'blob', format: 'onnx', groups: 2, bytes: 100, status: 'unmodified' }] }),
    'graph/open': () => ({ graph: 'g1', revision: 0, view, done: [], undone: [] }),
    'graph/layout': () => layout,
    'graph/close': () => null,
    'timeline/statistics': ({ cells }) =>
      cells.map((_, place) => ({ stats: statsOf({ count: 8, zeros: 2 * place, nan: 0, norm: 3 + place }), histogram: null, error: null })),
    // One of the groups had another name.
    'compare/open': () => ({
      a: side,
      b: side,
      groups: [{ a: comparedSide('conv1.weight'), b: comparedSide('stem.weight'), change: 'unknown', renamedBy: 'content' }],
      metadata: [],
      notes: [],
    }),
    'compare/numbers': ({ pairs }) =>
      pairs.map((_, place) => ({ numbers: place === 0 ? differenceOf({ norm: 0.5, relativeL2: 0.1 }) : null, closeness: null, structure: null, error: null })),
    ...answers,
  });
  const notices = createNoticeStore();
  const workspace = createWorkspaceStore({ client, notices });
  const graph = createGraphStore({ client, workspace, notices });
  const overlay = createGraphOverlayStore({ client, graph });
  await workspace.getState().openRepository('/repo');
  graph.getState().watch();
  await vi.waitFor(() => expect(graph.getState().drawn.kind).toBe('ready'));
  return { host, workspace, graph, overlay };
}

describe('numbers for the colours', () => {
  it('are measured only when they are shown', async () => {
    const { host, overlay } = await opened();
    overlay.getState().choose('parameters');
    expect(host.inputs('timeline/statistics')).toEqual([]);
    overlay.getState().choose('norm');
    await vi.waitFor(() => expect(overlay.getState().waiting).toBe(0));
    const cells = ['stem.weight', 'bias'].map((group) => ({ commit: hashOf(0), group }));
    expect(host.inputs('timeline/statistics')).toEqual([{ repository: 'r1', path: 'model.onnx', cells, histogram: null }]);
    expect([...overlay.getState().numbers]).toEqual([
      ['stem.weight', { value: 3, weight: 8 }],
      ['bias', { value: 4, weight: 8 }],
    ]);
    overlay.getState().choose('sparsity');
    await vi.waitFor(() => expect(overlay.getState().numbers.get('bias')).toEqual({ value: 0.25, weight: 8 }));
  });

  it('come against another version once one is chosen', async () => {
    const { host, overlay } = await opened();
    overlay.getState().choose('delta');
    expect(host.inputs('compare/numbers')).toEqual([]);
    overlay.getState().setBase(hashOf(4));
    await vi.waitFor(() => expect(overlay.getState().numbers.get('stem.weight')?.value).toBe(0.5));
    expect(overlay.getState().numbers.has('bias')).toBe(false);
    expect(host.inputs('compare/numbers')[0]).toMatchObject({
      a: { kind: 'version', repository: 'r1', commit: hashOf(4), path: 'model.onnx' },
      pairs: [
        { a: 'conv1.weight', b: 'stem.weight' },
        { a: 'bias', b: 'bias' },
      ],
    });
  });

  it('are measured anew for another version', async () => {
    const { host, overlay, workspace } = await opened();
    overlay.getState().choose('norm');
    await vi.waitFor(() => expect(overlay.getState().numbers.size).toBe(2));
    workspace.getState().selectCommit(hashOf(1));
    await vi.waitFor(() => expect(host.inputs('timeline/statistics').at(-1)?.cells[0]?.commit).toBe(hashOf(1)));
  });

  it('come from a table of the user', async () => {
    const { overlay } = await opened();
    await overlay.getState().loadTable(new File(['name,score\nstem.weight,2\n'], 'scores.csv'));
    expect(overlay.getState()).toMatchObject({ overlay: 'table', table: { file: 'scores.csv', skipped: 0 } });
    await overlay.getState().loadTable(new File(['nothing'], 'empty.csv'));
    expect(overlay.getState().error?.message).toContain('no names with numbers');
  });
});
