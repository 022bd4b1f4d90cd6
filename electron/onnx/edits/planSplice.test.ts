import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../bytes/memorySource';
import { piecesSource } from '../../bytes/pieces';
import { concat, encodeField, encodeTextField, encodeVarintField } from '../../encodings/protobuf/encodeField';
import { modelOf } from '../testing/readBytes';
import { applyPlan } from './applyPlan';
import { planSplice, type SpliceOptions } from './planSplice';
import { body, bytesOf, decoded, floatFeed, floats, info, node, run, smallModel } from './testing/smallModel';

type Wish = Partial<Pick<SpliceOptions, 'connect' | 'replace' | 'payload'>> & { readonly nodes: readonly number[] };

async function plan(a: Uint8Array, b: Uint8Array, { nodes, connect = [], replace = [], payload }: Wish) {
  const otherFile: SpliceOptions['otherFile'] = (offset, length) => ({ kind: 'new', bytes: b.subarray(offset, offset + length) });
  return planSplice(await modelOf(a), await modelOf(b), { nodes: nodes.map((index) => ({ graph: '', index })), connect, replace, otherFile, payload });
}

async function splice(a: Uint8Array, b: Uint8Array, wish: Wish) {
  const made = await plan(a, b, wish);
  expect(made.refusals).toEqual([]);
  const source = piecesSource(memorySource(a), applyPlan(await modelOf(a), made), 'a');
  const bytes = new Uint8Array(await source.read(0, source.length));
  return { plan: made, bytes, ...decoded(bytes) };
}

async function refused(a: Uint8Array, b: Uint8Array, wish: Wish): Promise<string> {
  const made = await plan(a, b, wish);
  expect(made.edits).toEqual([]);
  return made.refusals.join(' ');
}

/** y = -(x + W). */
const A = (more: onnx.IGraphProto = {}, model: onnx.IModelProto = {}) =>
  smallModel(
    {
      input: [info('x', [2])],
      output: [info('y', [2])],
      initializer: [floats('W', [2], [1, 2])],
      node: [node('Add', ['x', 'W'], ['h'], { name: 'layer' }), node('Neg', ['h'], ['y'], { name: 'out' })],
      valueInfo: [info('h', [2])],
      ...more,
    },
    model,
  );

/** z = (in * W) + C. */
const B = (more: onnx.IGraphProto = {}, model: onnx.IModelProto = {}) =>
  smallModel(
    {
      input: [info('in', [2])],
      output: [info('z', [2])],
      initializer: [floats('W', [2], [10, 100])],
      node: [
        node('Constant', [], ['C'], { attribute: [{ name: 'value_floats', type: 6, floats: [5, 5] }] }),
        node('Mul', ['in', 'W'], ['h'], { name: 'layer' }),
        node('Add', ['h', 'C'], ['z'], { name: 'bias' }),
      ],
      valueInfo: [info('h', [2])],
      ...more,
    },
    model,
  );

const x = () => floatFeed([1, 2], [2]);
const IN = [{ from: 'in', to: 'h' }];
const OUT = [{ output: 'z', value: 'h' }];

describe('splice nodes of another model', () => {
  it('between two nodes, with initializers, constants, types and fresh names', async () => {
    const { graph, bytes, plan: made } = await splice(A(), B(), { nodes: [1, 2], connect: IN, replace: OUT });
    expect(graph.node?.map(({ name, opType, input, output }) => [name, opType, input, output])).toEqual([
      ['layer', 'Add', ['x', 'W'], ['h']],
      ['', 'Constant', [], ['C']],
      ['layer_1', 'Mul', ['h', 'W_1'], ['h_1']],
      ['bias', 'Add', ['h_1', 'C'], ['z']],
      ['out', 'Neg', ['z'], ['y']],
    ]);
    expect(graph.initializer?.map(({ name }) => name)).toEqual(['W', 'W_1']);
    expect(graph.valueInfo?.map(({ name }) => name)).toEqual(['h', 'h_1', 'z']);
    expect(await run(bytes, { x: await x() })).toEqual({ y: [-25, -405] });
    expect(made.title).toBe('Splice 2 nodes from another model');
    expect(made.sites.map(({ place, after }) => `${place}: ${after}`)).toEqual([
      'node 1 Neg "out", input 0: z',
      'node 1: Constant:  → C',
      'node 2: Mul "layer_1": h, W_1 → h_1',
      'node 3: Add "bias": h_1, C → z',
      'initializer "W_1": float[2]',
      'value_info "h_1": added',
      'value_info "z": added',
    ]);
  });

  it('for an output of the graph, which keeps its name', async () => {
    const { graph, bytes } = await splice(A(), B(), { nodes: [1, 2], connect: [{ from: 'in', to: 'y' }], replace: [{ output: 'z', value: 'y' }] });
    expect(graph.node?.map(({ opType, input, output }) => [opType, input, output])).toEqual([
      ['Add', ['x', 'W'], ['h']],
      ['Neg', ['h'], ['y_1']],
      ['Constant', [], ['C']],
      ['Mul', ['y_1', 'W_1'], ['h_1']],
      ['Add', ['h_1', 'C'], ['y']],
    ]);
    expect(graph.output?.map(({ name }) => name)).toEqual(['y']);
    expect(await run(bytes, { x: await x() })).toEqual({ y: [-15, -395] });
  });

  it('in the place of a layer', async () => {
    const { bytes, plan: made } = await splice(A(), B(), { nodes: [1, 2], connect: [{ from: 'in', to: 'x' }], replace: OUT });
    expect(await run(bytes, { x: await x() })).toEqual({ y: [-15, -205] });
    expect(made.warnings.join(' ')).toContain('Nothing uses "h" of node 0 Add "layer" any more');
  });

  it('moves what takes the new values behind them', async () => {
    const a = A({
      node: [node('Add', ['x', 'W'], ['h']), node('Neg', ['h'], ['k']), node('Abs', ['x'], ['late']), node('Add', ['k', 'late'], ['y'])],
      valueInfo: [],
    });
    const { graph, bytes, plan: made } = await splice(a, B(), { nodes: [1, 2], connect: [{ from: 'in', to: 'late' }], replace: OUT });
    expect(graph.node?.map(({ output }) => output?.[0])).toEqual(['h', 'late', 'C', 'h_1', 'z', 'k', 'y']);
    expect(made.sites.find(({ before }) => before.startsWith('in front'))).toMatchObject({ place: 'node 1 Neg', after: 'behind them' });
    expect(await run(bytes, { x: await x() })).toEqual({ y: [-14, -203] });
  });

  it('refuses circles', async () => {
    expect(await refused(A(), B(), { nodes: [1, 2], connect: [{ from: 'in', to: 'y' }], replace: OUT })).toContain('would go in a circle');
  });

  it('refuses what is not connected, not there, or not an output', async () => {
    expect(await refused(A(), B(), { nodes: [1, 2] })).toContain('"in" goes into the nodes: connect it');
    expect(await refused(A(), B(), { nodes: [2], connect: IN })).toContain('"in" does not go into the nodes');
    expect(await refused(A(), B(), { nodes: [1], connect: [{ from: 'in', to: 'q' }] })).toContain('No value is called "q"');
    expect(await refused(A(), B(), { nodes: [1], connect: IN, replace: OUT })).toContain('"z" is no output of the nodes');
    expect(await refused(A(), B(), { nodes: [9] })).toContain('no node 9');
    expect(await refused(A(), B({ input: [info('in', [2], 11)] }), { nodes: [1], connect: IN })).toContain(
      '"in" is double in the other model, but "h" is float in this one',
    );
    expect((await plan(A(), B({ input: [info('in', [3])] }), { nodes: [1], connect: IN })).warnings.join(' ')).toContain('"in" is float[3]');
  });

  it('keeps shadowing and outer reads of bodies, with fresh names at every depth', async () => {
    const then = body('then_branch', {
      initializer: [floats('x', [2], [7, 7])],
      node: [node('Add', ['x', 'in'], ['W'], { name: 'layer' })],
      output: [info('W', [2])],
      valueInfo: [info('W', [2])],
    });
    const other = body('else_branch', { node: [node('Mul', ['in', 'V'], ['e'])], output: [info('e', [2])] });
    const b = smallModel({
      input: [info('in', [2]), info('c', [], 9)],
      output: [info('z', [2])],
      initializer: [floats('V', [2], [3, 3]), { name: 't', dims: [], dataType: 9, int32Data: [1] }],
      node: [node('If', ['t'], ['z'], { attribute: [then, other] })],
    });
    const { graph, bytes } = await splice(A(), b, { nodes: [0], connect: IN, replace: OUT });
    const [branch, elsewhere] = graph.node?.[1]?.attribute ?? [];
    expect(branch?.g?.initializer?.[0]?.name).toBe('x_1');
    expect(branch?.g?.node?.map(({ name, input, output }) => [name, input, output])).toEqual([['layer_1', ['x_1', 'h'], ['W_1']]]);
    expect([branch?.g?.output?.[0]?.name, branch?.g?.valueInfo?.[0]?.name]).toEqual(['W_1', 'W_1']);
    expect(elsewhere?.g?.node?.[0]?.input).toEqual(['h', 'V']);
    expect(await run(bytes, { x: await x() })).toEqual({ y: [-9, -11] });
  });

  it('does not let a connected name mean a value of a body that has the same', async () => {
    const then = body('then_branch', { node: [node('Neg', ['in'], ['in2'])], output: [info('in2', [2])] });
    const other = body('else_branch', { initializer: [floats('in', [2], [7, 7])], node: [node('Abs', ['in'], ['e'])], output: [info('e', [2])] });
    const b = smallModel({
      input: [info('in', [2])],
      output: [info('z', [2])],
      initializer: [{ name: 't', dims: [], dataType: 9, int32Data: [0] }],
      node: [node('If', ['t'], ['z'], { attribute: [then, other] })],
    });
    const { graph, bytes } = await splice(A(), b, { nodes: [0], connect: IN, replace: OUT });
    expect(graph.node?.[1]?.attribute?.map(({ g }) => g?.node?.[0]?.input)).toEqual([['h'], ['in']]);
    expect(await run(bytes, { x: await x() })).toEqual({ y: [-7, -7] });
  });

  it('takes sparse initializers, annotations with their tensors, and defaults as they are', async () => {
    const b = B({
      input: [info('in', [2]), info('W', [2])],
      sparseInitializer: [{ values: floats('S', [1], [3]), indices: { dims: [1], dataType: 7, int64Data: [1] }, dims: [2] }],
      initializer: [floats('W', [2], [10, 100]), floats('scale', [], [1])],
      node: [node('Mul', ['in', 'W'], ['h']), node('Add', ['h', 'S'], ['z'])],
      quantizationAnnotation: [{ tensorName: 'h', quantParameterTensorNames: [{ key: 'SCALE_TENSOR', value: 'scale' }] }],
    });
    const { graph, bytes, plan: made } = await splice(A(), b, { nodes: [0, 1], connect: IN, replace: OUT });
    expect(graph.sparseInitializer?.[0]?.values?.name).toBe('S');
    expect(graph.initializer?.map(({ name }) => name)).toEqual(['W', 'W_1', 'scale']);
    expect(graph.quantizationAnnotation?.map(({ tensorName, quantParameterTensorNames }) => [tensorName, quantParameterTensorNames?.[0]?.value])).toEqual([
      ['h_1', 'scale'],
    ]);
    expect(made.warnings.join(' ')).toContain('may override "W"');
    expect(await run(bytes, { x: await x() })).toEqual({ y: [-20, -403] });
  });

  it('makes initializers inputs in IR 3', async () => {
    const a = A({ input: [info('x', [2]), info('W', [2])] }, { irVersion: 3 });
    const { graph, model } = await splice(a, B({}, { irVersion: 3 }), { nodes: [1, 2], connect: IN, replace: OUT });
    expect(graph.input?.map(({ name }) => name)).toEqual(['x', 'W', 'W_1']);
    expect(Number(model.irVersion)).toBe(3);
  });
});

describe('splice between operator sets', () => {
  const set = (version: number, domain = '') => ({ opsetImport: [{ domain, version }] });
  const wish = { nodes: [1, 2], connect: IN, replace: OUT };

  it('takes operators that did not change, and refuses those that did', async () => {
    await splice(A({}, set(17)), B({}, set(14)), wish);
    expect(await refused(A({}, set(14)), B({}, set(13)), wish)).toContain(
      "version 13 of ONNX's operators, this one 14, and Mul and Add are not known to mean the same",
    );
    expect(await refused(A({}, set(19)), B({}, set(18)), wish)).toContain('Constant is not known');
    expect(await refused(A({}, set(10)), B({}, set(9)), wish)).toContain('are not known');
  });

  it('takes "" and "ai.onnx" for one, and refuses two versions', async () => {
    await splice(A({}, set(13)), B({}, set(13, 'ai.onnx')), wish);
    const twice = {
      opsetImport: [
        { domain: '', version: 13 },
        { domain: 'ai.onnx', version: 14 },
      ],
    };
    expect(await refused(A({}, twice), B(), wish)).toContain("This model imports ONNX's operators in the versions 13 and 14");
    expect(await refused(A(), B({}, twice), wish)).toContain('The other model imports');
    expect(await refused(A(), B({}, { opsetImport: [] }), wish)).toContain('does not say which version');
  });

  it('adds a set that is not imported yet', async () => {
    const b = B(
      { node: [node('Gelu', ['in'], ['z'], { domain: 'com.microsoft' })] },
      {
        opsetImport: [
          { domain: '', version: 13 },
          { domain: 'com.microsoft', version: 1 },
        ],
      },
    );
    const { model } = await splice(A(), b, { nodes: [0], connect: IN, replace: OUT });
    expect(model.opsetImport.map(({ domain, version }) => [domain, Number(version)])).toEqual([
      ['', 13],
      ['com.microsoft', 1],
    ]);
  });
});

describe('splice functions', () => {
  /** FunctionProto is not in the encoder's version of the schema. */
  const func = (name: string, calls: Uint8Array) =>
    encodeField(
      25,
      concat([
        encodeTextField(1, name),
        encodeTextField(4, 'a'),
        encodeTextField(5, 'b'),
        encodeField(7, calls),
        encodeField(9, concat([encodeTextField(1, ''), encodeVarintField(2, 13)])),
        encodeField(9, concat([encodeTextField(1, 'd'), encodeVarintField(2, 1)])),
        encodeTextField(10, 'd'),
      ]),
    );
  const call = (op: string, domain: string) => concat([encodeTextField(1, 'a'), encodeTextField(2, 'b'), encodeTextField(4, op), encodeTextField(7, domain)]);
  const imports = {
    opsetImport: [
      { domain: '', version: 13 },
      { domain: 'd', version: 1 },
    ],
  };

  it('transitively, under a fresh name where theirs is taken', async () => {
    const b = concat([
      smallModel({ input: [info('in', [2])], output: [info('z', [2])], node: [node('Outer', ['in'], ['z'], { domain: 'd' })] }, imports),
      func('Inner', call('Neg', '')),
      func('Outer', call('Inner', 'd')),
      func('Unused', call('Abs', '')),
    ]);
    const a = concat([A({}, imports), func('Inner', call('Abs', ''))]);
    const { bytes, graph, plan: made } = await splice(a, b, { nodes: [0], connect: IN, replace: OUT });
    const { functions } = await modelOf(bytes);
    expect(functions.map(({ name, nodes }) => [name, nodes.map(({ op }) => op)])).toEqual([
      ['Inner', ['Abs']],
      ['Inner_1', ['Neg']],
      ['Outer', ['Inner_1']],
    ]);
    expect(graph.node?.[1]?.opType).toBe('Outer');
    expect(made.sites.some(({ place }) => place === 'function d.Inner_1')).toBe(true);
    expect(await run(bytes, { x: await x() })).toEqual({ y: [2, 4] });
  });

  it('raises ir_version for them, and refuses an operator that is a function here', async () => {
    const b = concat([
      smallModel({ input: [info('in', [2])], node: [node('Inner', ['in'], ['z'], { domain: 'd' })] }, imports),
      func('Inner', call('Neg', '')),
    ]);
    const { model } = await splice(A({}, { irVersion: 7, opsetImport: [{ domain: '', version: 13 }] }), b, { nodes: [0], connect: IN, replace: OUT });
    expect(Number(model.irVersion)).toBe(8);
    const a = concat([A({}, imports), func('Op', call('Abs', ''))]);
    const calls = smallModel({ input: [info('in', [2])], node: [node('Op', ['in'], ['z'], { domain: 'd' })] }, imports);
    expect(await refused(a, calls, { nodes: [0], connect: IN })).toContain('d.Op is an operator in the other model, but a function in this one');
  });
});

describe('splice values of other files', () => {
  const b = B({ initializer: [{ name: 'W', dims: [2], dataType: 1, dataLocation: 1, externalData: [{ key: 'location', value: 'b.bin' }] }] });

  it('come into the model', async () => {
    const { graph, bytes } = await splice(A(), b, { nodes: [1, 2], connect: IN, replace: OUT, payload: () => ({ kind: 'new', bytes: bytesOf([10, 100]) }) });
    expect(graph.initializer?.map(({ name, dataLocation }) => [name, dataLocation])).toEqual([
      ['W', 0],
      ['W_1', 0],
    ]);
    expect(await run(bytes, { x: await x() })).toEqual({ y: [-25, -405] });
  });

  it('are refused when they are not at hand', async () => {
    expect(await refused(A(), b, { nodes: [1, 2], connect: IN })).toContain('in the file "b.bin" beside the other model: its file is not at hand');
  });

  it('copies from the file of the other model without reading it', async () => {
    const made = planSplice(await modelOf(A()), await modelOf(B()), {
      nodes: [{ graph: '', index: 1 }],
      connect: IN,
      replace: [],
      otherFile: '/models/b.onnx',
    });
    const pieces = made.edits.flatMap(({ insert }) => insert).filter((piece) => piece.kind === 'file');
    expect(pieces.length).toBeGreaterThan(0);
    expect(made.warnings.join(' ')).toContain('Nothing in the model uses');
  });
});
