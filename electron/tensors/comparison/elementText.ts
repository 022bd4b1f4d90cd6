import { type DType, dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { decodeToFloat64 } from '../decode';
import { encodeDoubles } from '../kernels/encodeDoubles';
import { partType } from './decodePair';

/**
 * An element as text: the shortest decimal number that the type rounds to this very value (1.1 for the bfloat16 1.1015625), integers in all
 * digits, complex numbers as `re+imi`. The sign of -0.0 is shown.
 * @param bytes the element, little-endian
 */
export function elementText(dtype: DType, bytes: Uint8Array): string {
  const kind = dtypeKind(dtype);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (dtype === 'int64') return view.getBigInt64(0, true).toString();
  if (dtype === 'uint64') return view.getBigUint64(0, true).toString();
  if (kind === 'bool') return bytes[0] === 0 ? 'false' : 'true';
  const part = partType(dtype);
  if (part !== null) {
    const half = dtypeBytes(part);
    const imaginary = elementText(part, bytes.subarray(half, 2 * half));
    return `${elementText(part, bytes.subarray(0, half))}${imaginary.startsWith('-') ? '' : '+'}${imaginary}i`;
  }
  const [value = 0] = numbersOf(dtype, bytes);
  return kind === 'float' ? floatText(dtype, value) : String(value);
}

/** Significant digits that tell any two doubles apart. */
const MOST_DIGITS = 17;

function floatText(dtype: DType, value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Object.is(value, -0)) return '-0.0';
  return withPoint(dtype === 'float64' ? String(value) : shortest(dtype, value));
}

function shortest(dtype: DType, value: number): string {
  for (let digits = 1; digits < MOST_DIGITS; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (numbersOf(dtype, encodeDoubles(dtype, Float64Array.of(candidate)))[0] === value) return String(candidate);
  }
  return String(value);
}

/** `1` as `1.0`: it is no integer. */
function withPoint(text: string): string {
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function numbersOf(dtype: DType, bytes: Uint8Array): Float64Array {
  const values = new Float64Array(bytes.byteLength / dtypeBytes(dtype));
  decodeToFloat64(dtype, bytes, values);
  return values;
}
