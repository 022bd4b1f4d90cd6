import { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { concat, encodeField, encodeTextField, encodeVarintField } from '../../encodings/protobuf/encodeField';
import { modelOf, patched } from '../testing/readBytes';
import { constantTensor } from '../values/constantTensor';
import type { NewTensor } from '../values/newTensor';
import type { EditPlan } from './editPlan';
import { planSetValue } from './planSetValue';
import { body, bytesOf, decoded, floatFeed, floats, info, node, run, smallModel } from './testing/smallModel';

const W = { graph: '', name: 'W' };

function raw(type: number, dims: number[], bytes: readonly number[]): NewTensor {
  return { type, dims, data: { kind: 'new', bytes: Uint8Array.from(bytes) } };
}

function newFloats(dims: number[], values: readonly number[]): NewTensor {
  return raw(1, dims, [...bytesOf(values)]);
}

interface Done {
  readonly plan: EditPlan;
  readonly bytes: Uint8Array;
  readonly graph: onnx.IGraphProto;
  readonly model: onnx.ModelProto;
}

async function set(bytes: Uint8Array, value: NewTensor, options: { address?: { graph: string; name: string }; allowChange?: boolean } = {}): Promise<Done> {
  const plan = planSetValue(await modelOf(bytes), { address: W, allowChange: false, ...options, value });
  expect(plan.refusals).toEqual([]);
  const after = await patched(bytes, plan);
  return { plan, bytes: after, ...decoded(after) };
}

async function refused(
  bytes: Uint8Array,
  value: NewTensor,
  options: { address?: { graph: string; name: string }; allowChange?: boolean } = {},
): Promise<string> {
  const plan = planSetValue(await modelOf(bytes), { address: W, allowChange: false, ...options, value });
  expect(plan.refusals.length).toBeGreaterThan(0);
  expect([plan.edits, plan.files]).toEqual([[], []]);
  return plan.refusals.join(' ');
}

/** y = x + W. */
function adds(tensor: onnx.ITensorProto, more: onnx.IGraphProto = {}): Uint8Array {
  return smallModel({
    input: [info('x', [2])],
    output: [info('y', [2])],
    initializer: [tensor],
    node: [node('Add', ['x', 'W'], ['y'])],
    ...more,
  });
}

describe('set the value of an initializer', () => {
  it('is computed with, and leaves every other byte', async () => {
    const before = adds(floats('W', [2], [1, 2]));
    const { bytes, plan } = await set(before, newFloats([2], [30, 40]));
    expect(bytes.byteLength).toBe(before.byteLength);
    expect([...bytes].filter((byte, at) => byte !== before[at]).length).toBeLessThanOrEqual(8);
    expect(await run(bytes, { x: await floatFeed([1, 1], [2]) })).toEqual({ y: [31, 41] });
    expect(plan.sites).toEqual([{ graph: '', place: 'initializer 0 "W"', before: 'float[2], 8 B in the model', after: 'float[2], 8 B in the model' }]);
    expect(plan.warnings).toEqual([]);
  });

  it.each<[string, onnx.ITensorProto]>([
    ['float_data', { dataType: 1, floatData: [1, 2] }],
    ['int32_data', { dataType: 6, int32Data: [1, -2] }],
    ['int64_data', { dataType: 7, int64Data: [1, 2] }],
    ['double_data', { dataType: 11, doubleData: [1, 2] }],
    ['uint64_data for uint32', { dataType: 12, uint64Data: [1, 2] }],
    ['int32_data for float16', { dataType: 10, int32Data: [1, 2] }],
    ['float_data for complex64', { dataType: 14, floatData: [1, 2, 3, 4] }],
    ['two fields at once', { dataType: 1, floatData: [1, 2], rawData: bytesOf([1, 2]) }],
  ])('clears %s and writes raw_data', async (_, tensor) => {
    const type = tensor.dataType ?? 0;
    const { graph } = await set(adds({ name: 'W', dims: [2], ...tensor }), constantTensor('1', { type, dims: [2] }));
    const written = graph.initializer?.[0] ?? expect.fail();
    const { floatData, int32Data, int64Data, doubleData, uint64Data } = written;
    expect([floatData, int32Data, int64Data, doubleData, uint64Data].map((list) => list?.length)).toEqual([0, 0, 0, 0, 0]);
    expect(written.rawData?.byteLength).toBeGreaterThan(0);
    expect([written.name, written.dims?.map(Number), written.dataType]).toEqual(['W', [2], type]);
  });

  it('keeps the bits of NaN, -0.0 and infinity', async () => {
    const bits = [0x01, 0x00, 0xa0, 0x7f, 0x00, 0x00, 0x00, 0x80];
    const { graph } = await set(adds(floats('W', [2], [1, 2])), raw(1, [2], bits));
    expect([...(graph.initializer?.[0]?.rawData ?? [])]).toEqual(bits);
  });

  it('has no data field for no elements, and one element for a scalar', async () => {
    const { graph } = await set(adds({ name: 'W', dims: [0, 3], dataType: 1, rawData: new Uint8Array() }), constantTensor('1', { type: 1, dims: [0, 3] }));
    expect(Object.hasOwn(graph.initializer?.[0] ?? {}, 'rawData')).toBe(false);
    const scalar = await set(adds({ name: 'W', dataType: 1, floatData: [1] }), constantTensor('2', { type: 1, dims: [] }));
    expect(scalar.graph.initializer?.[0]?.rawData?.byteLength).toBe(4);
  });

  it('keeps unknown fields of the tensor, the graph and the model byte for byte', async () => {
    const unknown = encodeTextField(900, 'later');
    const tensor = concat([encodeVarintField(1, 1), unknown, encodeVarintField(2, 1), encodeField(4, bytesOf([1])), encodeTextField(8, 'W'), unknown]);
    const graph = concat([encodeField(5, tensor), unknown]);
    const before = concat([encodeVarintField(1, 8), encodeField(7, graph), unknown]);
    const { bytes } = await set(before, newFloats([1], [7]));
    const inside = concat([encodeVarintField(1, 1), unknown, encodeVarintField(2, 1), encodeField(9, bytesOf([7])), encodeTextField(8, 'W'), unknown]);
    expect(Buffer.from(bytes).equals(concat([encodeVarintField(1, 8), encodeField(7, concat([encodeField(5, inside), unknown])), unknown]))).toBe(true);
  });

  it('refuses a value of another type or shape, and bytes that are too few or too many', async () => {
    const before = adds(floats('W', [2], [1, 2]));
    expect(await refused(before, newFloats([3], [1, 2, 3]))).toContain('"W" is float[2], but the new value is float[3]');
    expect(await refused(before, constantTensor('1', { type: 11, dims: [2] }))).toContain('double[2]');
    expect(await refused(before, raw(1, [2], [1, 2, 3]))).toContain('has 3 bytes, but float[2] needs 8');
    expect(await refused(before, raw(1, [-1], []), { allowChange: true })).toContain('No tensor can have the shape [-1]');
  });

  it('takes odd counts of small elements with their padding zero', async () => {
    const tensor = { name: 'W', dims: [3], dataType: 22, int32Data: [0x21, 0x03] };
    const { graph } = await set(adds(tensor), raw(22, [3], [0xff, 0xff]));
    expect([...(graph.initializer?.[0]?.rawData ?? [])]).toEqual([0xff, 0x0f]);
  });
});

describe('set another type or shape when that is meant', () => {
  it('changes the tensor, its entries, and drops what may depend on it', async () => {
    const before = adds(floats('W', [2], [1, 2]), {
      node: [node('Add', ['x', 'W'], ['a']), node('Neg', ['a'], ['b']), node('Neg', ['x'], ['c']), node('Neg', ['b'], ['y'])],
      valueInfo: [info('W', [2]), info('W', ['n']), info('a', [2]), info('b', [2]), info('c', [2])],
    });
    const { graph, plan } = await set(before, newFloats([1, 2], [5, 6]), { allowChange: true });
    expect(graph.initializer?.[0]?.dims?.map(Number)).toEqual([1, 2]);
    const dims = (each: onnx.IValueInfoProto) => each.type?.tensorType?.shape?.dim?.map(({ dimValue }) => Number(dimValue));
    expect(graph.valueInfo?.map((each) => [each.name, dims(each)])).toEqual([
      ['W', [1, 2]],
      ['W', [1, 2]],
      ['c', [2]],
    ]);
    expect(plan.warnings.join(' ')).toContain('2 value_info entries downstream');
    expect(plan.warnings.join(' ')).toContain('outputs "y" may no longer be right');
  });

  it('writes another type, and raises ir_version when that needs it', async () => {
    const { graph, model, plan } = await set(adds({ name: 'W', dims: [2], dataType: 6, int32Data: [1, 2] }), constantTensor('1', { type: 17, dims: [2] }), {
      allowChange: true,
    });
    expect([graph.initializer?.[0]?.dataType, Number(model.irVersion)]).toEqual([17, 9]);
    expect(plan.warnings.join(' ')).toContain('ir_version rises from 8 to 9');
  });

  it('goes into bodies and out of them', async () => {
    const branch = (name: string) =>
      body(name, { node: [node('Neg', ['W'], [`${name}_n`])], output: [info(`${name}_n`, [2])], valueInfo: [info(`${name}_n`, [2])] });
    const before = smallModel({
      input: [info('c', [], 9)],
      output: [info('y', [2])],
      initializer: [floats('W', [2], [1, 2])],
      node: [node('If', ['c'], ['z'], { attribute: [branch('then_branch'), branch('else_branch')] }), node('Neg', ['z'], ['y'])],
      valueInfo: [info('z', [2])],
    });
    const { graph, plan } = await set(before, newFloats([1], [5]), { allowChange: true });
    expect(graph.valueInfo).toEqual([]);
    expect(graph.node?.[0]?.attribute?.map(({ g }) => g?.valueInfo)).toEqual([[], []]);
    expect(plan.warnings.join(' ')).toContain('used in 2 graphs');
  });

  it('warns that the value of a shape decides shapes', async () => {
    const before = smallModel({
      input: [info('x', [4])],
      output: [info('y', null)],
      initializer: [{ name: 'W', dims: [2], dataType: 7, int64Data: [2, 2] }],
      node: [node('Reshape', ['x', 'W'], ['r']), node('Neg', ['r'], ['y'])],
      valueInfo: [info('r', [2, 2])],
    });
    const { graph, plan, bytes } = await set(before, raw(7, [2], [4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]));
    expect(graph.valueInfo).toEqual([]);
    expect(plan.warnings.join(' ')).toContain('decides the shape of what node 0 Reshape gives');
    expect(await run(bytes, { x: await floatFeed([1, 2, 3, 4], [4]) })).toEqual({ y: [-1, -2, -3, -4] });
  });
});

describe('set the value of what is more than an initializer', () => {
  it('says that it is a default which a caller may override', async () => {
    const before = adds(floats('W', [2], [1, 2]), { input: [info('x', [2]), info('W', ['n'])] });
    const { plan, graph, bytes } = await set(before, newFloats([2], [5, 6]));
    expect(plan.warnings.join(' ')).toContain('the new value is its default, and a caller may override it');
    expect(graph.input?.length).toBe(2);
    expect(await run(bytes, { x: await floatFeed([0, 0], [2]) })).toEqual({ y: [5, 6] });
  });

  it('does the same in IR 3, and gives the input its new type when that is meant', async () => {
    const graph = {
      input: [info('x', [2]), info('W', [2])],
      output: [info('y', [2])],
      initializer: [floats('W', [2], [1, 2])],
      node: [node('Add', ['x', 'W'], ['y'])],
    };
    const done = await set(smallModel(graph, { irVersion: 3, opsetImport: [{ domain: '', version: 8 }] }), newFloats([1], [5]), { allowChange: true });
    expect(done.graph.input?.[1]?.type?.tensorType?.shape?.dim?.map(({ dimValue }) => Number(dimValue))).toEqual([1]);
    expect(done.plan.warnings.join(' ')).toContain('The type of the model\'s input "W" changes');
    expect(await run(done.bytes, { x: await floatFeed([1, 2], [2]) })).toEqual({ y: [6, 7] });
  });

  it('shows that the input disagrees, and mends it when that is allowed', async () => {
    const before = adds(floats('W', [2], [1, 2]), { input: [info('x', [2]), info('W', [3], 11)] });
    const kept = await set(before, newFloats([2], [5, 6]));
    expect(kept.plan.warnings.join(' ')).toContain('The input "W" says double[3], but its default value is float[2]');
    expect(kept.graph.input?.[1]?.type?.tensorType?.elemType).toBe(11);
    const mended = await set(before, newFloats([2], [5, 6]), { allowChange: true });
    expect(mended.graph.input?.[1]?.type?.tensorType?.elemType).toBe(1);
  });

  it('addresses a shadowing initializer of a body by its graph', async () => {
    const inner = body('then_branch', { initializer: [floats('W', [1], [1])], node: [node('Neg', ['W'], ['t'])], output: [info('t', [1])] });
    const other = body('else_branch', { node: [node('Neg', ['W'], ['e'])], output: [info('e', [1])] });
    const before = smallModel({
      input: [info('c', [], 9)],
      output: [info('y', [1])],
      initializer: [floats('W', [1], [2])],
      node: [node('If', ['c'], ['y'], { attribute: [inner, other] })],
    });
    const { graph } = await set(before, newFloats([1], [9]), { address: { graph: '#0.then_branch', name: 'W' } });
    expect([...(graph.initializer?.[0]?.rawData ?? [])]).toEqual([...bytesOf([2])]);
    expect([...(graph.node?.[0]?.attribute?.[0]?.g?.initializer?.[0]?.rawData ?? [])]).toEqual([...bytesOf([9])]);
    const outer = await set(before, newFloats([1], [7]));
    expect(outer.plan.warnings.join(' ')).toContain('"W" is 2 values: graph #0.then_branch has one of that name too');
    expect([...(outer.graph.node?.[0]?.attribute?.[0]?.g?.initializer?.[0]?.rawData ?? [])]).toEqual([...bytesOf([1])]);
  });

  it('is allowed for an output of the graph', async () => {
    const before = smallModel({
      input: [info('x', [1])],
      output: [info('W', [1]), info('y', [1])],
      initializer: [floats('W', [1], [1])],
      node: [node('Neg', ['x'], ['y'])],
    });
    const { plan, bytes } = await set(before, newFloats([1], [3]));
    expect(plan.warnings.join(' ')).toContain('an output of its graph');
    expect(await run(bytes, { x: await floatFeed([1], [1]) })).toEqual({ W: [3], y: [-1] });
  });

  it('warns of a quantization annotation, training, and that nothing uses it', async () => {
    const graph = {
      input: [info('x', [2])],
      output: [info('y', [2])],
      initializer: [floats('W', [2], [1, 2]), floats('s', [], [1])],
      node: [node('Neg', ['x'], ['y'])],
      quantizationAnnotation: [{ tensorName: 'W', quantParameterTensorNames: [{ key: 'SCALE_TENSOR', value: 's' }] }],
    };
    const before = smallModel(graph, {
      trainingInfo: [{ algorithm: { node: [node('Neg', ['W'], ['W_new'])], output: [info('W_new', [2])] }, updateBinding: [{ key: 'W', value: 'W_new' }] }],
    });
    const { plan } = await set(before, newFloats([2], [5, 6]));
    expect(plan.warnings.join(' ')).toContain('quantization annotation');
    expect(plan.warnings.join(' ')).toContain('Training updates "W"');
    const scale = await set(before, newFloats([], [2]), { address: { graph: '', name: 's' } });
    expect(scale.plan.warnings.join(' ')).toContain('Nothing in the model uses "s"');
    expect(scale.plan.warnings.join(' ')).toContain('SCALE_TENSOR');
  });

  it('leaves the formal parameter of a function alone', async () => {
    const func = encodeField(25, concat([encodeTextField(1, 'F'), encodeTextField(10, 'd'), encodeTextField(4, 'W'), encodeTextField(5, 'o')]));
    const before = concat([adds(floats('W', [2], [1, 2])), func]);
    const { bytes } = await set(before, newFloats([2], [5, 6]));
    expect(Buffer.from(bytes.subarray(-func.byteLength)).equals(func)).toBe(true);
    expect(await refused(before, newFloats([2], [5, 6]), { address: { graph: 'fn:d.F', name: 'W' } })).toContain('input without a default');
  });
});

describe('what has no value to set', () => {
  const two = newFloats([2], [5, 6]);
  it.each<[string, Uint8Array, NewTensor, string]>([
    ['a name that nothing defines', adds(floats('V', [2], [1, 2])), two, 'No value is called "W" in the main graph.'],
    ['a node output', smallModel({ input: [info('x', [2])], node: [node('Neg', ['x'], ['W'])] }), two, 'computed by node 0 Neg'],
    ['an input', smallModel({ input: [info('W', [2])] }), two, 'input without a default'],
    ['two initializers', adds(floats('W', [2], [1, 2]), { initializer: [floats('W', [2], [1, 2]), floats('W', [2], [1, 2])] }), two, 'is defined 2 times'],
    [
      'an initializer that a node gives too',
      adds(floats('W', [2], [1, 2]), { node: [node('Neg', ['x'], ['W'])] }),
      two,
      'by initializer 0 and node 0 Neg, output 0',
    ],
    ['an unknown type', adds({ name: 'W', dims: [4], dataType: 27, rawData: new Uint8Array(3) }), raw(27, [4], [0, 0, 0]), 'type 27'],
    ['segments', adds({ ...floats('W', [2], [1, 2]), segment: { begin: 0, end: 1 } }), two, 'segments'],
    [
      'raw bytes for texts',
      adds({ name: 'W', dims: [2], dataType: 8, stringData: [Buffer.from('a'), Buffer.from('b')] }),
      raw(8, [2], [1, 2]),
      'Texts are never raw bytes',
    ],
  ])('%s is refused', async (_, before, value, words) => {
    expect(await refused(before, value)).toContain(words);
  });

  it('says where else the name is', async () => {
    const inner = body('body', { initializer: [floats('W', [1], [1])] });
    const before = smallModel({ node: [node('Scan', [], [], { attribute: [inner] })] });
    expect(await refused(before, two)).toContain('That name is defined in graph #0.body');
    expect(await refused(before, two, { address: { graph: '#9.body', name: 'W' } })).toContain('no graph "#9.body"');
  });
});

describe('set texts', () => {
  it('as one text for all elements', async () => {
    const before = adds({ name: 'W', dims: [2], dataType: 8, stringData: [Uint8Array.of(0xff), Buffer.from('b')] });
    const { graph } = await set(before, constantTensor('é', { type: 8, dims: [2] }));
    expect(graph.initializer?.[0]?.stringData?.map((each) => Buffer.from(each).toString('utf8'))).toEqual(['é', 'é']);
    expect(graph.initializer?.[0]?.rawData?.byteLength ?? 0).toBe(0);
  });
});

describe('set a sparse initializer', () => {
  const sparse = { values: floats('W', [1], [3]), indices: { name: '', dims: [1], dataType: 7, int64Data: [1] }, dims: [2] };
  const before = smallModel({ input: [info('x', [2])], output: [info('y', [2])], sparseInitializer: [sparse], node: [node('Add', ['x', 'W'], ['y'])] });

  it('is refused until it may become dense', async () => {
    expect(await refused(before, newFloats([2], [5, 6]))).toContain('would make it dense');
    const { graph, bytes } = await set(before, newFloats([2], [5, 6]), { allowChange: true });
    expect(graph.sparseInitializer).toEqual([]);
    expect(graph.initializer?.map(({ name, dims }) => [name, dims?.map(Number)])).toEqual([['W', [2]]]);
    expect(await run(bytes, { x: await floatFeed([1, 1], [2]) })).toEqual({ y: [6, 7] });
  });
});

describe('set a Constant', () => {
  const constant = (attribute: onnx.IAttributeProto) =>
    smallModel({
      input: [info('x', [2])],
      output: [info('y', [2])],
      node: [node('Constant', [], ['W'], { attribute: [attribute] }), node('Add', ['x', 'W'], ['y'])],
    });

  it('inside its tensor, and adds no initializer', async () => {
    const { graph, bytes } = await set(constant({ name: 'value', type: 4, t: { dims: [2], dataType: 1, floatData: [1, 2] } }), newFloats([2], [5, 6]));
    expect(graph.initializer).toEqual([]);
    expect([...(graph.node?.[0]?.attribute?.[0]?.t?.rawData ?? [])]).toEqual([...bytesOf([5, 6])]);
    expect(await run(bytes, { x: await floatFeed([1, 1], [2]) })).toEqual({ y: [6, 7] });
  });

  it.each<[string, onnx.IAttributeProto, NewTensor, onnx.IAttributeProto]>([
    ['value_float', { type: 1, f: 1 }, constantTensor('2.5', { type: 1, dims: [] }), { type: 1, f: 2.5 }],
    ['value_floats', { type: 6, floats: [1, 2] }, newFloats([2], [5, 6]), { type: 6, floats: [5, 6] }],
    ['value_int', { type: 2, i: 1 }, constantTensor('-7', { type: 7, dims: [] }), { type: 2, i: -7 }],
    ['value_ints', { type: 7, ints: [1, 2] }, constantTensor('300', { type: 7, dims: [2] }), { type: 7, ints: [300, 300] }],
    ['value_string', { type: 3, s: Buffer.from('a') }, constantTensor('b', { type: 8, dims: [] }), { type: 3, s: Buffer.from('b') }],
    ['value_strings', { type: 8, strings: [Buffer.from('a')] }, constantTensor('b', { type: 8, dims: [1] }), { type: 8, strings: [Buffer.from('b')] }],
  ])('keeps %s', async (name, before, value, after) => {
    const { graph } = await set(constant({ name, docString: 'kept', ...before }), value);
    const plain = (attribute: onnx.AttributeProto) => onnx.AttributeProto.toObject(attribute, { longs: Number, bytes: String });
    const expected = onnx.AttributeProto.decode(onnx.AttributeProto.encode({ name, docString: 'kept', ...after }).finish());
    expect(plain(onnx.AttributeProto.create(graph.node?.[0]?.attribute?.[0]))).toEqual(plain(expected));
  });

  it('becomes a tensor where the attribute cannot hold the value', async () => {
    const fromFile: NewTensor = { type: 1, dims: [2], data: { kind: 'file', path: '/nowhere', offset: 0, length: 8 } };
    const before = constant({ name: 'value_floats', type: 6, floats: [1, 2] });
    const plan = planSetValue(await modelOf(before), { address: W, value: fromFile, allowChange: false });
    expect(plan.sites).toMatchObject([{ before: 'value_floats: float[2]', after: 'value: float[2]' }]);
    const { bytes } = await set(constant({ name: 'value_float', type: 1, f: 1 }), newFloats([2], [5, 6]), { allowChange: true });
    expect(await run(bytes, { x: await floatFeed([1, 1], [2]) })).toEqual({ y: [6, 7] });
  });

  it('refuses one whose value comes from the call of a function', async () => {
    const inner = concat([
      encodeTextField(2, 'W'),
      encodeTextField(4, 'Constant'),
      encodeField(5, concat([encodeTextField(1, 'value_float'), encodeTextField(21, 'a'), encodeVarintField(20, 1)])),
    ]);
    const func = encodeField(25, concat([encodeTextField(1, 'F'), encodeTextField(10, 'd'), encodeTextField(6, 'a'), encodeField(7, inner)]));
    expect(await refused(concat([smallModel({}), func]), constantTensor('1', { type: 1, dims: [] }), { address: { graph: 'fn:d.F', name: 'W' } })).toContain(
      'attribute of the call',
    );
  });
});

describe('set a value that is in another file', () => {
  const entries = [
    { key: 'location', value: 'w.bin' },
    { key: 'offset', value: '4096' },
    { key: 'length', value: '8' },
    { key: 'checksum', value: '00' },
    { key: 'x-cache', value: 'yes' },
  ];
  const external = (name: string) => ({ name, dims: [2], dataType: 1, externalData: entries, dataLocation: 1 });

  it('brings it into the model and never writes the shared file', async () => {
    const before = adds(external('W'), { initializer: [external('W'), external('V')] });
    const { graph, plan } = await set(before, newFloats([2], [5, 6]));
    expect(plan.files).toEqual([]);
    const [first, second] = graph.initializer ?? [];
    expect([first?.externalData, first?.dataLocation, [...(first?.rawData ?? [])]]).toEqual([[], 0, [...bytesOf([5, 6])]]);
    expect(second?.externalData?.map(({ key, value }) => ({ key, value }))).toEqual(entries);
    expect(plan.warnings.join(' ')).toContain('stays in the file "w.bin"');
  });

  it('goes to a new file when the model would become too large', async () => {
    const length = 2 ** 31;
    const before = adds({ ...external('W'), dims: [length], dataType: 3 });
    const value: NewTensor = { type: 3, dims: [length], data: { kind: 'file', path: '/data/w.npy', offset: 128, length } };
    const { graph, plan } = await set(before, value);
    expect(plan.files).toEqual([{ name: 'W.data', pieces: [value.data] }]);
    expect(graph.initializer?.[0]?.externalData?.map(({ key, value: text }) => [key, text])).toEqual([
      ['location', 'W.data'],
      ['offset', '0'],
      ['length', String(length)],
      ['x-cache', 'yes'],
    ]);
    expect(graph.initializer?.[0]?.dataLocation).toBe(1);
    const named = planSetValue(await modelOf(before), { address: W, value, allowChange: false, file: 'w.bin' });
    expect(named.refusals.join(' ')).toContain('never written in place');
  });

  it('is refused for a tensor inside the model, with what to do', async () => {
    const before = adds({ name: 'W', dims: [2 ** 31], dataType: 3, rawData: new Uint8Array(4) });
    const value: NewTensor = { type: 3, dims: [2 ** 31], data: { kind: 'file', path: '/data/w.npy', offset: 128, length: 2 ** 31 } };
    expect(await refused(before, value)).toContain('move its values into a file of external data first');
  });
});
