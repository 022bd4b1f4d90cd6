import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { pieceLength } from '../../bytes/pieces';
import { joined, modelOf, patched } from '../testing/readBytes';
import { planExternalise } from './planExternalise';
import { planInline } from './planInline';
import { planRename } from './planRename';
import { body, bytesOf, decoded, floatFeed, floats, info, node, run, smallModel } from './testing/smallModel';

const entriesOf = (tensor: onnx.ITensorProto | undefined): Partial<Record<'location' | 'offset' | 'length', string>> =>
  Object.fromEntries(tensor?.externalData?.map(({ key, value }) => [key, value]) ?? []);

describe('move values into a file of external data', () => {
  it('and back: the very same values, aligned', async () => {
    const bytes = await readFile(join(import.meta.dirname, '../../../e2e/fixtures/digits/checkpoints/02_digits.onnx'));
    const before = decoded(bytes).graph.initializer ?? [];
    const plan = planExternalise(await modelOf(bytes), { file: 'weights.bin', atLeast: 256, modelFile: 'model.onnx' });
    expect(plan.refusals).toEqual([]);
    const small = await patched(bytes, plan);
    expect(small.byteLength).toBeLessThan(bytes.byteLength / 2);
    const file = await joined(bytes, plan.files[0]?.pieces ?? []);
    const { graph } = decoded(small);
    let moved = 0;
    for (const [index, tensor] of (graph.initializer ?? []).entries()) {
      if (tensor.dataLocation !== 1) continue;
      moved++;
      const { location, offset, length } = entriesOf(tensor);
      expect([location, Number(offset) % 4096]).toEqual(['weights.bin', 0]);
      const original = before[index]?.rawData ?? new Uint8Array();
      expect(Buffer.from(file.subarray(Number(offset), Number(offset) + Number(length))).equals(Buffer.from(original))).toBe(true);
    }
    expect(moved).toBe(plan.sites.length);
    expect(moved).toBeGreaterThan(2);
    const image = await floatFeed(
      Array.from({ length: 64 }, (_, i) => Math.sin(i)),
      [1, 1, 8, 8],
    );
    expect(await run(small, { image }, [{ path: 'weights.bin', data: file }])).toEqual(await run(bytes, { image }));
    const inline = planInline(await modelOf(small), ({ external }) => ({
      kind: 'new',
      bytes: file.subarray(external?.offset ?? 0, (external?.offset ?? 0) + (external?.length ?? 0)),
    }));
    const back = await patched(small, inline);
    expect(Buffer.from(back).equals(bytes)).toBe(true);
  });

  it('takes packed floats, not values one by one, texts, small ones or constants', async () => {
    const bytes = smallModel({
      initializer: [
        { name: 'packed', dims: [4], dataType: 1, floatData: [1, 2, 3, 4] },
        { name: 'half', dims: [16], dataType: 10, int32Data: Array.from({ length: 16 }, (_, i) => i) },
        { name: 'text', dims: [2], dataType: 8, stringData: [Buffer.alloc(40), Buffer.alloc(40)] },
        floats('small', [1], [1]),
        { name: 'none', dims: [0], dataType: 1 },
        { name: 'broken', dims: [9], dataType: 1, rawData: new Uint8Array(16) },
        { name: 'unknown', dims: [20], dataType: 27, rawData: new Uint8Array(15) },
      ],
      node: [node('If', [], [], { attribute: [body('then_branch', { initializer: [floats('inner', [4], [5, 6, 7, 8])] })] })],
    });
    const plan = planExternalise(await modelOf(bytes), { file: 'w.bin', atLeast: 15, alignment: 32 });
    const { graph } = decoded(await patched(bytes, plan));
    expect(
      graph.initializer?.filter(({ dataLocation }) => dataLocation === 1).map((tensor) => [tensor.name, entriesOf(tensor).offset, entriesOf(tensor).length]),
    ).toEqual([
      ['packed', '0', '16'],
      ['unknown', '32', '15'],
    ]);
    expect(entriesOf(graph.node?.[0]?.attribute?.[0]?.g?.initializer?.[0]).offset).toBe('64');
    expect(plan.warnings.join(' ')).toContain('"half" stays in the model');
    const file = await joined(bytes, plan.files[0]?.pieces ?? []);
    expect([...file.subarray(0, 16), ...file.subarray(64)]).toEqual([...bytesOf([1, 2, 3, 4]), ...bytesOf([5, 6, 7, 8])]);
  });

  it.each([
    ['../w.bin', 'names a folder'],
    ['a\\w.bin', 'names a folder'],
    ['C:w.bin', 'names a folder'],
    ['..', 'cannot be called'],
    ['', 'no name'],
    ['w\n.bin', 'characters'],
    ['w.bin.', 'Windows'],
    ['Model.ONNX', 'is the model itself'],
    ['W.BIN', 'holds values of the model already ("W")'],
    ['x'.repeat(300), 'longer than 255 bytes'],
  ])('refuses the name %j', async (file, words) => {
    const external = { name: 'W', dims: [2], dataType: 1, dataLocation: 1, externalData: [{ key: 'location', value: './w.bin' }] };
    const model = await modelOf(smallModel({ initializer: [external, floats('V', [2], [1, 2])] }));
    const plan = planExternalise(model, { file, atLeast: 0, modelFile: 'model.onnx' });
    expect(plan.refusals.join(' ')).toContain(words);
    expect(plan.files).toEqual([]);
  });

  it('says when nothing is that large', async () => {
    const plan = planExternalise(await modelOf(smallModel({ initializer: [floats('V', [2], [1, 2])] })), { file: 'w.bin', atLeast: 1000 });
    expect(plan.refusals.join()).toContain('No initializer in the model has 1.00 kB or more');
  });
});

describe('move values into the model', () => {
  const external = (name: string, more: onnx.ITensorProto = {}) => ({
    name,
    dims: [2],
    dataType: 1,
    dataLocation: 1,
    externalData: [
      { key: 'location', value: 'w.bin' },
      { key: 'checksum', value: '00' },
    ],
    ...more,
  });
  const graph = (tensor: onnx.ITensorProto) => ({
    input: [info('x', [2])],
    output: [info('y', [2])],
    initializer: [tensor],
    node: [node('Add', ['x', 'W'], ['y'])],
  });

  it('is computed with', async () => {
    const bytes = smallModel(graph(external('W')));
    const plan = planInline(await modelOf(bytes), () => ({ kind: 'new', bytes: bytesOf([5, 6]) }));
    expect(plan.warnings.join()).toContain('"w.bin" stays as it is');
    const after = await patched(bytes, plan);
    expect(decoded(after).graph.initializer?.[0]).toMatchObject({ externalData: [], dataLocation: 0 });
    expect(await run(after, { x: await floatFeed([1, 1], [2]) })).toEqual({ y: [6, 7] });
  });

  it('reaches tensors of attributes and of sparse initializers', async () => {
    const bytes = smallModel({
      sparseInitializer: [{ values: external('S'), indices: external('I', { dataType: 7, dims: [1] }), dims: [9] }],
      node: [node('Constant', [], ['c'], { attribute: [{ name: 'value', type: 4, t: external('t') }] })],
    });
    const plan = planInline(await modelOf(bytes), () => ({ kind: 'new', bytes: new Uint8Array(8) }));
    expect(plan.sites.map(({ place }) => place)).toEqual(['initializer "S"', 'initializer "I"', 'a tensor of node 0 Constant']);
    const after = decoded(await patched(bytes, plan)).graph;
    expect([after.sparseInitializer?.[0]?.values?.rawData?.byteLength, after.node?.[0]?.attribute?.[0]?.t?.rawData?.byteLength]).toEqual([8, 8]);
  });

  it('refuses what cannot be had, names which tensor, and models that would be too large', async () => {
    const model = await modelOf(smallModel(graph(external('W'))));
    expect(planInline(model, () => 'the file w.bin has 3 bytes.').refusals).toEqual(['initializer "W": the file w.bin has 3 bytes.']);
    expect(planInline(model, () => ({ kind: 'file', path: '/w.bin', offset: 0, length: 7 })).refusals.join()).toContain('gives 7 bytes, but float[2] needs 8');
    const text = await modelOf(smallModel(graph(external('W', { dataType: 8 }))));
    expect(planInline(text, () => ({ kind: 'file', path: '/w.bin', offset: 0, length: 7 })).refusals.join()).toContain('texts are never in another file');
    const large = await modelOf(smallModel(graph(external('W', { dims: [2 ** 30] }))));
    expect(planInline(large, () => ({ kind: 'file', path: '/w.bin', offset: 0, length: 2 ** 32 })).refusals.join()).toContain('the format allows 2147483647');
    expect(planInline(await modelOf(smallModel({})), () => '').refusals.join()).toContain('in the model already');
  });

  it('reads the fixture with external data', async () => {
    const folder = join(import.meta.dirname, '../../../e2e/fixtures/onnx');
    const model = await modelOf(await readFile(join(folder, 'ext.onnx')));
    const plan = planInline(model, ({ external: place }) => `not asked for ${place?.location ?? ''}`);
    expect(plan.refusals.length).toBeGreaterThan(0);
  });
});

describe('renaming in a model whose values are in another file', () => {
  it('touches the small file only', async () => {
    const count = 100;
    const length = 10_000_000;
    const tensors = Array.from({ length: count }, (_, i) => ({
      name: `onnx::MatMul_${i}`,
      dims: [length],
      dataType: 3,
      dataLocation: 1,
      externalData: [
        { key: 'location', value: 'w.bin' },
        { key: 'offset', value: String(i * length) },
        { key: 'length', value: String(length) },
      ],
    }));
    const bytes = smallModel({ initializer: tensors });
    const model = await modelOf(bytes);
    const plan = planRename(
      model,
      tensors.map(({ name }, i) => ({ graph: '', name, to: `layer.${i}.weight` })),
    );
    expect([plan.refusals, plan.files]).toEqual([[], []]);
    const written = plan.edits.flatMap(({ insert }) => insert).reduce((sum, piece) => sum + pieceLength(piece), 0);
    expect(written).toBeLessThan(10_000);
    expect(
      decoded(await patched(bytes, plan)).graph.initializer?.every(
        (tensor, i) => tensor.name === `layer.${i}.weight` && entriesOf(tensor).offset === String(i * length),
      ),
    ).toBe(true);
  });
});
