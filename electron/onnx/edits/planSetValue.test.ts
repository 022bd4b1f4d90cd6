import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { concat, encodeField, encodeTextField, encodeVarintField } from '../../encodings/protobuf/encodeField';
import { constantTensor } from '../values/constantTensor';
import { adds, newFloats, raw, refused, set } from './testing/setting';
import { body, bytesOf, floatFeed, floats, info, node, run, smallModel } from './testing/smallModel';

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
