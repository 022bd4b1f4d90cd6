import { describe, expect, it } from 'vitest';
import { DTYPES, type DType, dtypeBytes } from '../../shared/model/dtype';
import { decodeToFloat64 } from './decode';

const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

function decode(dtype: DType, bytes: Uint8Array): number[] {
  const into = new Float64Array(bytes.byteLength / dtypeBytes(dtype));
  expect(decodeToFloat64(dtype, bytes, into)).toBe(into.length);
  return [...into];
}

/** Bit patterns of one element, most significant digit first, and their values by the specifications. */
const POINTS: Readonly<Record<DType, readonly (readonly [string, number])[]>> = {
  bool: [
    ['00', 0],
    ['01', 1],
    ['ff', 1],
  ],
  uint8: [
    ['ff', 255],
    ['00', 0],
  ],
  int8: [
    ['80', -128],
    ['7f', 127],
    ['ff', -1],
  ],
  uint16: [
    ['ffff', 65535],
    ['0102', 258],
  ],
  int16: [
    ['8000', -32768],
    ['fffe', -2],
  ],
  uint32: [
    ['ffffffff', 4294967295],
    ['00010000', 65536],
  ],
  int32: [
    ['80000000', -2147483648],
    ['fffffffd', -3],
  ],
  // 2^53 + 1 lies between two doubles and goes to the even one; 2^53 + 3 goes up.
  uint64: [
    ['ffffffffffffffff', 2 ** 64],
    ['0020000000000001', 2 ** 53],
    ['0020000000000003', 2 ** 53 + 4],
    ['0000000100000002', 2 ** 32 + 2],
  ],
  int64: [
    ['8000000000000000', -(2 ** 63)],
    ['ffffffffffffffff', -1],
    ['ffdfffffffffffff', -(2 ** 53)],
    ['7fffffffffffffff', 2 ** 63],
  ],
  float8_e4m3fn: [
    ['00', 0],
    ['80', -0],
    ['01', 2 ** -9],
    ['07', 7 * 2 ** -9],
    ['08', 2 ** -6],
    ['38', 1],
    ['7e', 448],
    ['fe', -448],
    ['7f', nan],
    ['ff', nan],
  ],
  float8_e4m3fnuz: [
    ['00', 0],
    ['80', nan],
    ['01', 2 ** -10],
    ['08', 2 ** -7],
    ['40', 1],
    ['7f', 240],
    ['ff', -240],
  ],
  float8_e5m2: [
    ['00', 0],
    ['80', -0],
    ['01', 2 ** -16],
    ['04', 2 ** -14],
    ['3c', 1],
    ['7b', 57344],
    ['7c', inf],
    ['fc', -inf],
    ['7d', nan],
    ['ff', nan],
  ],
  float8_e5m2fnuz: [
    ['00', 0],
    ['80', nan],
    ['01', 2 ** -17],
    ['04', 2 ** -15],
    ['40', 1],
    ['7f', 57344],
    ['ff', -57344],
  ],
  float8_e8m0fnu: [
    ['00', 2 ** -127],
    ['7f', 1],
    ['80', 2],
    ['fe', 2 ** 127],
    ['ff', nan],
  ],
  float16: [
    ['0000', 0],
    ['8000', -0],
    ['0001', 2 ** -24],
    ['03ff', 1023 * 2 ** -24],
    ['0400', 2 ** -14],
    ['3c00', 1],
    ['3555', 0.333251953125],
    ['7bff', 65504],
    ['fc00', -inf],
    ['7c01', nan],
  ],
  bfloat16: [
    ['0000', 0],
    ['8000', -0],
    ['0001', 2 ** -133],
    ['3f80', 1],
    ['4049', 3.140625],
    ['7f7f', 255 * 2 ** 120],
    ['ff80', -inf],
    ['7fc0', nan],
  ],
  float32: [
    ['80000000', -0],
    ['00000001', 2 ** -149],
    ['3f800000', 1],
    ['7f800000', inf],
    ['ffc00001', nan],
  ],
  float64: [
    ['8000000000000000', -0],
    ['0000000000000001', 2 ** -1074],
    ['bff0000000000000', -1],
    ['7ff8000000000001', nan],
  ],
  // Written as imaginary part, then real part, because the pattern is most significant first.
  complex32: [
    ['44004200', 5],
    ['7c007e00', inf],
    ['00007e00', nan],
  ],
  complex64: [
    ['4080000040400000', 5],
    ['7f7fffff00000000', 3.4028234663852886e38],
    ['7f7fffff7f7fffff', Math.SQRT2 * 3.4028234663852886e38],
  ],
  complex128: [
    ['40100000000000004008000000000000', 5],
    ['7fe00000000000000000000000000000', 2 ** 1023],
    ['00000000000000010000000000000000', 2 ** -1074],
  ],
};

describe('decodeToFloat64', () => {
  it.each(DTYPES)('gives the values of the specification for %s', (dtype) => {
    const patterns = POINTS[dtype].map(([hex]) => Buffer.from(hex, 'hex').reverse());
    const values = POINTS[dtype].map(([, value]) => value);
    expect(decode(dtype, Buffer.concat(patterns))).toEqual(values);
    // One byte off every alignment.
    const shifted = Buffer.concat([Buffer.alloc(1), ...patterns]);
    const copy = new Uint8Array(new ArrayBuffer(shifted.byteLength));
    copy.set(shifted);
    expect(decode(dtype, copy.subarray(1))).toEqual(values);
    expect(decode(dtype, new Uint8Array(0))).toEqual([]);
  });

  it.each<[DType, number, number]>([
    ['float8_e4m3fn', 2, 0],
    ['float8_e4m3fnuz', 1, 0],
    ['float8_e5m2', 6, 2],
    ['float8_e5m2fnuz', 1, 0],
    ['float8_e8m0fnu', 1, 0],
    ['float16', 2 * 1023, 2],
    ['bfloat16', 2 * 127, 2],
  ])('has the NaNs and infinities of %s, and grows with its bits between', (dtype, nans, infinities) => {
    const bits = dtypeBytes(dtype) * 8;
    const all = bits === 8 ? Uint8Array.from({ length: 256 }, (_, i) => i) : new Uint8Array(Uint16Array.from({ length: 65536 }, (_, i) => i).buffer);
    const values = decode(dtype, all);
    expect(values.filter(Number.isNaN)).toHaveLength(nans);
    expect(values.filter((value) => Math.abs(value) === inf)).toHaveLength(infinities);
    const positive = (dtype === 'float8_e8m0fnu' ? values : values.slice(0, values.length / 2)).filter((value) => !Number.isNaN(value));
    expect(positive.every((value, i) => i === 0 || value > (positive[i - 1] ?? inf))).toBe(true);
  });

  it('refuses parts of elements and too small a target', () => {
    expect(() => decodeToFloat64('float32', new Uint8Array(6), new Float64Array(9))).toThrow(RangeError);
    expect(() => decodeToFloat64('float32', new Uint8Array(8), new Float64Array(1))).toThrow(RangeError);
  });
});
