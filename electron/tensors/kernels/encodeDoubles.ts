import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { floatTable, type SmallFloat } from '../decodeTables';
import { toBfloat16, toFloat16 } from './smallFloats';

const single = new Float32Array(1);
const word = new Int32Array(single.buffer);

/**
 * Doubles as elements of a floating-point type, little-endian, each rounded once: to nearest, ties to even; what is too large becomes
 * infinity, or NaN in the types that have none, as NumPy and PyTorch cast. Complex types take their parts one after the other.
 * @param values one double for every element, two for complex types
 * @throws RangeError for types that are no floats
 */
export function encodeDoubles(dtype: DType, values: Float64Array): Uint8Array {
  switch (dtype) {
    case 'float64':
    case 'complex128':
      return bytesOf(values.slice());
    case 'float32':
    case 'complex64':
      return bytesOf(Float32Array.from(values));
    case 'float16':
    case 'complex32':
      return bytesOf(Uint16Array.from(values, (value) => toFloat16(roundToOdd(value))));
    case 'bfloat16':
      return bytesOf(Uint16Array.from(values, (value) => toBfloat16(roundToOdd(value))));
    case 'float8_e4m3fn':
    case 'float8_e4m3fnuz':
    case 'float8_e5m2':
    case 'float8_e5m2fnuz':
    case 'float8_e8m0fnu':
      return Uint8Array.from(values, byteEncoder(dtype));
    default:
      throw new RangeError(`${dtype} is no floating-point type of ${dtypeBytes(dtype)} bytes`);
  }
}

function bytesOf(array: Float64Array | Float32Array | Uint16Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/**
 * A float32 that rounds to a 16-bit float as the double itself would: where it is not exact, the one of its two float32 neighbours whose
 * last bit is odd (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums").
 */
function roundToOdd(value: number): number {
  single[0] = value;
  const near = single[0] ?? 0;
  const bits = word[0] ?? 0;
  if (near === value || Number.isNaN(value) || (bits & 1) === 1) return near;
  // Away from zero the bits grow, whatever the sign.
  word[0] = bits + (Math.abs(near) < Math.abs(value) ? 1 : -1);
  return single[0] ?? 0;
}

type Byte = Exclude<SmallFloat, 'float16' | 'bfloat16'>;

/** NaN of each type as NumPy's ml_dtypes writes it. */
const NAN: Readonly<Record<Byte, number>> = {
  float8_e4m3fn: 0x7f,
  float8_e4m3fnuz: 0x80,
  float8_e5m2: 0x7e,
  float8_e5m2fnuz: 0x80,
  float8_e8m0fnu: 0xff,
};

/** Rounds to the nearest of the finite magnitudes, which ascend with their codes; a tie goes to the even code. */
function byteEncoder(dtype: Byte): (value: number) => number {
  const signed = dtype !== 'float8_e8m0fnu';
  const table = floatTable(dtype).subarray(0, signed ? 128 : 256);
  const finite = table.findIndex((value) => !Number.isFinite(value));
  const count = finite < 0 ? table.length : finite;
  const largest = table[count - 1] ?? 0;
  // Half a step above the largest number, rounding would give the next one, if there were one.
  const limit = signed ? largest + (largest - (table[count - 2] ?? 0)) / 2 : largest * 1.5;
  const unsignedZero = dtype.endsWith('fnuz');
  const beyond = dtype === 'float8_e5m2' ? 0x7c : NAN[dtype];
  return (value) => {
    if (Number.isNaN(value) || (!signed && value < 0)) return NAN[dtype];
    const negative = signed && (value < 0 || Object.is(value, -0));
    const code = codeOf(Math.abs(value), table.subarray(0, count));
    const tooLarge = Math.abs(value) > limit || (Math.abs(value) === limit && (code & 1) === 1);
    if (tooLarge) return beyond === NAN[dtype] ? beyond : beyond | (negative ? 0x80 : 0);
    return code === 0 && unsignedZero ? 0 : code | (negative ? 0x80 : 0);
  };
}

function codeOf(magnitude: number, table: Float32Array): number {
  let low = 0;
  let high = table.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((table[middle] ?? 0) <= magnitude) low = middle;
    else high = middle - 1;
  }
  if (low === table.length - 1) return low;
  const below = magnitude - (table[low] ?? 0);
  const above = (table[low + 1] ?? 0) - magnitude;
  return below < above || (below === above && (low & 1) === 0) ? low : low + 1;
}
