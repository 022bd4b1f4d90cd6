import { CheckpointError } from '../../../shared/contract/errors';
import type { DType } from '../../../shared/model/dtype';
import { decodeToFloat64 } from '../../tensors/decode';
import { encodeDoubles } from '../../tensors/kernels/encodeDoubles';
import { parseDecimal, roundedToOdd, wholeNumber } from './decimal';
import { type ElementType, elementType, elementTypeName, STRING } from './elementTypes';

const MAX_TEXT = 10_000;
/** Magnitudes of the codes 0 to 7 of float4e2m1 (OCP Microscaling Formats, E2M1). */
const FLOAT4 = [0, 0.5, 1, 1.5, 2, 3, 4, 6] as const;

/**
 * What stands for a constant in raw_data: the bytes of one element, one byte full of equal elements for types of less than a byte, or the
 * UTF-8 of the text itself for texts. `-1.5e-3`, `nan`, `-inf`, `true`; `1+2j` for complex types. Decimals are rounded once, to nearest,
 * ties to even; whole numbers are exact.
 * @throws CheckpointError invalid-request when the type cannot hold it
 */
export function encodeConstant(text: string, code: number): Uint8Array {
  const type = elementType(code);
  if (type === null) throw refuse(`Values of ${elementTypeName(code)} cannot be written: the type is not known.`);
  if (code === STRING) return new Uint8Array(Buffer.from(text, 'utf8'));
  const trimmed = text.trim();
  if (trimmed.length > MAX_TEXT) throw refuse('The number is too long.');
  const word = /^(?:true|false)$/i.exec(trimmed);
  const written = word === null ? trimmed : word[0].toLowerCase() === 'true' ? '1' : '0';
  if (type.name.startsWith('complex')) return complexBytes(written, type);
  if (type.dtype !== null && /^(?:float|bfloat)/.test(type.dtype)) return floatBytes(written, type, type.dtype);
  if (type.name === 'float4e2m1') return fullByte(float4Code(written), 4);
  return integerBytes(written, type);
}

function complexBytes(text: string, type: ElementType): Uint8Array {
  const part = type.name === 'complex64' ? 'float32' : 'float64';
  const { real, imaginary } = splitComplex(text);
  return new Uint8Array(Buffer.concat([floatBytes(real, type, part), floatBytes(imaginary, type, part)]));
}

/** `1-2e-3j`, `j`, `3`. */
function splitComplex(text: string): { readonly real: string; readonly imaginary: string } {
  if (!/[ij]$/i.test(text)) return { real: text, imaginary: '0' };
  const body = text.slice(0, -1).replaceAll(' ', '');
  let at = body.length - 1;
  // The sign that parts them is the last one that belongs to no exponent.
  while (at > 0 && !(/[+-]/.test(body.charAt(at)) && !/[\d.]e$/i.test(body.slice(0, at)))) at--;
  const imaginary = body.slice(Math.max(0, at));
  return { real: at > 0 ? body.slice(0, at) : '0', imaginary: /^[+-]?$/.test(imaginary) ? `${imaginary}1` : imaginary };
}

function floatBytes(text: string, type: ElementType, dtype: DType): Uint8Array {
  const value = floatValue(text, type, dtype === 'float64');
  if (type.name === 'float8e8m0' && !Number.isNaN(value) && value <= 0 && value > Number.NEGATIVE_INFINITY)
    throw refuse('float8e8m0 has powers of two only, no zero and no negative numbers.');
  const bytes = encodeDoubles(dtype, Float64Array.of(value));
  const back = new Float64Array(1);
  decodeToFloat64(dtype, bytes, back);
  const got = back[0] ?? 0;
  if (Number.isNaN(value)) {
    if (!Number.isNaN(got)) throw refuse(`${type.name} has no NaN.`);
  } else if (!Number.isFinite(value)) {
    if (got !== value) throw refuse(`${type.name} has no ${value < 0 ? 'negative ' : ''}infinity.`);
  } else if (!Number.isFinite(got)) throw outOfRange(text, type);
  return bytes;
}

/** @throws CheckpointError invalid-request for what is no number, and finite ones that no double can hold */
function floatValue(text: string, type: ElementType, exact: boolean): number {
  const special = /^([+-]?)(nan|inf|infinity)$/i.exec(text);
  if (special !== null) {
    if (special[2]?.toLowerCase() === 'nan') return Number.NaN;
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  const decimal = parseDecimal(text);
  if (decimal === null) throw noNumber(text);
  const value = exact ? Number(text) : roundedToOdd(text, decimal);
  if (!Number.isFinite(value)) throw outOfRange(text, type);
  return value;
}

function float4Code(text: string): number {
  const type = { name: 'float4e2m1' };
  if (/^[+-]?(?:nan|inf|infinity)$/i.test(text)) throw refuse('float4e2m1 has no NaN and no infinity.');
  const decimal = parseDecimal(text);
  if (decimal === null) throw noNumber(text);
  const value = roundedToOdd(text, decimal);
  const magnitude = Math.abs(value);
  // 8 would be the next number: what lies half way or beyond rounds out of the type.
  if (magnitude >= 7) throw outOfRange(text, type);
  let best = 0;
  for (const [code, candidate] of FLOAT4.entries()) {
    const nearer = Math.abs(candidate - magnitude) - Math.abs((FLOAT4[best] ?? 0) - magnitude);
    if (nearer < 0 || (nearer === 0 && code % 2 === 0)) best = code;
  }
  return best | (decimal.negative ? 8 : 0);
}

function integerBytes(text: string, type: ElementType): Uint8Array {
  if (/^[+-]?(?:nan|inf|infinity)$/i.test(text)) throw refuse(`${type.name} has no NaN and no infinity.`);
  const decimal = parseDecimal(text);
  if (decimal === null) throw noNumber(text);
  const magnitude = wholeNumber(decimal);
  if (magnitude === null) throw refuse(`${shown(text)} is no whole number, and ${type.name} holds nothing else.`);
  const value = decimal.negative ? -magnitude : magnitude;
  const [low, high] = limits(type);
  if (value < low || value > high) throw outOfRange(text, { name: type.name, limits: [low, high] });
  if (type.bits < 8) return fullByte(Number(BigInt.asUintN(type.bits, value)), type.bits);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, value), true);
  return bytes.subarray(0, type.bits / 8);
}

function limits({ name, bits }: ElementType): readonly [bigint, bigint] {
  if (name === 'bool') return [0n, 1n];
  if (name.startsWith('u')) return [0n, 2n ** BigInt(bits) - 1n];
  return [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n];
}

function fullByte(element: number, bits: number): Uint8Array {
  let byte = 0;
  for (let at = 0; at < 8; at += bits) byte |= element << at;
  return Uint8Array.of(byte);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}

function refuse(message: string): CheckpointError {
  return new CheckpointError('invalid-request', message);
}

function noNumber(text: string): CheckpointError {
  return new CheckpointError('invalid-request', `${shown(text)} is no number.`, { hint: 'Write it like -1.5e-3, 7, true, nan or inf.' });
}

function outOfRange(text: string, type: { readonly name: string; readonly limits?: readonly [bigint, bigint] }): CheckpointError {
  const range = type.limits === undefined ? '' : `, which holds ${type.limits[0]} to ${type.limits[1]}`;
  return new CheckpointError('invalid-request', `${shown(text)} is out of the range of ${type.name}${range}.`);
}
