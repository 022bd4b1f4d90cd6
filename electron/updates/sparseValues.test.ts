import { afterAll, describe, expect, it } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import { DTYPES, type DType, dtypeBytes } from '../../shared/model/dtype';
import { collect } from '../encodings/testing/collect';
import { type ArrayToWrite, encodeDenseObject, encodeObject } from '../encodings/testing/writeThetaObject';
import { openTensor } from './openTensor';
import { makeObjectStore } from './testing/objectStore';
import type { UpdateChain } from './updateChain';

const store = makeObjectStore();
afterAll(() => store.remove());

const int32 = (...values: number[]): ArrayToWrite => ({ dtype: 'int32', shape: [values.length], bytes: new Uint8Array(Int32Array.from(values).buffer) });
const int64 = (...values: number[]): ArrayToWrite => ({
  dtype: 'int64',
  shape: [values.length],
  bytes: new Uint8Array(BigInt64Array.from(values, BigInt).buffer),
});
const float32 = (values: readonly number[], shape: readonly number[] = [values.length]): ArrayToWrite => ({
  dtype: 'float32',
  shape,
  bytes: new Uint8Array(Float32Array.from(values).buffer),
});

function elements(dtype: DType, bytes: Uint8Array): ArrayToWrite {
  return { dtype, shape: [bytes.byteLength / dtypeBytes(dtype)], bytes };
}

/** What the type means, element by element, with nothing of the program in it. */
function replaced(before: Uint8Array, item: number, { indices, values }: { readonly indices: readonly number[]; readonly values: Uint8Array }): Uint8Array {
  const after = Uint8Array.from(before);
  for (const [i, index] of indices.entries()) for (let part = 0; part < item; part++) after[index * item + part] = values[i * item + part] ?? 0;
  return after;
}

async function read(chain: UpdateChain) {
  const tensor = await openTensor({ kind: 'chain', chain });
  try {
    return { dtype: tensor.dtype, shape: tensor.shape, bytes: Buffer.from(await collect(tensor.blocks())) };
  } finally {
    await tensor.close();
  }
}

async function errorOf(work: Promise<unknown>): Promise<CheckpointError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CheckpointError)) throw new Error(`No CheckpointError: ${String(error)}`);
  return error;
}

/** Bytes without a pattern: among the floats are NaN, infinities and numbers of every size. */
function anyBytes(count: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

describe('new values in place of others', () => {
  const shapes: readonly (readonly [readonly number[], readonly number[]])[] = [
    [[], [0]],
    [[7], [0, 3, 6]],
    [
      [3, 5, 2],
      [1, 2, 17, 29],
    ],
    [[3, 5, 2], []],
    [[0, 4], []],
  ];

  it.each(DTYPES.flatMap((dtype) => [int32, int64].map((list) => [dtype, list(0).dtype, list] as const)))('%s, %s', async (dtype, _, list) => {
    const item = dtypeBytes(dtype);
    for (const [shape, indices] of shapes) {
      const total = shape.reduce((product, extent) => product * extent, 1);
      const plain = (bytes: Uint8Array) => (dtype === 'bool' ? bytes.map((byte) => byte & 1) : bytes);
      const [before, values] = [plain(anyBytes(total * item, 3)), plain(anyBytes(indices.length * item, 4))];
      const update = encodeObject({ values: elements(dtype, values), indices: list(...indices) });
      const found = await read(store.chain(['dense', encodeDenseObject(dtype, shape, before)], ['sparse-values', update]));
      expect(found).toEqual({ dtype, shape, bytes: Buffer.from(replaced(before, item, { indices, values })) });
    }
  });

  it('keeps every bit of NaN, -0.0 and subnormal numbers, new and old', async () => {
    const odd = Uint32Array.of(0x7fc00000, 0xffc00001, 0x7f800001, 0xffbfffff, 0x7f800000, 0xff800000, 0x80000000, 0, 1, 0x80000001);
    const bytes = new Uint8Array(odd.buffer);
    const update = encodeObject({ values: elements('float32', bytes.slice().reverse()), indices: int32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18) });
    const before = Uint8Array.from([...bytes, ...bytes]);
    const found = await read(store.chain(['dense', encodeDenseObject('float32', [20], before)], ['sparse-values', update]));
    const values = bytes.slice().reverse();
    expect(found.bytes).toEqual(Buffer.from(replaced(before, 4, { indices: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18], values })));
  });

  it('gives the same in several windows, with more pairs than are decoded at once', async () => {
    // 24 MB are two windows.
    const total = 6_000_000;
    const before = new Uint8Array(Float32Array.from({ length: total }, (_, i) => i).buffer);
    const every = Array.from({ length: 1_500_000 }, (_, i) => i * 4 + (i % 3));
    for (const indices of [every, every.filter((_, i) => i % 100 === 0)]) {
      const values = new Uint8Array(Float32Array.from(indices, (index) => -index).buffer);
      const positions = { dtype: 'int32', shape: [indices.length], bytes: new Uint8Array(Int32Array.from(indices).buffer) } as const;
      const update = encodeObject({ values: elements('float32', values), indices: positions });
      const found = await read(store.chain(['dense', encodeDenseObject('float32', [total], before)], ['sparse-values', update]));
      expect(Buffer.compare(found.bytes, replaced(before, 4, { indices, values }))).toBe(0);
    }
  });
});

describe('in a chain with the other types', () => {
  it('is followed by sums and products of what it put there', async () => {
    const [rows, columns] = [6, 4];
    const value = Float32Array.from({ length: rows * columns }, (_, i) => i - 9);
    const r = [1, -2, 3, 0.5, 4, -1];
    const c = [2, -1, 0.25, 8];
    const factor = [2, 0.5, -1, 4];
    const sparse = (indices: readonly number[], data: readonly number[]) =>
      encodeObject({ data: float32(data), indices: int32(...indices), indptr: int32(0, indices.length), shape: int64(rows, columns) });
    const put = (indices: readonly number[], values: readonly number[]) => encodeObject({ values: float32(values), indices: int32(...indices) });
    const chain = store.chain(
      ['dense', encodeDenseObject('float32', [rows, columns], new Uint8Array(value.slice().buffer))],
      ['sparse', sparse([0, 5], [1, -2])],
      ['sparse-values', put([5, 6, 23], [-0, 100, Number.POSITIVE_INFINITY])],
      ['sparse', sparse([6], [0.5])],
      ['low-rank', encodeObject({ R: float32(r, [rows, 1]), C: float32(c, [1, columns]) })],
      ['sparse-values', put([0, 7], [-0, -7])],
      ['ia3', encodeObject({ ia3: float32(factor) })],
      ['sparse-values', put([1], [-0])],
    );
    value[0] = (value[0] ?? 0) + 1;
    value[5] = -0;
    value[6] = 100.5;
    value[23] = Number.POSITIVE_INFINITY;
    for (let i = 0; i < value.length; i++) value[i] = (r[Math.floor(i / columns)] ?? 0) * (c[i % columns] ?? 0) + (value[i] ?? 0);
    value[0] = -0;
    value[7] = -7;
    for (let i = 0; i < value.length; i++) value[i] = (value[i] ?? 0) * (factor[i % columns] ?? 0);
    value[1] = -0;
    const found = await read(chain);
    expect(Array.from(new Float32Array(Uint8Array.from(found.bytes).buffer))).toEqual(Array.from(value));
  });

  it('brings a -0.0 that a sparse update after it turns into 0.0, as NumPy does', async () => {
    const put = encodeObject({ values: float32([-0]), indices: int32(1) });
    const nothing = encodeObject({ data: float32([]), indices: int32(), indptr: int32(0, 0), shape: int64(2) });
    const base = encodeDenseObject('float32', [2], new Uint8Array(Float32Array.of(1, 2).buffer));
    const found = await read(store.chain(['dense', base], ['sparse', nothing], ['sparse-values', put], ['sparse', nothing]));
    expect(Array.from(new Float32Array(Uint8Array.from(found.bytes).buffer))).toEqual([1, 0]);
    const last = await read(store.chain(['dense', base], ['sparse', nothing], ['sparse-values', put]));
    expect(Array.from(new Float32Array(Uint8Array.from(last.bytes).buffer))).toEqual([1, -0]);
  });

  it('replaces what another step has promoted, in the type that it has by then', async () => {
    const base = encodeDenseObject('float32', [2], new Uint8Array(Float32Array.of(1, 2).buffer));
    const double = encodeObject({ ia3: { dtype: 'float64', shape: [1], bytes: new Uint8Array(Float64Array.of(0.1).buffer) } });
    const put = encodeObject({ values: { dtype: 'float64', shape: [1], bytes: new Uint8Array(Float64Array.of(0.3).buffer) }, indices: int32(0) });
    const found = await read(store.chain(['dense', base], ['ia3', double], ['sparse-values', put]));
    expect(found.dtype).toBe('float64');
    expect(Array.from(new Float64Array(Uint8Array.from(found.bytes).buffer))).toEqual([0.3, 0.2]);
    const wrong = encodeObject({ values: float32([3]), indices: int32(0) });
    expect((await errorOf(read(store.chain(['dense', base], ['ia3', double], ['sparse-values', wrong])))).code).toBe('malformed');
  });
});

describe('damaged members are refused', () => {
  const base = encodeDenseObject('float32', [2, 3], new Uint8Array(24));
  const update = (values: ArrayToWrite, indices: ArrayToWrite) => encodeObject({ values, indices });

  it.each([
    ['an index beyond the end', update(float32([1]), int32(6))],
    ['a negative index', update(float32([1]), int32(-1))],
    ['an index beyond all numbers', update(float32([1]), { dtype: 'int64', shape: [1], bytes: new Uint8Array(BigInt64Array.of(2n ** 62n).buffer) })],
    ['an index twice', update(float32([1, 2]), int32(3, 3))],
    ['indices that descend', update(float32([1, 2]), int32(3, 2))],
    ['more indices than values', update(float32([1]), int32(0, 1))],
    ['more values than indices', update(float32([1, 2]), int32(0))],
    ['values of another type', update({ dtype: 'int32', shape: [1], bytes: new Uint8Array(4) }, int32(0))],
    ['values of a wider type', update({ dtype: 'float64', shape: [1], bytes: new Uint8Array(8) }, int32(0))],
    ['fractional indices', update(float32([1]), float32([0]))],
    ['indices of another type', update(float32([1]), { dtype: 'uint8', shape: [1], bytes: new Uint8Array(1) })],
    ['a matrix of values', update(float32([1, 2], [1, 2]), int32(0, 1))],
    ['a matrix of indices', update(float32([1, 2]), { ...int32(0, 1), shape: [2, 1] })],
    ['a single value', update(float32([1], []), int32(0))],
    ['no indices', encodeObject({ values: float32([1]) })],
    ['no values', encodeObject({ indices: int32(0) })],
    ['a sparse update', encodeObject({ data: float32([1]), indices: int32(0), indptr: int32(0, 1), shape: int64(2, 3) })],
    ['a plain array', encodeObject({ parameter: float32([1]), values: float32([1]), indices: int32(0) })],
  ] as const)('%s', async (_, object) => {
    const error = await errorOf(read(store.chain(['dense', base], ['sparse-values', object])));
    expect(error.code).toBe('malformed');
    expect(error.place.group).toBe('layer/weight');
  });

  it('but members that it does not know are none of its business', async () => {
    const object = encodeObject({
      theta_desktop: { dtype: 'uint8', shape: [2], bytes: Buffer.from('{}') },
      values: float32([1]),
      indices: int32(5),
      shape: int64(9),
    });
    const { bytes } = await read(store.chain(['dense', base], ['sparse-values', object]));
    expect(Array.from(new Float32Array(Uint8Array.from(bytes).buffer))).toEqual([0, 0, 0, 0, 0, 1]);
  });

  it('and a chain cannot begin with one', async () => {
    expect((await errorOf(read(store.chain(['sparse-values', update(float32([1]), int32(0))])))).code).toBe('malformed');
  });
});
