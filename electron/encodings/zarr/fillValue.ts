import { CheckpointError } from '../../../shared/contract/errors';
import { type DType, dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { encodeNumber } from '../../tensors/kernels/encodeNumber';

const SPECIAL: ReadonlyMap<unknown, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

/**
 * `fill_value` of a `.zarray` as the little-endian bytes of one element: `null` (zero), a number, true or false, "NaN", "Infinity",
 * "-Infinity", two of these for complex types, or the element's bytes in base64.
 * @param text the whole `.zarray`: whole numbers beyond 2^53 are taken from there
 * @throws CheckpointError malformed
 */
export function encodeFillValue(value: unknown, dtype: DType, text: string): Uint8Array {
  if (value === null) return new Uint8Array(dtypeBytes(dtype));
  const encoded = dtypeKind(dtype) === 'complex' ? complexFill(value, dtype) : realFill(value, dtype, text);
  const bytes = encoded ?? base64Fill(value, dtype);
  if (bytes === null) throw new CheckpointError('malformed', `The fill value ${JSON.stringify(value)?.slice(0, 60)} of an array is no ${dtype}.`);
  return bytes;
}

function realFill(value: unknown, dtype: DType, text: string): Uint8Array | null {
  const kind = dtypeKind(dtype);
  if (kind === 'int' || kind === 'uint') {
    if (typeof value !== 'number' || !Number.isInteger(value)) return null;
    const digits = /"fill_value"\s*:\s*(-?\d+)\s*[,}]/.exec(text)?.[1];
    return integerFill(digits === undefined || Number.isSafeInteger(value) ? BigInt(value) : BigInt(digits), dtype);
  }
  if (kind === 'bool') return value === true || value === 1 ? Uint8Array.of(1) : value === false || value === 0 ? Uint8Array.of(0) : null;
  const number = realNumber(value);
  return number === null ? null : encodeNumber(number, dtype);
}

function integerFill(value: bigint, dtype: DType): Uint8Array | null {
  const bits = 8 * dtypeBytes(dtype);
  const fits = dtypeKind(dtype) === 'int' ? BigInt.asIntN(bits, value) === value : BigInt.asUintN(bits, value) === value;
  if (!fits) return null;
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigInt64(0, BigInt.asIntN(64, value), true);
  return new Uint8Array(bytes.buffer, 0, bits / 8);
}

function complexFill(value: unknown, dtype: DType): Uint8Array | null {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value, 0];
  const real = realNumber(parts[0]);
  const imaginary = realNumber(parts[1]);
  if (parts.length !== 2 || real === null || imaginary === null) return null;
  return Uint8Array.from([real, imaginary].flatMap((part) => [...(encodeNumber(part, dtype === 'complex64' ? 'float32' : 'float64') ?? [])]));
}

function realNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : (SPECIAL.get(value) ?? null);
}

function base64Fill(value: unknown, dtype: DType): Uint8Array | null {
  if (typeof value !== 'string' || value.length > 64 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return null;
  const bytes = Buffer.from(value, 'base64');
  return bytes.byteLength === dtypeBytes(dtype) ? Uint8Array.from(bytes) : null;
}
