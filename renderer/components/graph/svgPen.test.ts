import { describe, expect, it } from 'vitest';
import { traceEdge } from '../../charts/graphEdges';
import { GraphScene } from '../../charts/graphScene';
import { smallGraph } from '../../charts/testing/graphSamples';
import { paintGraph } from './paintGraph';
import { svgFile, svgPen } from './svgPen';

const COLOURS = {
  isDark: false,
  surface: '#ffffff',
  frame: '#fafafa',
  frameDeep: '#f0f0f0',
  text: '#111111',
  muted: '#555555',
  line: '#cccccc',
  edge: '#999999',
  border: '#888888',
  accent: '#0000ff',
  input: '#0000aa',
  output: '#aa5500',
  hit: '#885500',
  stub: '#eeeeee',
  group: '#777777',
  groupSoft: '#fefefe',
} as const;

describe('a graph as SVG', () => {
  it('writes names as text, never as markup', () => {
    const { pen, nodes } = svgPen();
    pen.text('<script>&"', { x: 1.234, y: 2 }, { fill: '#000', size: 12 });
    const file = svgFile(nodes, { x: 0, y: 0, width: 10, height: 20 }, '#fff');
    expect(file).toContain('>&lt;script&gt;&amp;&quot;</text>');
    expect(file).toContain('viewBox="0 0 10 20"');
    expect(file).toContain('x="1.23"');
  });

  it('draws lines as paths', () => {
    const { pen, nodes } = svgPen();
    const edges = { pointStarts: Uint32Array.of(0, 2), points: Float32Array.of(0, 0, 0, 50) };
    pen.lines((sink) => traceEdge(edges, 0, sink), { stroke: '#123456', lineWidth: 2, dash: [4, 2] });
    pen.lines(() => undefined, { stroke: '#123456', lineWidth: 2 });
    expect(nodes).toHaveLength(1);
    expect(Object.fromEntries(nodes[0]?.attributes ?? [])).toMatchObject({ d: 'M0 0L0 50', stroke: '#123456', 'stroke-dasharray': '4 2' });
  });

  it('shows every box with its text, its neighbours by name, and types on edges', () => {
    const { view, layout } = smallGraph();
    const scene = new GraphScene(view, layout);
    const look = { fill: '#3366cc', soft: '#eef2ff', text: '#111111', mark: '', word: 'Operator' };
    const looks = { list: [look], ofNode: new Uint16Array(3), ofGroup: new Uint16Array(3), noteOf: () => null };
    const marks = { selected: 4, inputs: scene.tracedEdges(4, 'in'), outputs: scene.tracedEdges(4, 'out'), hits: new Set<number>(), hovered: -1 };
    const part = { left: 0, top: 0, right: layout.width, bottom: layout.height };
    const families = Object.fromEntries(
      ['linear', 'convolution', 'activation', 'normalisation', 'arithmetic', 'pooling', 'shape', 'control', 'quantisation', 'other'].map((name) => [
        name,
        look,
      ]),
    ) as never;
    const { pen, nodes } = svgPen();
    const colours = { ...COLOURS, families };
    paintGraph(pen, { view, layout, boxes: scene.boxesIn(part), edges: scene.edgesIn(part), part, zoom: 1, looks, colours, marks });
    const texts = nodes.filter(({ name }) => name === 'text').map(({ children }) => children[0]);
    expect(texts).toEqual(
      expect.arrayContaining(['x', 'stem', 'body', 'Relu', 'Add', 'y', 'bias', '1 operator', '2 operators', 'input', 'output', 'float32[1, 4]']),
    );

    const far = svgPen();
    paintGraph(far.pen, { view, layout, boxes: scene.boxesIn(part), edges: scene.edgesIn(part), part, zoom: 0.1, looks, colours, marks });
    expect(far.nodes.filter(({ name }) => name === 'text')).toEqual([]);
    expect(far.nodes.filter(({ attributes }) => attributes.some(([name, value]) => name === 'fill' && value === '#3366cc'))).toHaveLength(3);
  });
});
