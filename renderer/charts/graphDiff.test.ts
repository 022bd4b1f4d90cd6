import { describe, expect, it } from 'vitest';
import { GRAPH_CHANGES, type GraphChange, type GraphChangeKind } from '../../shared/model/graphEdit';
import { GraphDiffIndex, sideLayout } from './graphDiff';
import { diffSentence, filterChanges, groupMark, groupSentence } from './graphDiffWords';
import { graphLayout, graphView } from './testing/graphSamples';

/** x → Conv → Relu → y in B; A had a Tanh between them, and no auxiliary head, which is all of its group. */
const view = graphView({
  inputs: ['x', 'extra'],
  outputs: ['y', 'aux'],
  initializers: { w: [4, 4], head: [4] },
  nodes: [
    { name: '/body/Conv', operator: 'Conv', inputs: ['x', 'w'], outputs: ['c'], module: 'body' },
    { name: '/body/Relu', operator: 'Relu', inputs: ['c'], outputs: ['y'], module: 'body' },
    { name: '/head/Gemm', operator: 'Gemm', inputs: ['c', 'head', 'extra'], outputs: ['aux'], module: 'head' },
    { name: '/body/Tanh', operator: 'Tanh', inputs: ['c'], outputs: ['t'], module: 'body' },
  ],
});
const code = (kind: GraphChangeKind | null) => (kind === null ? 255 : GRAPH_CHANGES.indexOf(kind));
const changes: GraphChange[] = [
  { what: 'initializer', change: 'value', a: 0, b: 0, text: 'w float[4, 4]: 16 of 16 values changed, ‖Δ‖ 2' },
  { what: 'initializer', change: 'added', a: -1, b: 1, text: 'head float[4]' },
  { what: 'node', change: 'removed', a: 3, b: -1, text: 'Tanh /body/Tanh' },
  { what: 'node', change: 'added', a: -1, b: 2, text: 'Gemm /head/Gemm' },
  { what: 'input', change: 'added', a: -1, b: -1, text: 'extra float32[4]' },
  { what: 'output', change: 'added', a: -1, b: -1, text: 'aux float32[4]' },
  { what: 'model', change: 'changed', a: -1, b: -1, text: 'producer: a → b' },
];
const index = new GraphDiffIndex({
  view,
  nodeChanges: Uint8Array.from([null, null, 'added', 'removed'] as const, code),
  initializerChanges: Uint8Array.from(['value', 'added'] as const, code),
  changes,
});
const group = (path: string) => view.groups.findIndex((candidate) => candidate.path === path);
const value = (name: string) => view.values.names.indexOf(name);

describe('the index of a difference', () => {
  it('lists the model first, then operators and initializers in the order of the graph', () => {
    expect(index.order.map((at) => changes[at]?.text.split(' ')[0])).toEqual(['producer:', 'extra', 'aux', 'Gemm', 'Tanh', 'w', 'head']);
  });

  it('says what stands on which side', () => {
    const sidesOf = (kind: 'node' | 'group' | 'value', ref: number) => (['a', 'b'] as const).filter((side) => index.isIn(side, { kind, ref })).join('');
    expect([0, 1, 2, 3].map((node) => sidesOf('node', node))).toEqual(['ab', 'ab', 'b', 'a']);
    expect([0, group('body'), group('head')].map((ref) => sidesOf('group', ref))).toEqual(['ab', 'ab', 'b']);
    expect(['x', 'extra', 'w', 'head', 'c', 't', 'aux'].map((name) => sidesOf('value', value(name)))).toEqual(['ab', 'b', 'ab', 'b', 'ab', 'a', 'b']);
  });

  it('carries what became of initializers to the operators that read them', () => {
    expect([0, 1, 2, 3].map((node) => index.ofNode(node))).toEqual(['value', null, 'added', 'removed']);
    expect(index.changesOf({ kind: 'node', ref: 0 })).toEqual([0]);
    expect(index.changesOf({ kind: 'node', ref: 2 })).toEqual([1, 3]);
    expect(index.itemOf(0)).toEqual({ kind: 'node', ref: 0 });
    expect(index.itemOf(4)).toEqual({ kind: 'value', ref: value('extra') });
    expect(index.itemOf(6)).toBeNull();
  });

  it('counts the changes inside of groups', () => {
    // The output that came is made inside of the head.
    expect(index.ofGroup[group('body')]).toEqual({ value: 1, removed: 1 });
    expect(index.ofGroup[group('head')]).toEqual({ added: 3 });
    expect(groupMark(index.ofGroup[group('body')] ?? {})).toBe('Δ2');
    expect(groupMark(index.ofGroup[group('head')] ?? {})).toBe('+3');
    expect(groupMark({})).toBe('');
    expect(groupSentence(index.ofGroup[group('body')] ?? {})).toBe('1 removed, 1 with other values inside');
  });
});

describe('the layout of a side', () => {
  const layout = graphLayout(
    [
      { kind: 2, ref: group('body'), at: [0, 0, 200, 300] },
      { kind: 0, ref: 0, at: [10, 40, 100, 40], parent: 0 },
      { kind: 0, ref: 3, at: [10, 140, 100, 40], parent: 0 },
      { kind: 1, ref: group('head'), at: [300, 140, 100, 40] },
      { kind: 4, ref: value('extra'), at: [300, 0, 60, 20] },
    ],
    [
      { from: 1, to: 2, value: value('c'), points: [60, 80, 60, 140] },
      { from: 1, to: 3, value: value('c'), points: [60, 80, 200, 110, 350, 140] },
      { from: 4, to: 3, value: value('extra'), points: [330, 20, 350, 140] },
    ],
  );

  it('leaves out edges and inputs that the side does not have, and moves nothing', () => {
    const [a, b] = [sideLayout(layout, index, 'a'), sideLayout(layout, index, 'b')];
    expect([...a.edges.to]).toEqual([2]);
    expect([...b.edges.to]).toEqual([3, 3]);
    expect([...a.boxes.x].slice(0, 4)).toEqual([...layout.boxes.x].slice(0, 4));
    expect(a.boxes.x[4]).toBeLessThan(-1e6);
    expect(b.boxes.x).toEqual(layout.boxes.x);
    const points = (of: typeof layout, edge: number) => [
      ...of.edges.points.subarray(2 * (of.edges.pointStarts[edge] ?? 0), 2 * (of.edges.pointStarts[edge + 1] ?? 0)),
    ];
    expect(points(b, 0)).toEqual(points(layout, 1));
    expect(points(b, 1)).toEqual(points(layout, 2));
  });
});

describe('words', () => {
  it('sum up a difference', () => {
    expect(diffSentence(changes)).toBe(
      '1 operator added, 1 removed, 1 initializer added, 1 with other values, 1 input added, 1 output added, 1 property of the model changed.',
    );
    expect(diffSentence([])).toMatch(/equal/);
  });

  it('find changes by kind and text', () => {
    const found = (filter: Parameters<typeof filterChanges>[2]) => filterChanges(changes, index.order, filter);
    expect(found({ text: '', kind: 'added' })).toEqual([4, 5, 3, 1]);
    expect(found({ text: ' OPERATOR ', kind: 'all' })).toEqual([3, 2]);
    expect(found({ text: 'nothing', kind: 'all' })).toEqual([]);
  });
});
