import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GraphView } from '../../../shared/model/graph';
import { memorySource } from '../../bytes/memorySource';
import { info } from '../edits/testing/smallModel';
import { readModel } from '../model/readModel';
import { buildView } from './buildView';
import { encodeModel, nodesOf, viewOf, viewOfFile } from './testing/viewOf';

const DIGITS = join(import.meta.dirname, '../../../e2e/fixtures/digits/checkpoints/01_init.onnx');

const typesOf = ({ values }: GraphView) => Object.fromEntries(values.names.map((name, value) => [name, values.types[value]]));
const groupsOf = ({ groups }: GraphView) => groups.map(({ kind, path, label, parent, nodes }) => ({ kind, path, label, parent, nodes }));

describe('the view of a network of digits', () => {
  it('has shapes, parameters and operations as they are by hand', async () => {
    const { view } = await viewOfFile(DIGITS);
    const types = typesOf(view);
    // 8 x 8 pictures: convolutions with padding keep the extent, each pooling halves it; 32 channels of 2 x 2 are 128.
    expect(types).toMatchObject({
      image: 'float32[batch, 1, 8, 8]',
      '/encoder/stem/conv/Conv_output_0': 'float32[batch, 16, 8, 8]',
      '/encoder/stem/Relu_output_0': 'float32[batch, 16, 8, 8]',
      '/encoder/MaxPool_output_0': 'float32[batch, 16, 4, 4]',
      '/encoder/body/conv/Conv_output_0': 'float32[batch, 32, 4, 4]',
      '/encoder/MaxPool_1_output_0': 'float32[batch, 32, 2, 2]',
      '/fc1/Gemm_output_0': 'float32[batch, 64]',
      logits: 'float32[batch, 10]',
    });
    const flops = Object.fromEntries(view.nodes.names.map((name, node) => [name, view.nodes.flops[node]]));
    expect(flops).toEqual({
      '/encoder/stem/conv/Conv': 2 * 16 * 64 * 9,
      '/encoder/stem/Relu': 16 * 64,
      '/encoder/MaxPool': 16 * 16 * 4,
      '/encoder/body/conv/Conv': 2 * 32 * 16 * (16 * 9),
      '/encoder/body/Relu': 32 * 16,
      '/encoder/MaxPool_1': 32 * 4 * 4,
      '/Flatten': 0,
      '/fc1/Gemm': 2 * 128 * 64,
      '/Relu': 64,
      '/classifier/Gemm': 2 * 64 * 10,
    });
    const [root] = view.groups;
    expect(root).toMatchObject({ flops: 186_688, parameters: 16 * 9 + 16 + 32 * 16 * 9 + 32 + 128 * 64 + 64 + 640 + 10, nodes: 10 });
  });

  it('is grouped by modules; one with a single node is that node', async () => {
    const { view } = await viewOfFile(DIGITS);
    expect(groupsOf(view)).toEqual([
      { kind: 'root', path: '', label: 'main_graph', parent: -1, nodes: 10 },
      { kind: 'module', path: 'encoder', label: 'encoder', parent: 0, nodes: 6 },
      { kind: 'module', path: 'encoder/stem', label: 'stem', parent: 1, nodes: 2 },
      { kind: 'module', path: 'encoder/body', label: 'body', parent: 1, nodes: 2 },
    ]);
    expect(Object.fromEntries(view.nodes.names.map((name, node) => [name, view.groups[view.nodes.group[node] ?? 0]?.path]))).toMatchObject({
      '/encoder/stem/conv/Conv': 'encoder/stem',
      '/encoder/MaxPool_1': 'encoder',
      '/fc1/Gemm': '',
    });
  });
});

describe('initializers', () => {
  it('say where they are used, what they default to, and what is wrong with them', async () => {
    const bytes = encodeModel({
      node: [
        ...nodesOf(['Add a: x, w -> y', 'Mul b: y, w -> z']),
        { opType: 'Constant', name: 'c', output: ['k'], attribute: [{ name: 'value_ints', type: 7, ints: [1, 2, 3] }] },
        ...nodesOf(['Reshape r: z, k -> out']),
      ],
      input: [info('x', [2, 3]), info('w', [3, 2])],
      output: [info('out', [1, 2, 3])],
      initializer: [
        { name: 'w', dataType: 1, dims: [2, 3], rawData: new Uint8Array(20) },
        { name: 'empty', dataType: 1, dims: [0, 3] },
        { name: 'strange', dataType: 27, dims: [4], rawData: new Uint8Array(3) },
        { name: 'typed', dataType: 1, dims: [2], floatData: [1, 2] },
        { name: 'impossible', dataType: 1, dims: [-1] },
        {
          name: 'far',
          dataType: 1,
          dims: [2],
          externalData: [
            { key: 'location', value: 'w.bin' },
            { key: 'offset', value: '4096' },
            { key: 'length', value: '8' },
          ],
          dataLocation: 1,
        },
      ],
    });
    const { view } = await viewOf(bytes, ['w']);
    const byName = Object.fromEntries(view.initializers.map((initializer) => [initializer.name, initializer]));
    expect(byName.w).toMatchObject({ type: 'float', shape: [2, 3], bytes: 20, place: 'raw', group: 'w', isInput: true, uses: 2, usedInGraphs: 1 });
    expect(byName.w?.problem).toBe('The shape [2, 3] of float needs 24 bytes, but 20 are stored.');
    expect(byName.empty).toMatchObject({ bytes: 0, uses: 0, problem: null });
    expect(byName.strange).toMatchObject({ type: 'type 27', bytes: 3, group: null });
    expect(byName.strange?.problem).toContain('does not know type 27');
    expect(byName.typed).toMatchObject({ place: 'typed', problem: null });
    expect(byName.impossible?.problem).toBe('No tensor can have the shape [-1].');
    expect(byName.far).toMatchObject({ place: 'external', bytes: 8, problem: null });
    expect(byName.k).toMatchObject({ place: 'constant', type: 'int64', shape: [3], uses: 1 });
    // The constant's content gives the shape.
    expect(typesOf(view).out).toBe('float32[1, 2, 3]');
    // w is used twice and counts once; k is 3 more.
    expect(view.groups[0]?.parameters).toBe(6 + 3);
  });

  it('tell when the input of the same name disagrees', async () => {
    const initializer = [{ name: 'w', dataType: 1, dims: [2], rawData: new Uint8Array(8) }];
    const { view } = await viewOf(encodeModel({ input: [info('w', [3])], initializer, node: nodesOf(['Relu: w -> y']) }));
    expect(view.initializers[0]?.problem).toBe("The graph's input of this name is float32[3], the initializer float32[2].");
  });
});

describe('scopes', () => {
  const body = (name: string, weight: string) => ({
    name,
    node: nodesOf([`Add inner: outer, ${weight} -> ${name}_out`]),
    output: [info(`${name}_out`, [2])],
    ...(weight === 'w' ? {} : { initializer: [{ name: weight, dataType: 1, dims: [2], rawData: new Uint8Array(8) }] }),
  });
  const bytes = encodeModel(
    {
      node: [
        ...nodesOf(['Relu /block/Relu: x -> outer']),
        {
          opType: 'If',
          name: '/block/If',
          input: ['flag'],
          output: ['y'],
          attribute: [
            { name: 'then_branch', type: 5, g: body('same', 'w') },
            { name: 'else_branch', type: 5, g: body('same', 'own') },
          ],
        },
        { opType: 'Double', domain: 'my', name: 'call', input: ['y'], output: ['z'] },
      ],
      input: [info('x', [2]), info('flag', [], 9)],
      output: [info('z', [2])],
      initializer: [{ name: 'w', dataType: 1, dims: [2], rawData: new Uint8Array(8) }],
    },
    {
      functions: [{ name: 'Double', domain: 'my', input: ['a'], output: ['b'], node: nodesOf(['Add: a, a -> b']), opsetImport: [{ domain: '', version: 17 }] }],
    },
  );

  it('are bodies inside their nodes and functions by themselves; names are looked up outwards', async () => {
    const { view } = await viewOf(bytes, ['w', '#1.else_branch/own']);
    expect(view.scopes.map(({ kind, path, parent }) => ({ kind, path, parent }))).toEqual([
      { kind: 'main', path: '', parent: null },
      { kind: 'subgraph', path: '#1.then_branch', parent: { scope: 0, node: 1 } },
      { kind: 'subgraph', path: '#1.else_branch', parent: { scope: 0, node: 1 } },
      { kind: 'function', path: 'fn:my.Double', parent: null },
    ]);
    expect(groupsOf(view)).toEqual([
      { kind: 'root', path: '', label: 'g', parent: -1, nodes: 5 },
      { kind: 'function', path: 'Double', label: 'Double', parent: -1, nodes: 1 },
      { kind: 'module', path: 'block', label: 'block', parent: 0, nodes: 4 },
      { kind: 'subgraph', path: 'block/If then_branch', label: 'If then_branch', parent: 2, nodes: 1 },
      { kind: 'subgraph', path: 'block/If else_branch', label: 'If else_branch', parent: 2, nodes: 1 },
    ]);
    const [w, own] = ['w', 'own'].map((name) => view.initializers.find((initializer) => initializer.name === name));
    expect(w).toMatchObject({ scope: 0, uses: 1, usedInGraphs: 2, group: 'w' });
    expect(own).toMatchObject({ scope: 2, uses: 1, usedInGraphs: 1, group: '#1.else_branch/own' });
    // Both bodies read the value of the graph around them.
    const outer = view.values.names.indexOf('outer');
    expect([3, 4].map((node) => view.nodes.inputs[view.nodes.inputStarts[node] ?? 0])).toEqual([outer, outer]);
    expect(typesOf(view).y).toBe('float32[2]');
    expect(view.groups[2]?.flops).toBeNull();
    expect(view.groups[3]?.flops).toBe(2);
    expect(view.operators).toContain('my.Double');
  });

  it('place findings at their nodes, errors first', async () => {
    const model = await readModel(memorySource(bytes), { file: 'm' });
    const findings = [
      { severity: 'warning', text: 'a', owner: '', node: 1 },
      { severity: 'error', text: 'b', owner: '#1.else_branch', node: 0 },
      { severity: 'error', text: 'c', owner: 'training:0.algorithm', node: 7 },
    ] as const;
    expect(buildView(model, { groups: new Set(), findings }).findings).toEqual([
      { severity: 'error', text: 'b', scope: 2, node: 4 },
      { severity: 'error', text: 'c', scope: 0, node: null },
      { severity: 'warning', text: 'a', scope: 0, node: 1 },
    ]);
  });
});
