import { afterAll, describe, expect, it } from 'vitest';
import type { DType } from '../../../shared/model/dtype';
import { decodeToFloat64 } from '../../tensors/decode';
import { averageGroup } from './averageGroup';
import { context, floats, makeStore, planOf, sha256, type Value } from './testing/storeSetup';

const store = makeStore();
afterAll(() => store.remove());

async function average(values: readonly Value[], weights: readonly number[]) {
  const inputs = values.map((value, i) => ({ plan: planOf(value), weight: weights[i] ?? 0 }));
  const stored = await averageGroup({ group: 'layer/weight', inputs, facts: null, objects: store.objects }, context);
  const read = await store.read(store.extend(null, stored));
  expect(stored).toMatchObject({ kind: 'dense', dtype: read.dtype, shape: read.shape, sha256: sha256(read.bytes), notes: [] });
  return read;
}

const halves = (bits: readonly number[], dtype: DType): Value => ({ dtype, shape: [bits.length], bytes: new Uint8Array(Uint16Array.from(bits).buffer) });
const bytesOf = (bits: readonly number[], dtype: DType): Value => ({ dtype, shape: [bits.length], bytes: Uint8Array.from(bits) });
const words = (value: Value) => Array.from(new Uint16Array(Uint8Array.from(value.bytes).buffer));

describe('a weighted sum', () => {
  it('is rounded once to the type', async () => {
    // 0.1 and 0.7 in float32; the sum of the products in double, then to float32.
    const [a, b] = [Math.fround(0.1), Math.fround(0.7)];
    const read = await average([floats([a, 1, -0, 3e38]), floats([b, 3, -0, 3e38])], [0.3, 0.7]);
    expect(Array.from(new Float32Array(Uint8Array.from(read.bytes).buffer))).toEqual([
      Math.fround(0.3 * a + 0.7 * b),
      Math.fround(0.3 + 0.7 * 3),
      -0,
      Math.fround(0.3 * Math.fround(3e38) + 0.7 * Math.fround(3e38)),
    ]);
  });

  it('is not rounded to float32 on the way to float16', async () => {
    // 1 + 2^-11 lies between two float16 numbers; 2^-30 more decides, which float32 would lose (IEEE 754: 0x3c01 is 1 + 2^-10).
    const read = await average([halves([0x3c00], 'float16'), halves([0x3c00], 'float16')], [1, 2 ** -11 + 2 ** -30]);
    expect(words(read)).toEqual([0x3c01]);
    const even = await average([halves([0x3c00], 'float16'), halves([0x3c00], 'float16')], [1, 2 ** -11]);
    expect(words(even)).toEqual([0x3c00]);
  });

  it('of bfloat16 ties to even, with what a float32 would lose', async () => {
    // 0x3f80 is 1, 0x3f81 is 1 + 2^-7.
    expect(words(await average([halves([0x3f80], 'bfloat16'), halves([0x3f80], 'bfloat16')], [1, 2 ** -8]))).toEqual([0x3f80]);
    expect(words(await average([halves([0x3f80], 'bfloat16'), halves([0x3f80], 'bfloat16')], [1, 2 ** -8 + 2 ** -40]))).toEqual([0x3f81]);
    expect(words(await average([halves([0xbf80], 'bfloat16'), halves([0xbf80], 'bfloat16')], [1, 2 ** -8 + 2 ** -40]))).toEqual([0xbf81]);
  });

  it.each<[DType, readonly number[], readonly number[], readonly number[]]>([
    // OCP 8-bit formats: E4M3 0x38 = 1, 0x39 = 1.125, 0x7e = 448; E5M2 0x3c = 1, 0x3d = 1.25, 0x7b = 57344.
    ['float8_e4m3fn', [0x38, 0x38, 0x7e, 0xb8, 0x80, 0x01], [0x39, 0x3a, 0x7e, 0xb9, 0x80, 0x02], [0x38, 0x39, 0x7e, 0xb8, 0x80, 0x02]],
    ['float8_e5m2', [0x3c, 0x3c, 0x7b, 0x7c, 0x80], [0x3d, 0x3e, 0x7b, 0x7b, 0x80], [0x3c, 0x3d, 0x7b, 0x7c, 0x80]],
    ['float8_e4m3fnuz', [0x40, 0x00, 0x7f], [0x42, 0x00, 0x7f], [0x41, 0x00, 0x7f]],
    ['float8_e8m0fnu', [0x7f, 0x7f], [0x7f, 0x81], [0x7f, 0x80]],
  ])('of %s goes to the nearest byte', async (dtype, left, right, expected) => {
    expect(Array.from((await average([bytesOf(left, dtype), bytesOf(right, dtype)], [0.5, 0.5])).bytes)).toEqual(expected);
  });

  it.each(['float8_e4m3fn', 'float8_e4m3fnuz', 'float8_e5m2', 'float8_e5m2fnuz', 'float8_e8m0fnu', 'float16', 'bfloat16'] as const)(
    '%s: every number with itself is itself',
    async (dtype) => {
      const wide = dtype === 'float16' || dtype === 'bfloat16';
      const value = wide
        ? halves(
            Array.from({ length: 65_536 }, (_, i) => i),
            dtype,
          )
        : bytesOf(
            Array.from({ length: 256 }, (_, i) => i),
            dtype,
          );
      const count = value.shape[0] ?? 0;
      const numbers = new Float64Array(count);
      const read = await average([value, value], [0.5, 0.5]);
      decodeToFloat64(dtype, read.bytes, numbers);
      const own = new Float64Array(count);
      decodeToFloat64(dtype, value.bytes, own);
      expect(numbers).toEqual(own);
      const item = wide ? 2 : 1;
      const wrong = own.findIndex(
        (number, i) =>
          !Number.isNaN(number) && Buffer.compare(read.bytes.subarray(i * item, (i + 1) * item), value.bytes.subarray(i * item, (i + 1) * item)) !== 0,
      );
      expect(wrong).toBe(-1);
    },
  );

  it('of complex numbers is taken part by part, and what weighs nothing does not count', async () => {
    const complex = (parts: readonly number[]): Value => ({
      dtype: 'complex64',
      shape: [parts.length / 2],
      bytes: new Uint8Array(Float32Array.from(parts).buffer),
    });
    const read = await average([complex([1, 2, 3, 4]), complex([3, 0, 5, 8]), complex([Number.NaN, Number.POSITIVE_INFINITY, 0, 0])], [0.5, 0.5, 0]);
    expect(Array.from(new Float32Array(Uint8Array.from(read.bytes).buffer))).toEqual([2, 1, 4, 6]);
  });
});

describe('no average', () => {
  it.each([
    ['whole numbers', bytesOf([1, 2], 'uint8'), bytesOf([3, 4], 'uint8'), 'layer/weight is uint8, which has no average: it needs a side.'],
    ['bool', bytesOf([1], 'bool'), bytesOf([0], 'bool'), 'layer/weight is bool, which has no average: it needs a side.'],
    ['two shapes', floats([1, 2]), floats([1, 2, 3]), 'layer/weight has no average of float32 2 and float32 3: it needs a side.'],
  ])('of %s', async (_, left, right, message) => {
    await expect(average([left, right], [0.5, 0.5])).rejects.toMatchObject({ code: 'invalid-request', message });
  });

  it('of nothing, or with weights that are no numbers', async () => {
    await expect(average([floats([1])], [0])).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(average([floats([1]), floats([2])], [Number.NaN, 1])).rejects.toMatchObject({ code: 'invalid-request' });
  });
});
