import { describe, expect, it } from 'vitest';
import { drawnItem } from './graphConstants';
import { buildOutline, filterOutline, fitsPattern } from './graphOutline';
import { parseNamePattern } from './namePattern';
import { visibleRows } from './nameTree';
import { operatorFamily } from './operatorFamilies';
import { graphView, smallGraph } from './testing/graphSamples';

const rows = buildOutline(smallGraph().view);

describe('outline of a graph', () => {
  it('lists groups before what they hold, in the order of the graph', () => {
    expect(rows.map(({ label, note, depth, end }) => [label, note, depth, end])).toEqual([
      ['stem', '', 0, 2],
      ['Conv', '', 1, 2],
      ['body', '', 0, 5],
      ['Relu', '', 1, 4],
      ['Add', '', 1, 5],
    ]);
    expect(buildOutline(graphView({ nodes: [] }))).toEqual([]);
  });

  it('puts a group where most of it is, whatever stands at the very beginning', () => {
    const node = (name: string, module: string) => ({ name, operator: 'Relu', inputs: [], outputs: [], module });
    const view = graphView({ nodes: [node('constant', 'late'), node('a1', 'early'), node('a2', 'early'), node('b1', 'late'), node('b2', 'late')] });
    expect(buildOutline(view).map(({ label }) => label)).toEqual(['early', 'a1', 'a2', 'late', 'constant', 'b1', 'b2']);
  });

  it('folds', () => {
    expect([...visibleRows(rows, new Set([rows[0]?.id ?? '']))]).toEqual([0, 2, 3, 4]);
  });

  it('keeps the groups around what fits a filter', () => {
    const kept = filterOutline(rows, fitsPattern(parseNamePattern('add')));
    expect(kept.map(({ label, end }) => [label, end])).toEqual([
      ['body', 2],
      ['Add', 2],
    ]);
    expect(filterOutline(rows, () => true)).toEqual(rows);
    expect(filterOutline(rows, () => false)).toEqual([]);
  });

  it('tells a node by its operator where its name says something else', () => {
    const view = graphView({ nodes: [{ name: '/a/query', operator: 'MatMul', inputs: ['x'], outputs: ['y'], module: 'a' }] });
    expect(buildOutline(view)[1]).toMatchObject({ label: 'query', note: 'MatMul', name: '/a/query' });
  });
});

describe('constants', () => {
  const view = graphView({
    nodes: [
      { name: '', operator: 'Constant', inputs: [], outputs: ['two'], module: '' },
      { name: '', operator: 'Constant', inputs: [], outputs: ['y'], module: '' },
      { name: '', operator: 'Relu', inputs: ['x'], outputs: ['r'], module: '' },
      { name: '', operator: 'Add', inputs: ['r', 'two'], outputs: ['z'], module: '' },
    ],
    outputs: ['y', 'z'],
    initializers: { two: [1], y: [1] },
  });

  it('are listed only where they have a box of their own', () => {
    expect(buildOutline(view).map(({ item }) => item.ref)).toEqual([1, 2, 3]);
  });

  it('are found at who uses them first', () => {
    expect([0, 1, 2].map((ref) => drawnItem(view, { kind: 'node', ref }).ref)).toEqual([3, 1, 2]);
    expect(drawnItem(view, { kind: 'group', ref: 0 })).toEqual({ kind: 'group', ref: 0 });
  });
});

describe('operatorFamily', () => {
  it('knows operators of ONNX and of other domains', () => {
    expect(['Conv', 'MatMul', 'com.microsoft.Gelu', 'If', 'Mine', ''].map(operatorFamily)).toEqual([
      'convolution',
      'linear',
      'activation',
      'control',
      'other',
      'other',
    ]);
  });
});
