import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { isNumberedName } from '../../../shared/model/isNumberedName';
import { memorySource } from '../../bytes/memorySource';
import { openCheckpointFile } from '../../formats/openCheckpointFile';
import { modelOf } from '../testing/readBytes';
import type { CheckpointTensor } from './contentMatches';
import { type ProposeOptions, proposeNames } from './proposeNames';

const DIGITS = join(import.meta.dirname, '../../../e2e/fixtures/digits/checkpoints');

async function groupsOf(path: string): Promise<CheckpointTensor[]> {
  const { groups } = await openCheckpointFile({ kind: 'file', path }, path);
  return groups.flatMap(({ keys, dtype, shape, data }) =>
    'code' in data ? [] : [{ name: keys.join('/'), dtype, shape, plan: { kind: 'ref' as const, group: keys.join('/'), ref: data } }],
  );
}

async function proposed(bytes: Uint8Array, from: ProposeOptions['from'], onlyNumbered = true) {
  const options = { from, onlyNumbered, home: { source: memorySource(bytes), file: 'm', pathOf: () => null } };
  return (await proposeNames(await modelOf(bytes), options)).map(({ address, to, source, reason }) => ({ name: address.name, to, source, reason }));
}

/** One operator with initializers that are float32 zeros but for what is given. */
function oneNode(node: onnx.INodeProto, initializers: readonly { name: string; dims: number[]; values: readonly number[] }[]): Uint8Array {
  const initializer = initializers.map(({ name, dims, values }) => ({ name, dims, dataType: 1, rawData: new Uint8Array(Float32Array.from(values).buffer) }));
  return onnx.ModelProto.encode(onnx.ModelProto.create({ irVersion: 8, graph: { node: [node], initializer } })).finish();
}

function inMemory(name: string, shape: number[], values: readonly number[]): CheckpointTensor {
  const source = { kind: 'memory' as const, bytes: new Uint8Array(Float32Array.from(values).buffer) };
  return {
    name,
    dtype: 'float32',
    shape,
    plan: { kind: 'ref', group: name, ref: { dtype: 'float32', shape, source, offset: 0, strides: null, bigEndian: false } },
  };
}

describe('proposeNames', () => {
  it('names the weights of the digits after their nodes', async () => {
    const bytes = await readFile(join(DIGITS, '02_digits.onnx'));
    const names = (await proposed(bytes, { kind: 'nodes' })).map(({ name, to }) => [name, to]);
    expect(names).toEqual([
      ['onnx::Conv_32', 'encoder.stem.conv.weight'],
      ['onnx::Conv_33', 'encoder.stem.conv.bias'],
      ['onnx::Conv_35', 'encoder.body.conv.weight'],
      ['onnx::Conv_36', 'encoder.body.conv.bias'],
    ]);
  });

  it('sees the folded BatchNorm of the digits, and that fc1 and classifier keep their names', async () => {
    const bytes = await readFile(join(DIGITS, '02_digits.onnx'));
    const groups = await groupsOf(join(DIGITS, '02_digits.pt'));
    const proposals = await proposed(bytes, { kind: 'checkpoint', groups }, false);
    expect(proposals.map(({ name, to, source }) => [name, to, source])).toEqual([
      ['onnx::Conv_32', 'encoder.stem.conv.weight', 'batch-norm-folded'],
      ['onnx::Conv_33', 'encoder.stem.conv.bias', 'batch-norm-folded'],
      ['onnx::Conv_35', 'encoder.body.conv.weight', 'batch-norm-folded'],
      ['onnx::Conv_36', 'encoder.body.conv.bias', 'batch-norm-folded'],
    ]);
    expect(proposals[0]?.reason).toMatch(/^encoder\.stem\.conv\.weight with the BatchNorm encoder\.stem\.\w+ folded in$/);
  });

  it('sees nothing of the digits in a checkpoint of other values', async () => {
    const bytes = await readFile(join(DIGITS, '02_digits.onnx'));
    const groups = await groupsOf(join(DIGITS, '01_init.pt'));
    expect(await proposed(bytes, { kind: 'checkpoint', groups })).toEqual([]);
  });

  it('counts operators', async () => {
    const bytes = await readFile(join(DIGITS, '02_digits.onnx'));
    const names = (await proposed(bytes, { kind: 'position' }, false)).map(({ name, to }) => [name, to]);
    expect(names).toContainEqual(['onnx::Conv_35', 'conv[1].weight']);
    expect(names).toContainEqual(['classifier.bias', 'gemm[1].bias']);
  });

  it('finds a matrix that was transposed for MatMul', async () => {
    const bytes = oneNode({ opType: 'MatMul', input: ['x', 'onnx::MatMul_98'], output: ['y'] }, [
      { name: 'onnx::MatMul_98', dims: [2, 3], values: [1, 3, 5, 2, 4, 6] },
    ]);
    const groups = [inMemory('fc.weight', [3, 2], [1, 2, 3, 4, 5, 6]), inMemory('fc.bias', [3], [1, 2, 3])];
    expect(await proposed(bytes, { kind: 'checkpoint', groups })).toEqual([
      { name: 'onnx::MatMul_98', to: 'fc.weight', source: 'content-transposed', reason: 'equal to fc.weight, transposed' },
    ]);
  });

  it('does not choose among equal groups, unless the node says which', async () => {
    const groups = ['a.bias', 'b.bias'].map((name) => inMemory(name, [3], [0, 0, 0]));
    const zeros = [{ name: '7', dims: [3], values: [0, 0, 0] }];
    const node = { opType: 'Add', input: ['x', '7'], output: ['y'] };
    expect(await proposed(oneNode(node, zeros), { kind: 'checkpoint', groups })).toEqual([]);
    expect(await proposed(oneNode({ ...node, name: '/b/Add' }, zeros), { kind: 'checkpoint', groups })).toMatchObject([{ to: 'b.bias', source: 'content' }]);
  });

  it('tells -0 from 0 and one unit in the last place', async () => {
    const node = { opType: 'Add', input: ['x', '7'], output: ['y'] };
    const value = [{ name: '7', dims: [2], values: [0, 1] }];
    for (const values of [
      [-0, 1],
      [0, 1 + 2 ** -23],
    ]) {
      expect(await proposed(oneNode(node, value), { kind: 'checkpoint', groups: [inMemory('a', [2], values)] })).toEqual([]);
    }
  });

  it('gives no name twice, nor one that another value has', async () => {
    const conv = (name: string, weight: string) => ({ name, opType: 'Conv', input: ['x', weight], output: [`${name}_out`] });
    const graph = {
      node: [conv('/a/Conv', '1'), conv('/a/Conv', '2'), conv('/b/Conv', '3')],
      initializer: ['1', '2', '3', 'b.weight'].map((name) => ({ name, dims: [0], dataType: 1 })),
    };
    const bytes = onnx.ModelProto.encode(onnx.ModelProto.create({ irVersion: 8, graph })).finish();
    expect((await proposed(bytes, { kind: 'nodes' })).map(({ name, to }) => [name, to])).toEqual([
      ['1', 'a.weight'],
      ['2', 'a.weight_1'],
      ['3', 'b.weight_1'],
    ]);
  });

  it('reads the scopes that the dynamo exporter writes', async () => {
    const metadataProps = [{ key: 'pkg.torch.onnx.name_scopes', value: "['', 'encoder', 'encoder.fc', 'linear']" }];
    // onnx-proto is older than the metadata of nodes: field 9.
    const entry = onnx.StringStringEntryProto.encode(metadataProps[0] ?? {}).finish();
    const plain = onnx.NodeProto.encode({ opType: 'Gemm', name: 'node_linear', input: ['x', 'val_3'], output: ['y'] }).finish();
    const node = Buffer.concat([plain, Uint8Array.of(0x4a, entry.byteLength), entry]);
    const tensor = onnx.TensorProto.encode({ name: 'val_3', dims: [0], dataType: 1 }).finish();
    const graph = Buffer.concat([Uint8Array.of(0x0a, node.byteLength), node, Uint8Array.of(0x2a, tensor.byteLength), tensor]);
    const bytes = Buffer.concat([Uint8Array.of(0x08, 10, 0x3a, graph.byteLength + 0), graph]);
    expect((await proposed(graph.byteLength < 128 ? bytes : withLength(graph), { kind: 'nodes' })).map(({ to }) => to)).toEqual(['encoder.fc.weight']);
  });
});

function withLength(graph: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(0x08, 10, 0x3a, (graph.byteLength & 0x7f) | 0x80, graph.byteLength >> 7), graph]);
}

describe('isNumberedName', () => {
  it.each(['', '98', 'onnx::MatMul_98', 'onnx::Conv_32', 'const_fold_opt__12', 'val_3', '_v_7'])('%j says nothing', (name) => {
    expect(isNumberedName(name)).toBe(true);
  });
  it.each(['fc1.weight', 'conv2d_3.w_0', 'W', 'layer.0.weight', 'weight_ih_l0'])('%j is a name', (name) => {
    expect(isNumberedName(name)).toBe(false);
  });
});
