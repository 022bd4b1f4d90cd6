import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { concat, encodeField, encodeTextField, encodeVarintField } from '../../encodings/protobuf/encodeField';
import { body, bytesOf, floats, info, node, run, smallModel } from '../edits/testing/smallModel';
import { modelOf } from '../testing/readBytes';
import { REAL_MODELS } from '../testing/realModels';
import { checkModel } from './checkModel';

const out = (name: string) => info(name, [2]);
const weights = floats('W', [2], [1, 2]);

/** y = x + W, more as the test needs. */
function adds(more: onnx.IGraphProto = {}, model: onnx.IModelProto = {}): Uint8Array {
  return smallModel({ input: [out('x')], output: [out('y')], initializer: [weights], node: [node('Add', ['x', 'W'], ['y'])], ...more }, model);
}

/** y = If(cond): what `inside` says, else x. */
function branches(inside: onnx.IGraphProto, more: onnx.IGraphProto = {}): Uint8Array {
  const otherwise = body('else_branch', { node: [node('Identity', ['x'], ['e'])], output: [out('e')] });
  const cond = { name: 'cond', dims: [], dataType: 9, rawData: Uint8Array.of(1) };
  return adds({ initializer: [weights, cond], node: [node('If', ['cond'], ['y'], { attribute: [body('then_branch', inside), otherwise] })], ...more });
}

/** A tensor beside W that nothing uses. */
const stores = (tensor: onnx.ITensorProto) => adds({ initializer: [weights, { name: 't', dims: [2], dataType: 1, ...tensor }] });

async function findings(bytes: Uint8Array): Promise<string[]> {
  return checkModel(await modelOf(bytes)).map(({ severity, text }) => `${severity}: ${text}`);
}

/** Models that the specification forbids, with the finding that says so and nothing else. */
const ERRORS: readonly [string, Uint8Array, RegExp][] = [
  ['two initializers of one name', adds({ initializer: [weights, weights] }), /^error: "W" is defined 2 times, by initializer 0 and initializer 1/],
  [
    'two nodes that make one value',
    adds({ node: [node('Neg', ['x'], ['n']), node('Abs', ['x'], ['n']), node('Add', ['n', 'W'], ['y'])] }),
    /"n" is defined 2 times, by node 0 Neg, output 0 and node 1 Abs, output 0/,
  ],
  ['a node that makes an input', adds({ node: [node('Add', ['x', 'W'], ['x'])], output: [] }), /"x" is defined 2 times, by input 0 and node 0 Add, output 0/],
  [
    'a use of nothing',
    adds({ node: [node('Add', ['x', 'ghost'], ['y']), node('Neg', ['ghost'], ['z'])] }),
    /^error: node 0 Add, input 1, and 1 more place there uses "ghost", which nothing defines/,
  ],
  ['an output of nothing', adds({ output: [out('y'), out('ghost')] }), /output 1 of the graph uses "ghost"/],
  [
    'a use before its definition',
    adds({ node: [node('Add', ['n', 'W'], ['y']), node('Neg', ['x'], ['n'])] }),
    /^error: node 0 Add, input 0 uses "n", which node 1 makes only later/,
  ],
  ['a node that uses itself', adds({ node: [node('Add', ['y', 'W'], ['y'])] }), /uses "y", which that node itself makes/],
  [
    'a body that uses what comes later',
    branches(
      { node: [node('Neg', ['late'], ['t'])], output: [out('t')] },
      { node: [...nodesOf({ node: [node('Neg', ['late'], ['t'])], output: [out('t')] }), node('Neg', ['x'], ['late'])] },
    ),
    /node 0 Neg, input 0 of graph #0.then_branch uses "late", which node 1 makes only later/,
  ],
  [
    'a node of a body that makes a name around it',
    branches({ node: [node('Neg', ['x'], ['W'])], output: [out('W')] }),
    /^error: "W", node 0 Neg, output 0 of graph #0.then_branch, hides that of the main graph/,
  ],
  [
    'an initializer of a body that is its input',
    branches({ input: [out('L')], initializer: [floats('L', [2], [1, 2])], node: [node('Neg', ['L'], ['t'])], output: [out('t')] }),
    /^error: "L" is an input and an initializer of graph #0.then_branch, which only the main graph may have/,
  ],
  ['an input without a name', adds({ input: [out('x'), info('', [2])] }), /^error: Input 1 has no name/],
  ['an initializer without a name', adds({ initializer: [weights, floats('', [2], [1, 2])] }), /^error: Initializer 1 has no name/],
  ['a node without an operator', adds({ node: [node('', ['x', 'W'], ['y'])] }), /^error: Node 0 has no operator/],
  [
    'an input of another type than its default',
    adds({ input: [out('x'), info('W', [2], 11)] }),
    /^error: "W" is stored as float\[2\], but input 1 says double/,
  ],
  ['ir_version 3 without the input of an initializer', adds({}, { irVersion: 3 }), /"W" is not an input, which ir_version 3 asks for/],
  [
    'two attributes of one name',
    adds({
      node: [
        node('Add', ['x', 'W'], ['y'], {
          attribute: [
            { name: 'a', type: 2, i: 1 },
            { name: 'a', type: 2, i: 2 },
          ],
        }),
      ],
    }),
    /node 0 Add has two attributes "a"/,
  ],
  [
    'a reference outside of a function',
    adds({ node: [node('Add', ['x', 'W'], ['y'], { attribute: [{ name: 'a', type: 2, refAttrName: 'b' }] })] }),
    /takes its value from the call of a function, but is not in one/,
  ],
  ['no data', stores({}), /^error: "t" has no data, but float\[2\] has 2 elements/],
  ['two data fields', stores({ floatData: [1, 2], rawData: bytesOf([1, 2]) }), /"t" has values in float_data and raw_data: only one field may have them/],
  ['raw_data that is too long', stores({ rawData: bytesOf([1, 2, 3]) }), /^error: "t" has 12 bytes in raw_data, but float\[2\] needs 8/],
  ['raw_data that is too short', stores({ rawData: bytesOf([1]) }), /has 4 bytes in raw_data, but float\[2\] needs 8/],
  ['a weight that is too short', adds({ initializer: [{ ...weights, rawData: bytesOf([1]) }] }), /^error: "W" has 4 bytes in raw_data/],
  [
    'packed types of the wrong length',
    adds({ initializer: [weights, { name: 't', dims: [3], dataType: 22, rawData: new Uint8Array(3) }] }, { irVersion: 10 }),
    /^error: "t" has 3 bytes in raw_data, but int4\[3\] needs 2/,
  ],
  ['texts in raw_data', stores({ dataType: 8, rawData: Uint8Array.of(65, 66) }), /holds texts in raw_data/],
  ['values in the wrong field', stores({ dataType: 7, floatData: [1, 2] }), /has int64 values in float_data; they belong in int64_data or raw_data/],
  ['data without elements', stores({ dims: [0], rawData: bytesOf([1, 2]) }), /has no elements, but values in raw_data/],
  ['an impossible shape', stores({ dims: [-1] }), /has the shape \[-1\], which no tensor can have/],
  ['no data type', stores({ dataType: 0 }), /"t" has no data type/],
  ['segments', stores({ rawData: bytesOf([1, 2]), segment: { begin: 0, end: 1 } }), /is stored in segments/],
  [
    'external data and data',
    stores({ rawData: bytesOf([1, 2]), ...external({ location: 'w.bin' }) }),
    /is stored in another file, but has values in the model too/,
  ],
  ['external data without a file', stores(external({ offset: '0' })), /does not say in which/],
  ['external data before the file', stores(external({ location: 'w.bin', offset: '-8' })), /with the offset -8, which is not possible/],
  ['external data of nonsense', stores(external({ location: 'w.bin', length: 'many' })), /with the length NaN/],
  ['external data that is too short', stores(external({ location: 'w.bin', length: '4' })), /is stored in 4 bytes of "w.bin", but float\[2\] needs 8/],
  [
    'a sparse tensor without indices',
    adds({ sparseInitializer: [{ values: floats('S', [1], [1]), dims: [2] }] }),
    /Sparse initializer "S" has 1 values, but no indices/,
  ],
  ['sparse indices that do not fit', adds({ sparseInitializer: [sparse(7, [2])] }), /indices of shape \[2\]/],
  [
    'sparse indices of another type',
    adds({ sparseInitializer: [{ ...sparse(7, [1]), indices: { dims: [1], dataType: 6, rawData: new Uint8Array(4) } }] }),
    /has indices that are not int64/,
  ],
  [
    'a domain that is not imported',
    adds({ node: [node('Gelu', ['x'], ['g'], { domain: 'com.microsoft' }), node('Add', ['g', 'W'], ['y'])] }),
    /^error: node 0 com.microsoft.Gelu of the main graph needs the domain "com.microsoft", of which no version is imported/,
  ],
  ['no operator set at all', adds({}, { opsetImport: [] }), /^error: The model imports no operator set/],
  ['a function that calls itself', withFunctions([func('F', ['F'])]), /^error: "fn:f.F" calls itself/],
  [
    'functions that call each other',
    withFunctions([func('A', ['B']), func('B', ['A']), func('C', ['A'])]),
    /^error: "fn:f.A" calls itself.*\nerror: "fn:f.B" calls itself/,
  ],
  ['two functions of one identity', withFunctions([func('F', []), func('F', [])]), /^error: The model has two functions f.F/],
  [
    'a call with too many inputs',
    withFunctions([func('F', [])], [node('F', ['x', 'W'], ['y'], { domain: 'f' })]),
    /gives 2 inputs to function fn:f.F and takes 1 outputs; it has 1 and 1/,
  ],
  [
    'training of what does not exist',
    trains({ updateBinding: [{ key: 'ghost', value: 'V' }] }),
    /^error: training_info 0, update_binding 0, key of graph training:0.algorithm names "ghost", which does not exist/,
  ],
  ['training of an input', trains({ updateBinding: [{ key: 'x', value: 'V' }] }), /names "x", which is no initializer/],
  [
    'training one value twice',
    trains({
      updateBinding: [
        { key: 'W', value: 'V' },
        { key: 'W', value: 'V' },
      ],
    }),
    /update_binding 1 sets "W" a second time/,
  ],
  [
    'training with a name of the main graph',
    trains({ algorithm: { name: 'a', initializer: [weights] } }),
    /"W" is defined by initializer 0 of graph training:0.algorithm and initializer 0, which training runs as one graph/,
  ],
  ['no ir_version', adds({}, { irVersion: 0 }), /^error: The model has no ir_version/],
];

const WARNINGS: readonly [string, Uint8Array, RegExp][] = [
  [
    'nodes of one name',
    adds({ node: [node('Neg', ['x'], ['n'], { name: 'k' }), node('Add', ['n', 'W'], ['y'], { name: 'k' })] }),
    /^warning: Nodes 0 and 1 of the main graph are both called "k": ONNX Runtime does not load such a model/,
  ],
  [
    'an initializer of a body that hides an outer one',
    branches({ initializer: [floats('W', [2], [7, 7])], node: [node('Neg', ['W'], ['t'])], output: [out('t')] }),
    /^warning: "W", initializer 0 of graph #0.then_branch, hides that of the main graph: readers do not agree/,
  ],
  ['a body that gives an outer value', branches({ output: [out('x')] }), /^warning: "x", an output of graph #0.then_branch, is a value of a graph around it/],
  ['value_info that disagrees', adds({ valueInfo: [info('W', [3])] }), /^warning: "W" is stored as float\[2\], but value_info 0 says float\[3\]/],
  [
    'an input of another shape than its default',
    adds({ input: [out('x'), info('W', [5])] }),
    /^warning: "W" is stored as float\[2\], but input 1 says float\[5\]/,
  ],
  ['two entries of value_info', adds({ valueInfo: [out('W'), out('W')] }), /^warning: value_info of the main graph has two entries for "W": 0 and 1/],
  ['value_info of nothing', adds({ valueInfo: [out('ghost')] }), /^warning: value_info 0 names "ghost", which does not exist/],
  [
    'a quantization annotation of nothing',
    adds({ quantizationAnnotation: [{ tensorName: 'W', quantParameterTensorNames: [{ key: 'SCALE_TENSOR', value: 'ghost' }] }] }),
    /^warning: quantization_annotation 0, SCALE_TENSOR names "ghost"/,
  ],
  [
    'two imports of one domain',
    adds(
      {},
      {
        opsetImport: [
          { domain: '', version: 13 },
          { domain: 'ai.onnx', version: 14 },
        ],
      },
    ),
    /^warning: The model imports versions 13 and 14 of ONNX's own operators/,
  ],
  ['a type that is not known', stores({ dataType: 27, rawData: new Uint8Array(2) }), /^warning: "t" has type 27, which is not known/],
  [
    'external data that is too long',
    stores(external({ location: 'w.bin', length: '32' })),
    /^warning: "t" is stored in 32 bytes of "w.bin", but float\[2\] needs 8/,
  ],
  [
    'sparse initializers in ir_version 4',
    adds({ sparseInitializer: [sparse(7, [1])] }, { irVersion: 4 }),
    /^warning: The model has ir_version 4, but sparse initializers, which came with 6/,
  ],
  ['int4 in ir_version 8', stores({ dataType: 22, rawData: Uint8Array.of(1) }), /^warning: The model has ir_version 8, but values of int4, which came with 10/],
  [
    'an update that is no output',
    trains({ algorithm: { name: 'a', node: [node('Neg', ['W'], ['V'])] } }),
    /^warning: training_info 0, update_binding 0, value names "V", which is no output/,
  ],
  [
    'keys of metadata_props that repeat',
    adds(
      {},
      {
        metadataProps: [
          { key: 'k', value: '1' },
          { key: 'k', value: '2' },
        ],
      },
    ),
    /^warning: metadata_props of the model has "k" twice/,
  ],
  ['a graph without a name', adds({ name: '' }), /^warning: The main graph has no name/],
];

function nodesOf(inside: onnx.IGraphProto): onnx.INodeProto[] {
  return [
    node('If', ['cond'], ['y'], {
      attribute: [body('then_branch', inside), body('else_branch', { node: [node('Identity', ['x'], ['e'])], output: [out('e')] })],
    }),
  ];
}

function external(entries: Readonly<Record<string, string>>): onnx.ITensorProto {
  return { dataLocation: 1, externalData: Object.entries(entries).map(([key, value]) => ({ key, value })) };
}

function sparse(type: number, dims: number[]): onnx.ISparseTensorProto {
  return { values: floats('S', [1], [5]), indices: { dims, dataType: type, rawData: new Uint8Array(8 * dims.reduce((a, b) => a * b, 1)) }, dims: [2] };
}

/** A function of one input that calls others. */
function func(name: string, calls: readonly string[]): onnx.IFunctionProto {
  const steps = calls.map((each, i) => node(each, [i === 0 ? 'p' : `v${i}`], [`v${i + 1}`], { domain: 'f' }));
  return {
    name,
    domain: 'f',
    input: ['p'],
    output: ['q'],
    node: [...steps, node('Identity', [calls.length === 0 ? 'p' : `v${calls.length}`], ['q'])],
    opsetImport: [
      { domain: '', version: 13 },
      { domain: 'f', version: 1 },
    ],
  };
}

/** onnx-proto's functions are of the time before they had a domain of their own. */
function withFunctions(functions: readonly onnx.IFunctionProto[], nodes: onnx.INodeProto[] = [node('Add', ['x', 'W'], ['y'])]): Uint8Array {
  const model = adds(
    { node: nodes },
    {
      opsetImport: [
        { domain: '', version: 13 },
        { domain: 'f', version: 1 },
      ],
    },
  );
  const encoded = functions.map(({ name, input, output, node: own, opsetImport }) =>
    encodeField(
      25,
      concat([
        encodeTextField(1, name ?? ''),
        ...(input ?? []).map((each) => encodeTextField(4, each)),
        ...(output ?? []).map((each) => encodeTextField(5, each)),
        ...(own ?? []).map((each) => encodeField(7, encodedNode(each))),
        ...(opsetImport ?? []).map(({ domain, version }) => encodeField(9, concat([encodeTextField(1, domain ?? ''), encodeVarintField(2, Number(version))]))),
        encodeTextField(10, 'f'),
      ]),
    ),
  );
  return concat([model, ...encoded]);
}

function encodedNode({ opType, input, output, domain }: onnx.INodeProto): Uint8Array {
  return concat([
    ...(input ?? []).map((each) => encodeTextField(1, each)),
    ...(output ?? []).map((each) => encodeTextField(2, each)),
    encodeTextField(4, opType ?? ''),
    encodeTextField(7, domain ?? ''),
  ]);
}

function trains(training: onnx.ITrainingInfoProto): Uint8Array {
  const algorithm = { name: 'a', node: [node('Neg', ['W'], ['V'])], output: [out('V')] };
  return adds({}, { trainingInfo: [{ algorithm, updateBinding: training.algorithm?.initializer ? [] : [{ key: 'W', value: 'V' }], ...training }] });
}

describe('checkModel', () => {
  it.each<[string, Uint8Array]>([
    ['a plain model', adds()],
    ['a default value', adds({ input: [out('x'), out('W')] })],
    ['a default value with a symbolic shape', adds({ input: [out('x'), info('W', ['N'])] })],
    ['ir_version 3', adds({ input: [out('x'), out('W')] }, { irVersion: 3 })],
    ['bodies that read around themselves', branches({ node: [node('Add', ['x', 'W'], ['t'])], output: [out('t')] })],
    ['a body whose name the node around it makes too', branches({ node: [node('Neg', ['x'], ['y'])], output: [out('y')] })],
    ['a tensor without elements', stores({ dims: [0] })],
    ['a scalar', stores({ dims: [], rawData: bytesOf([1]) })],
    [
      'one value that is not packed',
      concat([
        adds(),
        encodeField(7, encodeField(5, concat([encodeVarintField(1, 1), encodeVarintField(2, 6), encodeVarintField(5, 3), encodeTextField(8, 'one')]))),
      ]).subarray(0, adds().byteLength),
    ],
    ['texts', stores({ dataType: 8, stringData: [Uint8Array.of(0xff), new Uint8Array(0)] })],
    ['half floats in int32_data', stores({ dataType: 10, int32Data: [1, 2] })],
    ['uint32 in uint64_data', stores({ dataType: 12, uint64Data: [1, 2] })],
    ['an odd count of int4', adds({ initializer: [weights, { name: 't', dims: [3], dataType: 22, rawData: new Uint8Array(2) }] }, { irVersion: 10 })],
    ['external data', stores(external({ location: 'w.bin', offset: '4096', length: '8', checksum: 'x' }))],
    ['sparse initializers', adds({ sparseInitializer: [sparse(7, [1]), { ...sparse(7, [1, 1]), values: floats('S2', [1], [5]) }] })],
    [
      'functions that call others',
      withFunctions([func('A', ['B', 'B']), func('B', [])], [node('A', ['x'], ['a'], { domain: 'f' }), node('Add', ['a', 'W'], ['y'])]),
    ],
    ['training', trains({})],
  ])('finds nothing in %s', async (_, bytes) => {
    expect(await findings(bytes)).toEqual([]);
  });

  it.each(REAL_MODELS.map((path): [string, string] => [basename(path), path]))('finds nothing in %s', async (_, file) => {
    expect(await findings(await readFile(file))).toEqual([]);
  });

  it.each([...ERRORS, ...WARNINGS])('finds %s', async (_, bytes, words) => {
    const found = await findings(bytes);
    expect(found.join('\n')).toMatch(words);
    expect(new Set(found.map((line) => line.split(':')[0]))).toEqual(new Set([words.source.startsWith('^warning') ? 'warning' : 'error']));
  });

  it.each([
    'a use of nothing',
    'two nodes that make one value',
    'a node that uses itself',
    'an input of another type than its default',
    'a weight that is too short',
    'a function that calls itself',
    'no operator set at all',
    'nodes of one name',
  ])('ONNX Runtime does not load a model with %s either', async (name) => {
    const [, bytes] = [...ERRORS, ...WARNINGS].find(([each]) => each === name) ?? expect.fail();
    await expect(run(bytes, {})).rejects.toThrow(/Can't create a session|failed|error/i);
  });

  it('says where: graph, node, rule, errors first', async () => {
    const found = checkModel(await modelOf(branches({ node: [node('Neg', ['ghost'], ['t'])], output: [out('t')], valueInfo: [out('lost')] })));
    expect(found).toEqual([
      {
        severity: 'error',
        rule: 'defined',
        owner: '#0.then_branch',
        node: 0,
        text: 'node 0 Neg, input 0 of graph #0.then_branch uses "ghost", which nothing defines.',
      },
      {
        severity: 'warning',
        rule: 'defined',
        owner: '#0.then_branch',
        node: null,
        text: 'value_info 0 of graph #0.then_branch names "lost", which does not exist.',
      },
    ]);
  });

  it('knows what is unusual in the hard model, and that none of it is an error', async () => {
    const found = await findings(await readFile(join(import.meta.dirname, '../../../e2e/fixtures/onnx/hard.onnx')));
    expect(found).toEqual([
      'warning: value_info of the main graph has two entries for "m": 1 and 2.',
      'warning: Nodes 0 and 1 of the main graph are both called "n": ONNX Runtime does not load such a model.',
      'warning: The model has ir_version 10, but device_configurations, which came with 11: a reader may refuse or ignore it.',
    ]);
  });
});
