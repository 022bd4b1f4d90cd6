import { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { GRAPH_CHANGES } from '../../../shared/model/graphEdit';
import { memorySource } from '../../bytes/memorySource';
import { layoutGraph } from '../layout/layoutGraph';
import { modelOf } from '../testing/readBytes';
import { buildView } from '../view/buildView';
import { diffModels } from './diffModels';
import { longestInOrder } from './longestInOrder';
import type { DiffSide, ModelDiff } from './modelDiff';

const node = (opType: string, input: string[], output: string[], more: onnx.INodeProto = {}): onnx.INodeProto => ({ opType, input, output, ...more });
const weights = (name: string, ...values: number[]): onnx.ITensorProto => ({
  name,
  dims: [values.length],
  dataType: 1,
  rawData: new Uint8Array(Float32Array.from(values).buffer),
});
const ints = (name: string, ...values: number[]): onnx.IAttributeProto => ({ name, type: 7, ints: values });

function encoded(graph: onnx.IGraphProto, version = 17): Uint8Array {
  const io = { input: [{ name: 'x' }], output: [{ name: 'y' }] };
  return onnx.ModelProto.encode(
    onnx.ModelProto.create({ irVersion: 8, opsetImport: [{ domain: '', version }], graph: { name: 'g', ...io, ...graph } }),
  ).finish();
}

async function sideOf(bytes: Uint8Array): Promise<DiffSide> {
  const model = await modelOf(bytes);
  return { model, view: buildView(model, { groups: new Set(), findings: [] }), source: memorySource(bytes), pathOf: () => null };
}

async function diff(a: onnx.IGraphProto, b: onnx.IGraphProto): Promise<ModelDiff> {
  return diffModels(await sideOf(encoded(a)), await sideOf(encoded(b)), {});
}

const said = ({ changes }: ModelDiff) => changes.map(({ what, change, text }) => `${what} ${change}: ${text}`);

const CHAIN = {
  node: [
    node('Conv', ['x', 'w'], ['a'], { name: 'conv', attribute: [ints('strides', 1, 1)] }),
    node('Relu', ['a'], ['b'], { name: 'relu' }),
    node('Neg', ['b'], ['y']),
  ],
  initializer: [weights('w', 1, 2, 3)],
};

describe('diffModels', () => {
  it('finds nothing between a model and itself', async () => {
    const found = await diff(CHAIN, CHAIN);
    expect(said(found)).toEqual([]);
    expect(found.text).toBe('The models are equal.\n');
    expect([...found.nodeChanges, ...found.initializerChanges]).toEqual([255, 255, 255, 255]);
  });

  it('keeps the ways of what is gone, also where both models together go in a circle', async () => {
    // A: x → Relu → Tanh → Neg; B: x → Neg → Relu. Neg is known by its name, Relu too; Tanh is gone.
    const found = await diff(
      { node: [node('Relu', ['x'], ['r'], { name: 'relu' }), node('Tanh', ['r'], ['t'], { name: 'tanh' }), node('Neg', ['t'], ['y'], { name: 'neg' })] },
      { node: [node('Neg', ['x'], ['n'], { name: 'neg' }), node('Relu', ['n'], ['y'], { name: 'relu' })] },
    );
    const { nodes, values } = found.view;
    const inputs = (name: string) => {
      const at = nodes.names.indexOf(name);
      return [...nodes.inputs.subarray(nodes.inputStarts[at], nodes.inputStarts[at + 1])].map((value) => values.names[value]);
    };
    const tanh = nodes.names.indexOf('tanh');
    expect(tanh).toBeGreaterThanOrEqual(0);
    const reader = nodes.names.find((name) => inputs(name).includes('t'));
    expect(reader).toBeDefined();
    const layout = await layoutGraph(found.view, { root: 0, open: new Set() });
    expect([...layout.boxes.kind].filter((kind) => kind === 0)).toHaveLength(nodes.names.length);
    expect(layout.boxes.y.every(Number.isFinite)).toBe(true);
  });

  it('tells an attribute, in both values', async () => {
    const [conv, ...rest] = CHAIN.node;
    const found = await diff(CHAIN, { ...CHAIN, node: [{ ...conv, attribute: [ints('strides', 2, 2)] }, ...rest] });
    expect(said(found)).toEqual(['node changed: Conv conv: strides [1, 1] → [2, 2]']);
  });

  it('tells a node that was put in between, and what now reads it', async () => {
    const [conv, relu, neg] = CHAIN.node;
    const found = await diff(CHAIN, { ...CHAIN, node: [conv ?? {}, relu ?? {}, node('Abs', ['b'], ['c']), { ...neg, input: ['c'] }] });
    expect(said(found)).toEqual(['node changed: Neg (node 4): input 1 b → c', 'node added: Abs (node 3)']);
    const back = await diff({ ...CHAIN, node: [conv ?? {}, relu ?? {}, node('Abs', ['b'], ['c']), { ...neg, input: ['c'] }] }, CHAIN);
    expect(said(back)).toEqual(['node changed: Neg (node 3): input 1 c → b', 'node removed: Abs (node 3)']);
    // The removed node still stands between the values that it stood between.
    const gone = back.nodesOfB.indexOf(-1);
    const { nodes, values } = back.view;
    expect(Array.from(nodes.inputs.subarray(nodes.inputStarts[gone], nodes.inputStarts[gone + 1]), (value) => values.names[value])).toEqual(['b']);
  });

  it('sees through names that an exporter numbered anew', async () => {
    const renumbered = {
      node: [
        node('Conv', ['x', 'onnx::Conv_7'], ['12'], { name: 'Conv_0', attribute: [ints('strides', 1, 1)] }),
        node('Relu', ['12'], ['13'], { name: 'Relu_1' }),
        node('Neg', ['13'], ['y']),
      ],
      initializer: [weights('onnx::Conv_7', 1, 2, 3)],
    };
    const found = await diff(CHAIN, renumbered);
    expect(said(found)).toEqual([
      'node renamed: Conv Conv_0: name conv → Conv_0; output a → 12',
      'node renamed: Relu Relu_1: name relu → Relu_1; output b → 13',
      'initializer renamed: w → onnx::Conv_7 float[3]',
    ]);
  });

  it('does not take a node of the same name for the same when it makes another value of another operator', async () => {
    const found = await diff(
      { node: [node('Relu', ['x'], ['y'], { name: 'n' })] },
      { node: [node('Neg', ['x'], ['z'], { name: 'n' }), node('Identity', ['z'], ['y'])] },
    );
    expect(said(found)).toEqual(['node changed: Identity (node 2): operator Relu → Identity; input 1 x → z', 'node added: Neg n']);
  });

  it('tells values from names from shapes', async () => {
    const graph = (...initializer: onnx.ITensorProto[]) => ({ node: [node('Sum', ['x', 'p', 'q', 'r'], ['y'])], initializer });
    const found = await diff(graph(weights('p', 1, 2), weights('q', 5), weights('r', 0)), graph(weights('p', 1, 3), weights('q', 5, 5), weights('r', -0)));
    expect(said(found)).toEqual([
      'initializer value: p float[2]: 1 of 2 values changed, ‖Δ‖ 1',
      'initializer changed: q: float[1] → float[2]',
      'initializer value: r float[1]: 1 of 1 value changed, ‖Δ‖ 0',
    ]);
  });

  it('does not guess among equal contents', async () => {
    const graph = (a: string, b: string) => ({ node: [node('Sum', ['x', a, b], ['y'])], initializer: [weights(a, 0, 0), weights(b, 0, 0)] });
    const found = await diff(graph('p', 'q'), graph('s', 't'));
    // Which input they feed tells them apart.
    expect(said(found)).toEqual(['initializer renamed: p → s float[2]', 'initializer renamed: q → t float[2]']);
  });

  it('does not trust numbers that an exporter gave', async () => {
    const graph = (a: string, b: string) => ({
      node: [node('Conv', ['x', a], ['m'], { name: 'first' }), node('Conv', ['m', b], ['y'], { name: 'second' })],
      initializer: [weights(a, 1, 2), weights(b, 3, 4)],
    });
    const found = await diff(graph('onnx::Conv_7', 'onnx::Conv_8'), graph('onnx::Conv_6', 'onnx::Conv_7'));
    expect(said(found)).toEqual(['initializer renamed: onnx::Conv_7 → onnx::Conv_6 float[2]', 'initializer renamed: onnx::Conv_8 → onnx::Conv_7 float[2]']);
  });

  it('tells an order that changed', async () => {
    const left = node('Relu', ['x'], ['l']);
    const right = node('Neg', ['x'], ['r']);
    const sum = node('Add', ['l', 'r'], ['y']);
    const found = await diff({ node: [left, right, sum] }, { node: [right, left, sum] });
    expect(found.changes).toMatchObject([{ what: 'node', change: 'moved' }]);
  });

  it('looks into bodies, whose nodes shift with those that hold them', async () => {
    const body = (op: string): onnx.IGraphProto => ({ name: 'body', node: [node(op, ['x'], ['inner'])], output: [{ name: 'inner' }] });
    const branch = (op: string) =>
      node('If', ['c'], ['y'], {
        attribute: [
          { name: 'then_branch', type: 5, g: body(op) },
          { name: 'else_branch', type: 5, g: body('Abs') },
        ],
      });
    const found = await diff({ node: [branch('Relu')] }, { node: [node('Identity', ['x'], ['c0']), branch('Neg')] });
    expect(said(found)).toEqual(['node changed: Neg (node 1): operator Relu → Neg, in then_branch of If (node 2)', 'node added: Identity (node 1)']);
  });

  it('names versions, inputs and outputs of the model', async () => {
    const found = await diffModels(
      await sideOf(encoded(CHAIN, 13)),
      await sideOf(
        encoded(
          { ...CHAIN, input: [{ name: 'x', type: { tensorType: { elemType: 1, shape: { dim: [{ dimParam: 'n' }, { dimValue: 3 }] } } } }, { name: 'z' }] },
          17,
        ),
      ),
      {},
    );
    expect(said(found)).toEqual(['model changed: operator set ai.onnx: 13 → 17', 'input changed: x: no type → float[n, 3]', 'input added: z no type']);
  });

  it('has a union in which every index holds', async () => {
    const other = {
      node: [node('Sqrt', ['x'], ['q'], { name: '/m/Sqrt' }), node('Mul', ['q', 'v'], ['y'], { name: '/m/Mul' })],
      initializer: [weights('v', 9)],
    };
    const { view, nodeChanges, initializerChanges, changes } = await diff(CHAIN, other);
    const { nodes, values } = view;
    expect(nodes.names.length).toBe(nodeChanges.length);
    expect(view.initializers.length).toBe(initializerChanges.length);
    expect(nodes.inputStarts.length).toBe(nodes.names.length + 1);
    for (const list of [nodes.inputs, nodes.outputs]) for (const value of list) expect(value === 0xffffffff || value < values.names.length).toBe(true);
    for (const group of nodes.group) expect(group).toBeLessThan(view.groups.length);
    for (const producer of values.producer) expect(producer === 0xffffffff || producer < nodes.names.length).toBe(true);
    for (const { what, change, a, b } of changes) {
      if (what === 'node') expect(GRAPH_CHANGES[nodeChanges[Math.max(a, b)] ?? 255]).toBe(change);
    }
  });
});

describe('longestInOrder', () => {
  it.each<[number[], number[]]>([
    [[], []],
    [
      [0, 1, 2],
      [0, 1, 2],
    ],
    [
      [2, 0, 1],
      [1, 2],
    ],
    [[3, 2, 1], [2]],
    [
      [0, 4, 1, 2, 3],
      [0, 2, 3, 4],
    ],
  ])('%j', (values, kept) => {
    expect([...longestInOrder(values)].sort()).toEqual(kept);
  });
});
