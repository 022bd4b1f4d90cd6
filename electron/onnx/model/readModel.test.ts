import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../bytes/memorySource';
import { encodeField, encodeTextField, encodeVarintField } from '../../encodings/protobuf/encodeField';
import type { WireEdit } from '../../encodings/protobuf/frame';
import { patchMessage } from '../../encodings/protobuf/patchMessage';
import { joined, modelOf } from '../testing/readBytes';
import { HARD_MODELS, REAL_MODELS } from '../testing/realModels';
import type { NameSite, OnnxGraph } from './onnxModel';
import { readModel } from './readModel';

const FILES = [...HARD_MODELS, ...REAL_MODELS].map((path): [string, string] => [basename(path), path]);

/** What onnx-proto, which shares no code with ours, says of a graph. */
function described(graph: onnx.IGraphProto): unknown {
  return {
    nodes: (graph.node ?? []).map(({ name, opType, input, output, attribute }) => ({
      name: name ?? '',
      op: opType ?? '',
      input: input ?? [],
      output: output ?? [],
      attributes: (attribute ?? []).map((each) => each.name),
      bodies: (attribute ?? []).flatMap(({ g, graphs }) => [...(g === null || g === undefined ? [] : [g]), ...(graphs ?? [])]).map(described),
    })),
    initializers: (graph.initializer ?? []).map(({ name, dims, dataType }) => ({ name: name ?? '', dims: (dims ?? []).map(Number), type: dataType })),
    inputs: (graph.input ?? []).map(({ name }) => name),
    outputs: (graph.output ?? []).map(({ name }) => name),
    values: (graph.valueInfo ?? []).map(({ name }) => name),
  };
}

function ours(graph: OnnxGraph): unknown {
  return {
    nodes: graph.nodes.map(({ name, op, inputs, outputs, attributes }) => ({
      name,
      op,
      input: inputs.map(({ text }) => text),
      output: outputs.map(({ text }) => text),
      attributes: attributes.map((attribute) => attribute.name),
      bodies: attributes.flatMap(({ graphs }) => graphs).map(ours),
    })),
    initializers: graph.initializers.map(({ name, dims, type }) => ({ name, dims, type })),
    inputs: graph.inputs.map(({ name }) => name),
    outputs: graph.outputs.map(({ name }) => name),
    values: graph.valueInfos.map(({ name }) => name),
  };
}

describe('readModel', () => {
  it.each(FILES)('reads %s as onnx-proto does', async (_, file) => {
    const bytes = await readFile(file);
    const model = await modelOf(bytes);
    const decoded = onnx.ModelProto.decode(bytes);
    expect(ours(model.graph)).toEqual(described(decoded.graph ?? expect.fail()));
    expect(model.irVersion).toBe(Number(decoded.irVersion));
    expect(model.opsets.map(({ version }) => version)).toEqual(decoded.opsetImport.map(({ version }) => Number(version)));
  });

  it.each(FILES)('%s comes back byte for byte when nothing is edited, and when every name is written again', async (_, file) => {
    const bytes = await readFile(file);
    const model = await modelOf(bytes);
    expect(patchMessage(model.length, [])).toEqual([{ kind: 'copy', offset: 0, length: bytes.byteLength }]);
    const rewritten = ({ text, site }: NameSite): WireEdit => ({
      frame: site.frame,
      offset: site.start,
      remove: site.end - site.start,
      insert: [{ kind: 'new', bytes: encodeTextField(site.number, text) }],
    });
    const edits = model.graphs.flatMap(({ nodes, initializers }) => [
      ...nodes.flatMap(({ inputs, outputs }) => [...inputs, ...outputs].map(rewritten)),
      ...initializers.flatMap(({ name, nameSite }) => (nameSite === null ? [] : [rewritten({ text: name, site: nameSite })])),
    ]);
    expect(edits.length).toBeGreaterThan(0);
    expect(Buffer.from(await joined(bytes, patchMessage(model.length, edits))).equals(bytes)).toBe(true);
  });

  it('reads no payload', async () => {
    const payload = new Uint8Array(1_000_000).fill(7);
    const model = onnx.ModelProto.create({ irVersion: 8, graph: { initializer: [{ name: 'w', dims: [1_000_000], dataType: 3, rawData: payload }] } });
    const source = memorySource(onnx.ModelProto.encode(model).finish());
    let read = 0;
    const counting = {
      length: source.length,
      close: () => source.close(),
      read: (offset: number, length: number) => {
        read += length;
        return source.read(offset, length);
      },
    };
    const { graph } = await readModel(counting, { file: 'm' });
    expect(graph.initializers[0]).toMatchObject({ name: 'w', dims: [1_000_000], raw: { length: 1_000_000 } });
    expect(read).toBeLessThan(20_000);
  });

  it('finds what stands behind a payload, and lists unknown fields at every level', async () => {
    const node = encodeField(1, Buffer.concat([encodeTextField(1, 'w'), encodeTextField(2, 'y'), encodeTextField(4, 'Neg'), encodeTextField(900, 'later')]));
    const tensor = encodeField(
      5,
      Buffer.concat([encodeVarintField(1, 9000), encodeVarintField(2, 3), encodeField(9, new Uint8Array(9000)), encodeTextField(8, 'w')]),
    );
    const bytes = Buffer.concat([encodeVarintField(1, 9), encodeField(7, Buffer.concat([tensor, node, encodeTextField(901, 'x')])), encodeVarintField(902, 5)]);
    const model = await modelOf(bytes);
    expect(model.graph.nodes).toMatchObject([{ op: 'Neg', inputs: [{ text: 'w' }], unknownFields: [900] }]);
    expect([model.graph.unknownFields, model.unknownFields]).toEqual([[901], [902]]);
    expect(model.graph.initializers[0]?.name).toBe('w');
    const site = model.graph.initializers[0]?.nameSite ?? expect.fail();
    expect(Buffer.from(bytes.subarray(site.start, site.end)).equals(Buffer.from(encodeTextField(8, 'w')))).toBe(true);
  });

  it('addresses bodies by the node that holds them', async () => {
    const { graphs } = await modelOf(await readFile(REAL_MODELS[0] ?? expect.fail()));
    expect(graphs[0]?.path).toBe('');
    const inner = graphs.slice(1);
    expect(inner.length).toBeGreaterThan(0);
    expect(inner.every(({ path }) => /^#\d+\.(then|else)_branch(\/#\d+\.(then|else)_branch)*$/.test(path))).toBe(true);
  });

  it('keeps large lists of attributes and names that are not UTF-8', async () => {
    const ints = Array.from({ length: 300_000 }, (_, i) => i % 100);
    const attribute = { name: 'value_ints', type: 7, ints };
    const model = onnx.ModelProto.create({ irVersion: 8, graph: { node: [{ opType: 'Constant', output: ['c'], attribute: [attribute] }] } });
    const { graph } = await modelOf(onnx.ModelProto.encode(model).finish());
    expect(graph.nodes[0]?.attributes[0]?.ints.length).toBe(300_000);
    const broken = encodeField(7, encodeField(5, encodeField(8, Uint8Array.of(0x61, 0xff))));
    expect((await modelOf(broken)).graph.initializers[0]?.name).toBe('a\udcff');
  });

  it.each<[string, Uint8Array, string]>([
    ['a file without a graph', encodeVarintField(1, 8), 'no graph'],
    ['two graphs', Buffer.concat([encodeField(7, new Uint8Array(0)), encodeField(7, new Uint8Array(0))]), 'two main graphs'],
    ['a graph that ends too late', Uint8Array.of(0x3a, 0x7f, 0), 'should end'],
    ['a graph that is a number', encodeVarintField(7, 1), 'message'],
  ])('says what is wrong with %s', async (_, bytes, words) => {
    await expect(modelOf(bytes)).rejects.toThrow(words);
  });

  it('refuses bodies without end', async () => {
    let graph: Uint8Array = encodeField(7, new Uint8Array(0));
    for (let i = 0; i < 100; i++) graph = encodeField(i === 99 ? 7 : 6, encodeField(1, encodeField(5, graph)));
    await expect(modelOf(graph)).rejects.toThrow('inside each other');
  });
});
