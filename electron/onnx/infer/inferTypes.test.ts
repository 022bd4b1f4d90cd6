import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { info } from '../edits/testing/smallModel';
import { encodeModel, viewOf } from '../view/testing/viewOf';

type Attribute = number | string | readonly number[];

const attributes = (values: Readonly<Record<string, Attribute>>): onnx.IAttributeProto[] =>
  Object.entries(values).map(([name, value]) =>
    typeof value === 'number'
      ? { name, type: 2, i: value }
      : typeof value === 'string'
        ? { name, type: 3, s: Buffer.from(value) }
        : { name, type: 7, ints: [...value] },
  );
const int64s = (name: string, values: readonly number[], dims: readonly number[] = [values.length]): onnx.ITensorProto => ({
  name,
  dataType: 7,
  dims: [...dims],
  rawData: new Uint8Array(BigInt64Array.from(values, BigInt).buffer),
});

/** Types of the outputs of one node whose float inputs have these shapes. Lists of numbers under a name are int64 initializers. */
async function infer(
  opType: string,
  shapes: readonly (readonly (number | string)[])[],
  options: { attributes?: Record<string, Attribute>; constants?: Record<string, readonly number[]>; outputs?: number; opset?: number } = {},
): Promise<string[]> {
  const constants = Object.entries(options.constants ?? {});
  const input = [...shapes.map((_, i) => `i${i}`), ...constants.map(([name]) => name)];
  const output = Array.from({ length: options.outputs ?? 1 }, (_, i) => `o${i}`);
  const bytes = encodeModel(
    {
      node: [{ opType, input, output, attribute: attributes(options.attributes ?? {}) }],
      input: shapes.map((dims, i) => info(`i${i}`, dims)),
      initializer: constants.map(([name, values]) => int64s(name, values)),
    },
    { opsetImport: [{ domain: '', version: options.opset ?? 17 }] },
  );
  const { view } = await viewOf(bytes);
  return output.map((name) => view.values.types[view.values.names.indexOf(name)] ?? '');
}

describe('shapes by the rules of the specification', () => {
  it.each([
    [
      'Add',
      [
        ['batch', 1, 3],
        [5, 1],
      ],
      'float32[batch, 5, 3]',
    ],
    [
      'Add',
      [
        ['batch', 3],
        ['other', 3],
      ],
      'float32[?, 3]',
    ],
    ['Add', [['n'], [7]], 'float32[7]'],
    ['Equal', [[2, 1], [3]], 'bool[2, 3]'],
    [
      'MatMul',
      [
        ['batch', 'heads', 's', 64],
        [64, 10],
      ],
      'float32[batch, heads, s, 10]',
    ],
    ['MatMul', [[4], [4, 5]], 'float32[5]'],
    ['Shape', [['a', 'b', 3]], 'int64[3]'],
    ['GlobalAveragePool', [['n', 8, 'h', 'w']], 'float32[n, 8, 1, 1]'],
  ] as const)('%s of %j', async (op, shapes, type) => expect(await infer(op, shapes)).toEqual([type]));

  it.each([
    [
      'Conv',
      [
        ['n', 3, 32, 32],
        [8, 3, 5, 3],
      ],
      { strides: [2, 2], pads: [2, 1, 2, 1] },
      'float32[n, 8, 16, 16]',
    ],
    [
      'Conv',
      [
        [1, 4, 10],
        [6, 2, 3],
      ],
      { dilations: [2], group: 2 },
      'float32[1, 6, 6]',
    ],
    [
      'Conv',
      [
        [1, 3, 'h', 'w'],
        [8, 3, 3, 3],
      ],
      { pads: [1, 1, 1, 1] },
      'float32[1, 8, h, w]',
    ],
    [
      'Conv',
      [
        [1, 3, 'h', 7],
        [8, 3, 3, 3],
      ],
      { auto_pad: 'SAME_UPPER', strides: [2, 2] },
      'float32[1, 8, ?, 4]',
    ],
    [
      'ConvTranspose',
      [
        [1, 4, 5, 5],
        [4, 6, 3, 3],
      ],
      { strides: [2, 2], output_padding: [1, 1], group: 2, pads: [1, 1, 1, 1] },
      'float32[1, 12, 10, 10]',
    ],
    ['MaxPool', [[1, 2, 7, 7]], { kernel_shape: [2, 2], strides: [2, 2], ceil_mode: 1 }, 'float32[1, 2, 4, 4]'],
    ['AveragePool', [[1, 2, 7, 7]], { kernel_shape: [2, 2], strides: [2, 2] }, 'float32[1, 2, 3, 3]'],
    [
      'Gemm',
      [
        ['n', 4],
        [5, 4],
      ],
      { transB: 1 },
      'float32[n, 5]',
    ],
    ['Transpose', [['a', 2, 3]], { perm: [2, 0, 1] }, 'float32[3, a, 2]'],
    ['Transpose', [['a', 2, 3]], {}, 'float32[3, 2, a]'],
    [
      'Concat',
      [
        ['n', 2],
        ['n', 3],
      ],
      { axis: -1 },
      'float32[n, 5]',
    ],
    ['Flatten', [['n', 2, 3]], { axis: 1 }, 'float32[n, 6]'],
    ['ReduceMean', [['n', 2, 3]], { axes: [-1], keepdims: 0 }, 'float32[n, 2]'],
    ['ReduceMean', [['n', 2, 3]], {}, 'float32[1, 1, 1]'],
    ['ArgMax', [['n', 10]], { axis: 1, keepdims: 0 }, 'int64[n]'],
    ['Cast', [['n', 2]], { to: 10 }, 'float16[n, 2]'],
    ['DepthToSpace', [[1, 8, 2, 3]], { blocksize: 2 }, 'float32[1, 2, 4, 6]'],
  ] as const)('%s of %j with %j', async (op, shapes, given, type) => expect(await infer(op, shapes, { attributes: { ...given } })).toEqual([type]));

  it.each([
    ['Reshape', [['n', 2, 6]], { shape: [0, -1, 3] }, 'float32[n, 4, 3]'],
    ['Reshape', [['n', 2, 6]], { shape: [-1, 12] }, 'float32[n, 12]'],
    ['Reshape', [['n', 'm', 6]], { shape: [-1, 6] }, 'float32[?, 6]'],
    ['Unsqueeze', [['n', 3]], { axes: [0, -1] }, 'float32[1, n, 3, 1]'],
    ['Squeeze', [[1, 'n', 1]], { axes: [0] }, 'float32[n, 1]'],
    ['ReduceSum', [['n', 3]], { axes: [1] }, 'float32[n, 1]'],
    ['Slice', [['n', 10]], { starts: [2], ends: [-1], axes: [1], steps: [3] }, 'float32[n, 3]'],
    ['Slice', [['n', 10]], { starts: [-1], ends: [-(2 ** 53 - 1)], axes: [1], steps: [-1] }, 'float32[n, 10]'],
    ['Expand', [[3, 1]], { shape: [2, 3, 4] }, 'float32[2, 3, 4]'],
    ['Tile', [['n', 2]], { repeats: [1, 3] }, 'float32[n, 6]'],
    ['Pad', [['n', 4]], { pads: [0, 1, 0, 2] }, 'float32[n, 7]'],
    ['Gather', [[100, 16]], { indices: [1, 2, 3] }, 'float32[3, 16]'],
  ] as const)('%s of %j with %j', async (op, shapes, constants, type) => expect(await infer(op, shapes, { constants })).toEqual([type]));

  it('give every output its own', async () => {
    expect(await infer('Split', [['n', 10]], { attributes: { axis: 1 }, constants: { split: [4, 6] }, outputs: 2 })).toEqual([
      'float32[n, 4]',
      'float32[n, 6]',
    ]);
    expect(await infer('TopK', [['n', 10]], { constants: { k: [3] }, outputs: 2 })).toEqual(['float32[n, 3]', 'int64[n, 3]']);
    expect(
      await infer(
        'LSTM',
        [
          ['s', 'b', 8],
          [1, 64, 8],
          [1, 64, 16],
        ],
        { outputs: 3 },
      ),
    ).toEqual(['float32[s, 1, b, 16]', 'float32[1, b, 16]', 'float32[1, b, 16]']);
  });

  it('older operator sets have attributes where newer ones have inputs', async () => {
    expect(await infer('Unsqueeze', [[3]], { attributes: { axes: [0] }, opset: 11 })).toEqual(['float32[1, 3]']);
    expect(await infer('Slice', [['n', 10]], { attributes: { starts: [1], ends: [2 ** 40], axes: [1] }, opset: 9 })).toEqual(['float32[n, 9]']);
  });

  it('nothing is guessed', async () => {
    expect(await infer('SomethingNew', [[1, 2]])).toEqual(['']);
    expect(await infer('Reshape', [['n', 2], [3]])).toEqual(['float32[?, ?, ?]']);
  });

  it('follows shapes that are computed from shapes', async () => {
    const node = [
      { opType: 'Shape', input: ['x'], output: ['s'] },
      { opType: 'Gather', input: ['s', 'zero'], output: ['n'] },
      { opType: 'Unsqueeze', input: ['n', 'axes'], output: ['n1'] },
      { opType: 'Concat', input: ['n1', 'rest'], output: ['target'], attribute: attributes({ axis: 0 }) },
      { opType: 'Reshape', input: ['x', 'target'], output: ['y'] },
    ];
    const initializer = [int64s('zero', [0], []), int64s('axes', [0]), { name: 'rest', dataType: 7, dims: [2], int64Data: [4, -1] }];
    const { view } = await viewOf(encodeModel({ node, input: [info('x', ['batch', 8, 3])], initializer }));
    expect(view.values.types[view.values.names.indexOf('y')]).toBe('float32[batch, 4, 6]');
  });

  it('an attribute that comes with the call of a function leaves everything open', async () => {
    const node = [{ opType: 'Transpose', input: ['a'], output: ['b'], attribute: [{ name: 'perm', type: 7, refAttrName: 'perm' }] }];
    const bytes = encodeModel({}, { functions: [{ name: 'F', domain: 'my', input: ['a'], output: ['b'], node }] });
    expect((await viewOf(bytes)).view.values.types).toEqual(['', '']);
  });
});
