import type { DType } from '../../shared/model/dtype';

export type SmallFloat = Extract<DType, `float8_${string}` | 'float16' | 'bfloat16'>;

interface Layout {
  readonly bits: 8 | 16;
  readonly exponent: number;
  readonly mantissa: number;
  readonly bias: number;
  /** `ieee`: the highest exponent is infinity or NaN. `fn`: only all ones is NaN, no infinity. `fnuz`: only minus zero is NaN. */
  readonly special: 'ieee' | 'fn' | 'fnuz';
}

/**
 * IEEE 754 binary16; bfloat16, the upper half of binary32; E4M3 and E5M2 of the OCP 8-bit floating point specification (FN: finite,
 * with NaN); their FNUZ variants (finite, NaN, unsigned zero), whose bias is one higher, as ONNX describes them.
 */
const LAYOUTS: Readonly<Record<Exclude<SmallFloat, 'float8_e8m0fnu' | 'bfloat16'>, Layout>> = {
  float16: { bits: 16, exponent: 5, mantissa: 10, bias: 15, special: 'ieee' },
  float8_e4m3fn: { bits: 8, exponent: 4, mantissa: 3, bias: 7, special: 'fn' },
  float8_e4m3fnuz: { bits: 8, exponent: 4, mantissa: 3, bias: 8, special: 'fnuz' },
  float8_e5m2: { bits: 8, exponent: 5, mantissa: 2, bias: 15, special: 'ieee' },
  float8_e5m2fnuz: { bits: 8, exponent: 5, mantissa: 2, bias: 16, special: 'fnuz' },
};

const tables = new Map<SmallFloat, Float32Array>();

/** Value of every bit pattern of a small floating-point type; each is exact in float32. Made when first asked for. */
export function floatTable(dtype: SmallFloat): Float32Array {
  let table = tables.get(dtype);
  if (table === undefined) {
    table = dtype === 'float8_e8m0fnu' ? scaleTable() : dtype === 'bfloat16' ? upperHalves() : makeTable(LAYOUTS[dtype]);
    tables.set(dtype, table);
  }
  return table;
}

/** E8M0 of the OCP microscaling specification: powers of two from 2^-127 to 2^127, no sign, no zero, 255 is NaN. */
function scaleTable(): Float32Array {
  return Float32Array.from({ length: 256 }, (_, bits) => (bits === 255 ? Number.NaN : 2 ** (bits - 127)));
}

/** A bfloat16 is the upper half of a float32. */
function upperHalves(): Float32Array {
  const words = new Uint32Array(65_536);
  for (let bits = 0; bits < words.length; bits++) words[bits] = bits << 16;
  return new Float32Array(words.buffer);
}

function makeTable(layout: Layout): Float32Array {
  return Float32Array.from({ length: 2 ** layout.bits }, (_, bits) => numberOf(layout, bits));
}

function numberOf({ bits, exponent, mantissa, bias, special }: Layout, pattern: number): number {
  const signBit = 2 ** (bits - 1);
  const negative = pattern >= signBit;
  const magnitude = negative ? pattern - signBit : pattern;
  const scale = magnitude >> mantissa;
  const fraction = magnitude % 2 ** mantissa;
  if (special === 'fnuz' && negative && magnitude === 0) return Number.NaN;
  if (special === 'fn' && magnitude === signBit - 1) return Number.NaN;
  if (special === 'ieee' && scale === 2 ** exponent - 1) {
    if (fraction !== 0) return Number.NaN;
    return negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  const value = scale === 0 ? fraction * 2 ** (1 - bias - mantissa) : (2 ** mantissa + fraction) * 2 ** (scale - bias - mantissa);
  return negative ? -value : value;
}
