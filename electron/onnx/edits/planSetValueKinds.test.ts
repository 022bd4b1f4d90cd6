import { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { concat, encodeField, encodeTextField, encodeVarintField } from '../../encodings/protobuf/encodeField';
import { modelOf } from '../testing/readBytes';
import { constantTensor } from '../values/constantTensor';
import type { NewTensor } from '../values/newTensor';
import { planSetValue } from './planSetValue';
import { adds, newFloats, raw, refused, set, W } from './testing/setting';
import { body, bytesOf, floatFeed, floats, info, node, run, smallModel } from './testing/smallModel';

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
