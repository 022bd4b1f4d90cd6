import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { encodeField, encodeTextField } from '../../encodings/protobuf/encodeField';
import { checkModel } from '../check/checkModel';
import { indexScopes } from '../scopes/indexScopes';
import { modelOf, patched } from '../testing/readBytes';
import { planRename } from './planRename';
import { planRenameNodes } from './planRenameNodes';
import { adds, branches, type Done, main, out, refused, rename } from './testing/renaming';
import { runBits } from './testing/runBits';
import { body, decoded, floats, info, node } from './testing/smallModel';

const fixture = (name: string) => readFile(join(import.meta.dirname, `../../../e2e/fixtures/onnx/${name}.onnx`)).then((bytes) => new Uint8Array(bytes));
describe('rename an initializer', () => {
  it('writes its name and its uses, and computes the same', async () => {
    const before = adds();
    const { sites, plan, bytes, graph } = await rename(before, main({ W: 'encoder.weight' }));
    expect(sites).toEqual(['node 0 Add, input 1: W → encoder.weight', 'initializer 0: W → encoder.weight']);
    expect([plan.title, plan.warnings]).toEqual(['Rename "W" to "encoder.weight"', []]);
    expect(graph.node?.[0]?.input).toEqual(['x', 'encoder.weight']);
    expect(await runBits(bytes)).toEqual(await runBits(before));
  });

  it('leaves every byte but the names and the lengths above them', async () => {
    const before = adds();
    const { bytes } = await rename(before, main({ W: 'V' }));
    expect([...bytes].filter((byte, at) => byte !== before[at])).toEqual([0x56, 0x56]);
  });

  it('that is also an input moves both, and says that the interface changes', async () => {
    const before = adds({ input: [out('x'), out('W')] });
    const { sites, plan, bytes } = await rename(before, main({ W: 'V' }));
    expect(sites).toContain('input 1: W → V');
    expect(sites).toContain('initializer 0: W → V');
    expect(plan.warnings.join()).toMatch(/"W" is an input with a default value/);
    expect(await runBits(bytes)).toEqual(await runBits(before));
  });

  it('of ir_version 3 keeps its input, and without one says that the model was invalid', async () => {
    const sound = adds({ input: [out('x'), out('W')] }, { irVersion: 3, opsetImport: [{ version: 7 }] });
    const { graph, bytes } = await rename(sound, main({ W: 'V' }));
    expect(graph.input?.map(({ name }) => name)).toEqual(['x', 'V']);
    expect(checkModel(await modelOf(bytes))).toEqual([]);
    const { plan } = await rename(adds({}, { irVersion: 3 }), main({ W: 'V' }));
    expect(plan.warnings.join()).toMatch(/every initializer is also an input, but "W" is not/);
  });

  it('whose input says another type keeps both as they are', async () => {
    const { graph } = await rename(adds({ input: [out('x'), info('W', [7], 11)] }), main({ W: 'V' }));
    expect(graph.input?.[1]).toMatchObject({ name: 'V', type: { tensorType: { elemType: 11 } } });
    expect(graph.initializer?.[0]).toMatchObject({ name: 'V', dataType: 1 });
  });

  it('follows uses into bodies at any depth', async () => {
    const deepest = body('then_branch', { node: [node('Mul', ['x', 'W'], ['d'])], output: [out('d')] });
    const other = body('else_branch', { node: [node('Neg', ['W'], ['n'])], output: [out('n')] });
    const before = branches({ node: [node('If', ['cond'], ['t'], { attribute: [deepest, other] })], output: [out('t')] });
    const { sites, bytes } = await rename(before, main({ W: 'V' }));
    expect(sites).toEqual([
      '#0.then_branch/#0.then_branch: node 0 Mul, input 1: W → V',
      '#0.then_branch/#0.else_branch: node 0 Neg, input 0: W → V',
      'initializer 0: W → V',
    ]);
    expect(await runBits(bytes)).toEqual(await runBits(before));
  });

  it.each(['shadow_in', 'shadow_init'])('stops at a body that has a value of that name itself (%s)', async (name) => {
    const before = await fixture(name);
    const plan = planRename(await modelOf(before), main({ a: 'V' }));
    expect(plan.sites.map(({ graph, place }) => [graph, place])).toEqual([
      ['#0.else_branch', 'node 0 Identity, input 0'],
      ['', 'initializer 0'],
    ]);
    expect(plan.warnings.join()).toMatch(/"a" is 2 values: graph #0.then_branch has a value of that name of its own/);
    const after = await patched(before, plan);
    // The way back would hide one behind the other again.
    expect(await refused(after, main({ V: 'a' }))).toMatch(/a graph inside it defines that name already/);
    const { graph } = decoded(after);
    const inner = graph.node?.[0]?.attribute?.find((attribute) => attribute.name === 'then_branch')?.g ?? expect.fail();
    expect(inner.node?.[0]?.input).toContain('a');
    const within = planRename(await modelOf(before), [{ graph: '#0.then_branch', name: 'a', to: 'V' }]);
    expect(within.refusals).toEqual([]);
    expect(within.sites.every((site) => site.graph === '#0.then_branch')).toBe(true);
    expect(within.warnings.join()).toMatch(/"a" of graph #0.then_branch hides that of the main graph no longer/);
  });

  it('parts two values of one name, which ONNX Runtime had taken for one: it is said', async () => {
    const before = await fixture('shadow_init');
    const plan = planRename(await modelOf(before), main({ a: 'V' }));
    expect(plan.warnings.join()).toMatch(/ONNX Runtime, which may read the outer one there, may compute something else/);
    const one = (value: number) => [
      `float32[1] ${createHash('sha256')
        .update(Buffer.from(Float32Array.of(value).buffer))
        .digest('hex')}`,
    ];
    // The body's own a is 9, the outer one 1; the body reads its own by the specification.
    expect(await runBits(before)).toEqual(one(1));
    expect(await runBits(await patched(before, plan))).toEqual(one(9));
  });

  it('that is an output of the graph renames the output, and says that the interface changes', async () => {
    const before = adds({ output: [out('y'), out('W')] });
    const { sites, plan, bytes } = await rename(before, main({ W: 'V' }));
    expect(sites).toContain('output 1 of the graph: W → V');
    expect(plan.warnings.join()).toMatch(/output "W" is asked for by name/);
    expect(await runBits(bytes)).toEqual(await runBits(before));
  });

  it('renames every entry of value_info, repeated ones and those of bodies too', async () => {
    const inside = { node: [node('Add', ['x', 'W'], ['t'])], output: [out('t')], valueInfo: [out('W')] };
    const { graph } = await rename(branches(inside, { valueInfo: [out('W'), out('W')] }), main({ W: 'V' }));
    expect(graph.valueInfo?.map(({ name }) => name)).toEqual(['V', 'V']);
    expect(graph.node?.[0]?.attribute?.[0]?.g?.valueInfo?.[0]?.name).toBe('V');
  });

  it('renames quantization annotations: the tensor, its scale and its zero point', async () => {
    const before = adds({
      initializer: [floats('W', [2], [1, 2]), floats('s', [], [1]), { name: 'z', dims: [], dataType: 2, rawData: Uint8Array.of(0) }],
      quantizationAnnotation: [
        {
          tensorName: 'W',
          quantParameterTensorNames: [
            { key: 'SCALE_TENSOR', value: 's' },
            { key: 'ZERO_POINT_TENSOR', value: 'z' },
          ],
        },
      ],
    });
    const { graph, sites } = await rename(before, main({ W: 'V', s: 'scale', z: 'zero' }));
    expect(graph.quantizationAnnotation?.[0]).toMatchObject({ tensorName: 'V', quantParameterTensorNames: [{ value: 'scale' }, { value: 'zero' }] });
    expect(sites).toContain('quantization_annotation 0, SCALE_TENSOR: s → scale');
  });

  it('renames the values of a sparse initializer, and its indices only when they have the name of a value', async () => {
    const sparse = (indices: string) => ({
      values: floats('S', [1], [5]),
      indices: { name: indices, dims: [1], dataType: 7, rawData: new Uint8Array(8) },
      dims: [2],
    });
    const names = ({ graph }: Done) => graph.sparseInitializer?.map(({ values, indices }) => [values?.name, indices?.name]);
    expect(names(await rename(adds({ sparseInitializer: [sparse('S_idx')] }), main({ S: 'T' })))).toEqual([['T', 'S_idx']]);
    expect(names(await rename(adds({ sparseInitializer: [sparse('S')] }), main({ S: 'T' })))).toEqual([['T', 'T']]);
    expect(names(await rename(adds({ sparseInitializer: [sparse('W')] }), main({ W: 'V' })))).toEqual([['S', 'V']]);
  });

  it('renames training: nodes of both graphs, keys and values of bindings, initializers of the algorithm', async () => {
    const training: onnx.ITrainingInfoProto = {
      initialization: { name: 'i', node: [node('Identity', ['W'], ['W0'])], output: [out('W0')] },
      initializationBinding: [{ key: 'W', value: 'W0' }],
      algorithm: { name: 'a', initializer: [floats('rate', [], [1])], node: [node('Mul', ['W', 'rate'], ['W1'])], output: [out('W1')] },
      updateBinding: [{ key: 'W', value: 'W1' }],
    };
    const before = adds({}, { trainingInfo: [training] });
    const renames = [
      ...main({ W: 'V' }),
      { graph: 'training:0.algorithm', name: 'rate', to: 'r' },
      { graph: 'training:0.algorithm', name: 'W1', to: 'V1' },
      { graph: 'training:0.initialization', name: 'W0', to: 'V0' },
    ];
    const { model, sites, bytes } = await rename(before, renames);
    expect(model.trainingInfo[0]).toMatchObject({
      initialization: { node: [{ input: ['V'], output: ['V0'] }], output: [{ name: 'V0' }] },
      initializationBinding: [{ key: 'V', value: 'V0' }],
      algorithm: { initializer: [{ name: 'r' }], node: [{ input: ['V', 'r'], output: ['V1'] }], output: [{ name: 'V1' }] },
      updateBinding: [{ key: 'V', value: 'V1' }],
    });
    expect(sites).toContain('training:0.algorithm: training_info 0, update_binding 0, key: W → V');
    expect(checkModel(await modelOf(bytes))).toEqual([]);
  });

  it('renames what only onnx.proto of IR 11 has, and keeps unknown fields: the hard model', async () => {
    const before = await fixture('hard');
    const { sites, model, graph, plan, bytes } = await rename(before, main({ W: 'V' }));
    expect(sites.map((site) => site.replace(': W → V', ''))).toEqual([
      'node 0 MatMul "n", input 1',
      'node 0 MatMul "n", sharding_spec.tensor_name',
      '#2.else_branch/#0.then_branch: node 0 Mul "n", input 1',
      '#2.then_branch: node 0 Add, input 1',
      'node 4 local.MyFn "call", input 1',
      'initializer 0',
      'value_info 0',
      'quantization_annotation 0, tensor_name',
      'training:0.algorithm: node 0 Sub "upd", input 0',
      'training:0.algorithm: training_info 0, update_binding 0, key',
    ]);
    // The function's formal parameter W is another thing.
    expect(model.functions[0]).toMatchObject({ input: ['p', 'W'], node: [{ input: ['p', 'W'] }] });
    expect(graph.node?.[4]?.input).toEqual(['a', 'V']);
    expect(plan.warnings).toEqual(['The old name "W" also stands in metadata_props "note" of the model: texts are not rewritten.']);
    expect(Buffer.from(bytes).includes(Buffer.from([0xba, 0x3e, 3, ...Buffer.from('abc')]))).toBe(true);
    const errors = checkModel(await modelOf(bytes)).filter(({ severity }) => severity === 'error');
    expect(errors).toEqual([]);
  });

  it('of everything in the hard model at once leaves what ONNX Runtime computes', async () => {
    const before = await fixture('hard');
    // Its nodes share a name, which ONNX Runtime does not load.
    const named = await patched(before, planRenameNodes(await modelOf(before), [{ graph: '', index: 1, to: 'add' }]));
    const model = await modelOf(named);
    const index = indexScopes(model);
    const values = index.owners.flatMap((owner) => index.definitions(owner));
    const { bytes } = await rename(
      named,
      values.map(({ owner, name }, i) => ({ graph: owner.path, name, to: `v${i}` })),
    );
    expect(values.length).toBeGreaterThan(15);
    expect(await runBits(bytes, [[2, 2]])).toEqual(await runBits(named, [[2, 2]]));
  });

  it('inside a function touches only that function', async () => {
    const before = await fixture('hard');
    const { model, sites, graph } = await rename(before, [{ graph: 'fn:local.MyFn', name: 'W', to: 'weight' }]);
    expect(model.functions[0]).toMatchObject({ input: ['p', 'weight'], node: [{ input: ['p', 'weight'], output: ['q'] }] });
    expect(sites).toEqual(
      ['fn:local.MyFn: node 0 Add, input 1: W → weight', 'fn:local.MyFn: formal parameter 1: W → weight'].sort((a, b) => sites.indexOf(a) - sites.indexOf(b)),
    );
    expect(graph.initializer?.[0]?.name).toBe('W');
  });

  it('leaves texts alone, and says where the old name stands in them', async () => {
    const before = adds(
      { docString: 'uses W, not W2', node: [node('Add', ['x', 'W'], ['y'], { docString: 'x + W' })] },
      { docString: 'about onnx::W_1', metadataProps: [{ key: 'input_names', value: 'x;W' }] },
    );
    const { plan, model } = await rename(before, main({ W: 'V' }));
    expect(plan.warnings).toEqual([
      'The old name "W" also stands in metadata_props "input_names" of the model, doc_string of the main graph and doc_string of node 0 Add: texts are not rewritten.',
    ]);
    expect(model.metadataProps[0]?.value).toBe('x;W');
  });

  it('never touches inputs that are left out', async () => {
    const before = adds({ node: [node('Clip', ['x', '', 'm'], ['y'])], initializer: [floats('m', [], [1])] });
    const { graph, bytes } = await rename(before, main({ m: 'max' }));
    expect(graph.node?.[0]?.input).toEqual(['x', '', 'max']);
    expect(await runBits(bytes)).toEqual(await runBits(before));
    expect(await refused(before, [{ graph: '', name: '', to: 'v' }])).toMatch(/empty name is an optional input/);
  });

  it('leaves nodes, graphs and extents of the same name alone', async () => {
    const before = adds({ name: 'W', node: [node('Add', ['x', 'W'], ['y'], { name: 'W' })], input: [info('x', ['W'])] });
    const { graph } = await rename(before, main({ W: 'V' }));
    expect([graph.name, graph.node?.[0]?.name, graph.input?.[0]?.type?.tensorType?.shape?.dim?.[0]?.dimParam]).toEqual(['W', 'W', 'W']);
  });

  it('renames what a Constant gives, and what any node gives', async () => {
    const constant = node('Constant', [], ['c'], { attribute: [{ name: 'value', type: 4, t: floats('c', [2], [3, 4]) }] });
    const before = adds({ initializer: [], node: [constant, node('Add', ['x', 'c'], ['s']), node('Neg', ['s'], ['y'])] });
    const { graph, bytes, plan } = await rename(before, main({ c: 'bias', s: 'sum' }));
    expect(graph.node?.map(({ input, output }) => [input, output])).toEqual([
      [[], ['bias']],
      [['x', 'bias'], ['sum']],
      [['sum'], ['y']],
    ]);
    // The name of a tensor inside an attribute is no name of a value.
    expect(graph.node?.[0]?.attribute?.[0]?.t?.name).toBe('c');
    expect(plan.title).toBe('Rename 2 values');
    expect(await runBits(bytes)).toEqual(await runBits(before));
  });

  it('renames inputs and outputs of the model, and says so', async () => {
    const { graph, plan } = await rename(adds(), main({ x: 'image', y: 'logits' }));
    expect([graph.input?.[0]?.name, graph.output?.[0]?.name, graph.node?.[0]?.output]).toEqual(['image', 'logits', ['logits']]);
    expect(plan.warnings).toEqual([
      'The model\'s interface changes: its input "x" is fed by name, and every caller must use the new one.',
      'The model\'s interface changes: its output "y" is asked for by name, and every caller must use the new one.',
    ]);
  });

  it('leaves the file of external data alone', async () => {
    const before = await fixture('ext');
    const { graph } = await rename(before, main({ ok: 'renamed' }));
    const names = graph.initializer?.map(({ name, externalData }) => [name, externalData?.map(({ value }) => value)]);
    expect(names?.[0]?.[0]).toBe('renamed');
    expect(names?.[0]?.[1]).toContain('w.bin');
  });

  it('works on a tensor whose type is not known', async () => {
    const { graph } = await rename(await fixture('types'), main({ f6: 'six' }));
    expect(graph.initializer?.some(({ name, dataType }) => name === 'six' && Number(dataType) === 27)).toBe(true);
  });
});

describe('new names', () => {
  it.each(['with space', 'encoder/layer.0:weight', 'ünïcode-重み', 'a'.repeat(5000), '__proto__', 'constructor', '-1', '"quoted"', '\n'])(
    'may be %j',
    async (to) => {
      const before = adds();
      const { graph, bytes } = await rename(before, main({ W: to }));
      expect(graph.initializer?.[0]?.name).toBe(to);
      expect(await runBits(bytes)).toEqual(await runBits(before));
    },
  );

  it('composed and decomposed accents are two names that look alike', async () => {
    const before = adds({ initializer: [floats('W', [2], [1, 2]), floats('\u00e9', [2], [3, 4])] });
    const { plan, graph } = await rename(before, main({ W: 'e\u0301' }));
    expect(graph.initializer?.map(({ name }) => name)).toEqual(['e\u0301', '\u00e9']);
    expect(plan.warnings.join()).toMatch(/looks like a name that the model has/);
  });

  it('that are not UTF-8 are kept, halves of a character refused', async () => {
    const tensor = encodeField(5, encodeField(8, Uint8Array.of(0x61, 0xff)));
    const before = new Uint8Array(Buffer.concat([encodeField(7, Buffer.concat([encodeTextField(2, 'g'), tensor]))]));
    const { bytes } = await rename(before, main({ 'a\udcff': 'plain' }));
    expect(Buffer.from(bytes).includes('plain')).toBe(true);
    expect(await refused(before, main({ 'a\udcff': 'half \ud83d' }))).toMatch(/half of a character/);
    expect(await refused(before, main({ 'a\udcff': '\udcc3\udca9' }))).toMatch(/half of a character/);
  });
});

describe('many renames are one', () => {
  const three = () =>
    adds({
      initializer: [floats('a', [2], [1, 2]), floats('b', [2], [3, 5]), floats('c', [2], [7, 9])],
      node: [node('Mul', ['x', 'a'], ['p']), node('Sub', ['p', 'b'], ['q']), node('Div', ['q', 'c'], ['y'])],
    });

  it.each<[string, Record<string, string>]>([
    ['two swap names', { a: 'b', b: 'a' }],
    ['three go round', { a: 'b', b: 'c', c: 'a' }],
    ['one takes what another leaves', { a: 'b', b: 'd' }],
  ])('%s', async (_, renames) => {
    const before = three();
    const { graph, bytes } = await rename(before, main(renames));
    expect(graph.initializer?.map(({ name }) => name)).toEqual(['a', 'b', 'c'].map((name) => renames[name] ?? name));
    expect(await runBits(bytes)).toEqual(await runBits(before));
  });

  it('a value of a body and one around it may swap', async () => {
    const before = branches({
      initializer: [floats('Lw', [2], [7, 7])],
      node: [node('Mul', ['x', 'W'], ['m']), node('Add', ['m', 'Lw'], ['t'])],
      output: [out('t')],
    });
    const { bytes } = await rename(before, [...main({ W: 'Lw' }), { graph: '#0.then_branch', name: 'Lw', to: 'W' }]);
    expect(await runBits(bytes)).toEqual(await runBits(before));
  });

  it('nothing happens when one of them cannot be', async () => {
    expect(await refused(three(), main({ a: 'fine', b: 'c' }))).toBe('"b" cannot become "c": its graph defines that name already, by initializer 2.');
  });

  it('a rename to the name that is there is none', async () => {
    const plan = planRename(await modelOf(three()), main({ a: 'a' }));
    expect([plan.edits, plan.refusals, plan.title]).toEqual([[], [], 'Rename nothing']);
    expect(await refused(three(), main({ a: 'a', b: 'a' }))).toMatch(/its graph defines that name already/);
  });

  it('a pattern over thousands of values is quick to check', async () => {
    const initializer = Array.from({ length: 5000 }, (_, i) => floats(`w${i}`, [1], [i]));
    const model = await modelOf(adds({ initializer, node: initializer.map((tensor, i) => node('Neg', [tensor.name ?? ''], [`n${i}`])) }));
    const plan = planRename(model, main(Object.fromEntries(initializer.map((_, i) => [`w${i}`, `w${(i + 1) % 5000}`]))));
    expect([plan.refusals, plan.sites.length, plan.title]).toEqual([[], 10_000, 'Rename 5000 initializers']);
  });
});
