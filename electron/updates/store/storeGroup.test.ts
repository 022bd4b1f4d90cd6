import { afterAll, describe, expect, it } from 'vitest';
import { DTYPES, dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { floats, makeStore, sha256, type Value } from './testing/storeSetup';

const store = makeStore();
afterAll(() => store.remove());

/** Values of changing magnitude without a pattern. */
function noise(count: number, seed = 1): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state / 2 ** 31 - 1) * 0.1;
  });
}

/** Stores both values and checks that the second comes back bit for bit. @returns how it was stored */
async function change(before: Value, after: Value, more: Parameters<typeof store.put>[1] = {}) {
  const base = store.extend(null, await store.put(before));
  const stored = await store.put(after, { base, ...more });
  const read = await store.read(store.extend(base, stored));
  expect(read.dtype).toBe(after.dtype);
  expect(read.shape).toEqual(after.shape);
  expect(Buffer.compare(read.bytes, after.bytes)).toBe(0);
  expect(stored.sha256).toBe(sha256(after.bytes));
  return stored;
}

function edited(values: Float32Array, edit: (copy: Float32Array) => void, shape: readonly number[] = [values.length]): Value {
  const copy = values.slice();
  edit(copy);
  return floats(copy, shape);
}

describe('a full copy', () => {
  it.each(DTYPES.map((dtype) => [dtype] as const))('comes back bit for bit: %s', async (dtype) => {
    for (const shape of [[], [0, 3], [7], [5, 3]]) {
      const count = shape.reduce((product, extent) => product * extent, 1);
      const bytes = Uint8Array.from({ length: count * dtypeBytes(dtype) }, (_, i) => (dtype === 'bool' ? i % 2 : (i * 37 + 11) % 256));
      const stored = await store.put({ dtype, shape, bytes });
      expect(stored).toMatchObject({ kind: 'dense', dtype, shape, sha256: sha256(bytes), notes: [] });
      const read = await store.read(store.extend(null, stored));
      expect({ ...read, bytes: Buffer.from(read.bytes) }).toEqual({ dtype, shape, bytes: Buffer.from(bytes) });
    }
  });

  it('of NaN payloads, infinities and both zeros comes back bit for bit', async () => {
    const bits = Uint32Array.of(0x7fc00000, 0xffc00001, 0x7f800001, 0x7f800000, 0xff800000, 0x80000000, 0, 1, 0x80000001);
    const value: Value = { dtype: 'float32', shape: [9], bytes: new Uint8Array(bits.buffer) };
    const read = await store.read(store.extend(null, await store.put(value)));
    expect(Buffer.from(read.bytes)).toEqual(Buffer.from(value.bytes));
  });
});

describe('an update is stored where it gives the exact value', () => {
  const values = noise(10_000);
  const before = floats(values, [100, 100]);

  it.each([
    ['one element by one unit in the last place', (copy: Float32Array) => new Int32Array(copy.buffer).set([(new Int32Array(copy.buffer)[77] ?? 0) + 1], 77)],
    ['one element by 1e-7', (copy: Float32Array) => copy.set([(copy[77] ?? 0) + 1e-7], 77)],
    ['some elements to infinity', (copy: Float32Array) => copy.fill(Number.POSITIVE_INFINITY, 5, 9)],
    ['one element to +0', (copy: Float32Array) => copy.set([0], 0)],
    ['1 % of the elements', (copy: Float32Array) => copy.set(copy.map((value, i) => (i % 100 === 3 ? value * 1.01 : value)))],
  ])('%s: sparse', async (_, edit) => {
    expect(await change(before, edited(values, edit, [100, 100]))).toMatchObject({ kind: 'sparse', notes: [] });
  });

  it.each([
    ['one element becomes -0', (copy: Float32Array) => copy.set([-0], 0)],
    ['one element becomes NaN', (copy: Float32Array) => copy.set([Number.NaN], 0)],
    ['all elements change', (copy: Float32Array) => copy.set(copy.map((value, i) => value + 1e-3 * Math.sin(i * i)))],
    ['an element shrinks below what a difference resolves', (copy: Float32Array) => copy.set([(copy[50] ?? 0) * 1e-9], 50)],
  ])('%s: a full copy', async (_, edit) => {
    expect(await change(before, edited(values, edit, [100, 100]))).toMatchObject({ kind: 'dense', notes: [] });
  });

  it('keeps -0.0 among the previous values', async () => {
    const zeros = noise(10_000);
    zeros[9] = -0;
    const after = edited(zeros, (copy) => copy.set([(copy[77] ?? 0) * 1.5], 77));
    expect((await change(floats(zeros), after)).kind).toBe('dense');
    expect(await change(floats(zeros), after, { choice: 'sparse' })).toMatchObject({
      kind: 'dense',
      notes: [expect.stringMatching(/^Stored as a full copy, because .*exact value/)],
    });
  });

  it('keeps infinities that stay, and refuses those that go', async () => {
    const wild = noise(10_000);
    wild[9] = Number.NEGATIVE_INFINITY;
    expect(
      (
        await change(
          floats(wild),
          edited(wild, (copy) => copy.set([(copy[77] ?? 0) * 1.5], 77)),
        )
      ).kind,
    ).toBe('sparse');
    expect(
      (
        await change(
          floats(wild),
          edited(wild, (copy) => copy.set([1], 9)),
        )
      ).kind,
    ).toBe('dense');
  });

  it.each([
    ['rows', [100, 100], (i: number) => 1 + Math.floor(i / 100) / 300, [100, 1]],
    ['columns', [100, 100], (i: number) => 1 - (i % 100) / 300, [1, 100]],
    ['all', [100, 100], () => 0.9, [1, 1]],
    ['the middle axis', [10, 20, 50], (i: number) => 1 + (Math.floor(i / 50) % 20) / 30, [1, 20, 1]],
  ] as const)('scaled %s: ia3', async (_, shape, factor, __) => {
    const scaled = values.map((value, i) => value * Math.fround(factor(i)));
    expect(await change(floats(values, shape), floats(scaled, shape))).toMatchObject({ kind: 'ia3' });
    expect(await change(floats(values, shape), floats(scaled, shape), { choice: 'ia3' })).toMatchObject({ kind: 'ia3', notes: [] });
  });

  it('finds a difference of small rank that leaves no rounding', async () => {
    const left = noise(200, 3).map((value) => Math.round(value * 80) / 1024);
    const right = noise(200, 4).map((value) => Math.round(value * 80) / 8);
    const coarse = noise(10_000, 5).map((value) => Math.round(value * 2 ** 14) / 2 ** 10 + 20);
    const after = coarse.map((value, i) => {
      const [row, column] = [Math.floor(i / 100), i % 100];
      return value + (left[2 * row] ?? 0) * (right[column] ?? 0) + (left[2 * row + 1] ?? 0) * (right[100 + column] ?? 0);
    });
    expect(await change(floats(coarse, [100, 100]), floats(after, [100, 100]))).toMatchObject({ kind: 'low-rank' });
  });

  it.each(['float16', 'bfloat16', 'float64', 'int8', 'uint8', 'int32', 'uint32', 'int64', 'uint64', 'complex64'] as const)('%s: sparse', async (dtype) => {
    const item = dtypeBytes(dtype);
    const count = 20_000;
    // The last byte of each float is below the exponent's; the others are any. Bytes change in the same order of magnitude.
    const random = noise(count * item, 9).map((value) => Math.floor(Math.abs(value) * 2500));
    const bytes = Uint8Array.from(random, (byte, i) =>
      (dtypeKind(dtype) === 'complex' ? i % 4 === 3 : dtypeKind(dtype) === 'float' && i % item === item - 1) ? 0x3f : byte,
    );
    const after = bytes.slice();
    for (let i = 0; i < 40; i++) after[i * 400 * item] = (after[i * 400 * item] ?? 0) ^ 5;
    const stored = await change({ dtype, shape: [count], bytes }, { dtype, shape: [count], bytes: after });
    expect(stored).toMatchObject({ kind: 'sparse' });
  });
});
