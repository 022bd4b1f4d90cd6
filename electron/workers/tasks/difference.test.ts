import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DType } from '../../../shared/model/dtype';
import type { TensorPlan } from '../../updates/updateChain';
import { difference } from './difference';

const context = { signal: new AbortController().signal, progress: () => {} };

function plan(dtype: DType, shape: readonly number[], bytes: Uint8Array, offset = 0): TensorPlan {
  return { kind: 'ref', group: 'w', ref: { dtype, shape, source: { kind: 'memory', bytes }, offset, strides: null, bigEndian: false } };
}
const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
const float32 = (...values: number[]) => plan('float32', [values.length], bytesOf(Float32Array.from(values)));
const float64 = (...values: number[]) => plan('float64', [values.length], bytesOf(Float64Array.from(values)));
const compare = (before: TensorPlan | null, after: TensorPlan) => difference({ before, after, digest: false }, context);

describe('difference', () => {
  it('gives the norm of the difference and counts changed elements', async () => {
    expect(await compare(float32(1, 2, 3, 4), float32(1, 5, 3, 8))).toEqual({
      dtype: 'float32',
      shape: [4],
      elements: 4,
      other: null,
      difference: { changed: 2, norm: 5, notFinite: 0 },
      sha256: null,
    });
  });

  it('finds nothing between equal bits: NaN and infinity are equal to themselves', async () => {
    const odd = float32(Number.NaN, Number.POSITIVE_INFINITY, -0, 1);
    expect((await compare(odd, odd)).difference).toEqual({ changed: 0, norm: 0, notFinite: 0 });
    const beside = float32(Number.NaN, Number.POSITIVE_INFINITY, -0, 4);
    expect((await compare(odd, beside)).difference).toEqual({ changed: 1, norm: 3, notFinite: 0 });
  });

  it('counts the sign of zero and another NaN as changes', async () => {
    expect((await compare(float64(0, 1), float64(-0, 1))).difference).toEqual({ changed: 1, norm: 0, notFinite: 0 });
    const nan = (bits: number) => plan('float32', [2], bytesOf(Uint32Array.of(bits, 0)));
    expect((await compare(nan(0x7fc00000), nan(0x7fc00001))).difference).toEqual({ changed: 1, norm: 0, notFinite: 1 });
  });

  it('keeps NaN and infinities out of the norm', async () => {
    const found = await compare(float32(1, 2, Number.NaN, 0), float32(Number.POSITIVE_INFINITY, Number.NaN, 1, 3));
    expect(found.difference).toEqual({ changed: 4, norm: 3, notFinite: 3 });
  });

  it('neither overflows nor vanishes', async () => {
    expect((await compare(float64(0, 0), float64(3e200, 4e200))).difference?.norm).toBeCloseTo(5e200, -186);
    const tiny = (await compare(float64(0, 0), float64(3e-200, -4e-200))).difference?.norm ?? 0;
    expect(tiny / 5e-200).toBeCloseTo(1, 12);
  });

  it('subtracts 64-bit integers exactly', async () => {
    const big = 2n ** 62n;
    const signed = (...values: bigint[]) => plan('int64', [values.length], bytesOf(BigInt64Array.from(values)));
    expect((await compare(signed(big, -big, -1n), signed(big + 3n, -big, -5n))).difference).toEqual({ changed: 2, norm: 5, notFinite: 0 });
    const unsigned = (...values: bigint[]) => plan('uint64', [values.length], bytesOf(BigUint64Array.from(values)));
    expect((await compare(unsigned(2n ** 64n - 1n, 2n ** 32n), unsigned(2n ** 64n - 4n, 2n ** 32n - 4n))).difference).toEqual({
      changed: 2,
      norm: 5,
      notFinite: 0,
    });
  });

  it('knows bool, small floats, small integers, and both parts of complex numbers', async () => {
    const of = (dtype: DType, shape: readonly number[], before: ArrayBufferView, after: ArrayBufferView) =>
      compare(plan(dtype, shape, bytesOf(before)), plan(dtype, shape, bytesOf(after)));
    expect((await of('bool', [3], Uint8Array.of(1, 0, 1), Uint8Array.of(0, 0, 1))).difference).toEqual({ changed: 1, norm: 1, notFinite: 0 });
    expect((await of('uint8', [2], Uint8Array.of(255, 0), Uint8Array.of(252, 4))).difference).toEqual({ changed: 2, norm: 5, notFinite: 0 });
    // bfloat16: 1.0 is 0x3f80, 4.0 is 0x4080. float16: 1.0 is 0x3c00, 4.0 is 0x4400.
    expect((await of('bfloat16', [2], Uint16Array.of(0x3f80, 0), Uint16Array.of(0x4080, 0))).difference).toEqual({ changed: 1, norm: 3, notFinite: 0 });
    expect((await of('float16', [2], Uint16Array.of(0x3c00, 0), Uint16Array.of(0x4400, 0))).difference).toEqual({ changed: 1, norm: 3, notFinite: 0 });
    expect((await of('complex64', [2], Float32Array.of(1, 1, 2, 2), Float32Array.of(4, 5, 2, 2))).difference).toEqual({ changed: 1, norm: 5, notFinite: 0 });
    expect((await of('complex128', [1], Float64Array.of(1, 1), Float64Array.of(1, 2))).difference).toEqual({ changed: 1, norm: 1, notFinite: 0 });
  });

  it('says which types and shapes differ, and gives no number', async () => {
    expect(await compare(float32(1, 2), float64(1, 2))).toMatchObject({ difference: null, other: { dtype: 'float32', shape: [2] }, dtype: 'float64' });
    expect(await compare(float32(1, 2), float32(1))).toMatchObject({ difference: null, other: { shape: [2] }, shape: [1] });
  });

  it('takes scalars and tensors without elements', async () => {
    const empty = plan('float32', [0, 3], new Uint8Array(0));
    expect(await compare(empty, empty)).toMatchObject({ elements: 0, difference: { changed: 0, norm: 0, notFinite: 0 } });
    const scalar = (value: number) => plan('float64', [], bytesOf(Float64Array.of(value)));
    expect(await compare(scalar(1), scalar(-1))).toMatchObject({ elements: 1, difference: { changed: 1, norm: 2 } });
  });

  it('against nothing gives the norm and the digest of the value itself', async () => {
    const values = Float32Array.of(3, 0, 4);
    expect(await difference({ before: null, after: float32(...values), digest: true }, context)).toMatchObject({
      difference: { changed: 2, norm: 5, notFinite: 0 },
      sha256: createHash('sha256').update(bytesOf(values)).digest('hex'),
    });
  });

  it('joins blocks of different sizes: a transposed tensor against a plain one of 9 MB', async () => {
    const [rows, columns] = [1024, 2304];
    const after = Float32Array.from({ length: rows * columns }, (_, index) => Math.fround(Math.sin(index)));
    const turned = new Float32Array(rows * columns);
    for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) turned[column * rows + row] = after[row * columns + column] ?? 0;
    turned[5 * rows + 7] = (turned[5 * rows + 7] ?? 0) + 2;
    const before: TensorPlan = {
      kind: 'ref',
      group: 'w',
      ref: { dtype: 'float32', shape: [rows, columns], source: { kind: 'memory', bytes: bytesOf(turned) }, offset: 0, strides: [1, rows], bigEndian: false },
    };
    const found = await compare(before, plan('float32', [rows, columns], bytesOf(after)));
    expect(found.difference?.changed).toBe(1);
    expect(found.difference?.norm).toBeCloseTo(2, 5);
  });

  it('reads tensors that do not start at a multiple of their element', async () => {
    const shifted = (values: Float64Array) => {
      const bytes = new Uint8Array(values.byteLength + 1);
      bytes.set(bytesOf(values), 1);
      return plan('float64', [values.length], bytes, 1);
    };
    expect((await compare(shifted(Float64Array.of(1, 2)), shifted(Float64Array.of(4, 6)))).difference).toEqual({ changed: 2, norm: 5, notFinite: 0 });
  });

  it('ends when it is cancelled', async () => {
    const controller = new AbortController();
    controller.abort();
    const run = difference({ before: null, after: float32(1), digest: false }, { ...context, signal: controller.signal });
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
  });
});
