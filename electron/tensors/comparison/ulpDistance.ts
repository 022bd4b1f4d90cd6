import type { DType } from '../../../shared/model/dtype';
import { partType, wordsOf } from './decodePair';

/** Bit patterns of a type up to this magnitude are numbers; what is above is infinite or NaN. `fnuz` types have their NaN at minus zero. */
const LARGEST_FINITE: Partial<Record<DType, number>> = {
  float8_e4m3fn: 0x7e,
  float8_e4m3fnuz: 0x7f,
  float8_e5m2: 0x7b,
  float8_e5m2fnuz: 0x7f,
  float16: 0x7bff,
  bfloat16: 0x7f7f,
  float32: 0x7f7fffff,
};

/**
 * Largest distance between two elements in steps from one number of the type to the next, over elements that are finite on both sides; both
 * zeros are one number. Exact up to 2^53. Complex numbers by their parts. 0 for types without floating point.
 * @param a, b equally many little-endian elements
 */
export function largestUlp(dtype: DType, a: Uint8Array, b: Uint8Array): number {
  const type = partType(dtype) ?? dtype;
  if (type === 'float64') return doubles(wordsOf(a), wordsOf(b));
  if (type === 'float8_e8m0fnu') return scales(a, b);
  const limit = LARGEST_FINITE[type];
  if (limit === undefined) return 0;
  if (type === 'float32') return singles(wordsOf(a), wordsOf(b));
  if (type === 'float16' || type === 'bfloat16') return halves(halvesOf(a), halvesOf(b), limit);
  return bytes(a, b, { limit, unsignedZero: type.endsWith('fnuz') });
}

function singles(a: Uint32Array, b: Uint32Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] as number, b[i] as number];
    if (x === y) continue;
    const [m, n] = [x & 0x7fffffff, y & 0x7fffffff];
    if (m > 0x7f7fffff || n > 0x7f7fffff) continue;
    const distance = Math.abs((x > 0x7fffffff ? -m : m) - (y > 0x7fffffff ? -n : n));
    if (distance > largest) largest = distance;
  }
  return largest;
}

function halves(a: Uint16Array, b: Uint16Array, limit: number): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] as number, b[i] as number];
    const [m, n] = [x & 0x7fff, y & 0x7fff];
    if (m > limit || n > limit) continue;
    const distance = Math.abs((x > 0x7fff ? -m : m) - (y > 0x7fff ? -n : n));
    if (distance > largest) largest = distance;
  }
  return largest;
}

function bytes(a: Uint8Array, b: Uint8Array, { limit, unsignedZero }: { readonly limit: number; readonly unsignedZero: boolean }): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] as number, b[i] as number];
    const [m, n] = [x & 0x7f, y & 0x7f];
    if (m > limit || n > limit || (unsignedZero && (x === 0x80 || y === 0x80))) continue;
    largest = Math.max(largest, Math.abs((x > 0x7f ? -m : m) - (y > 0x7f ? -n : n)));
  }
  return largest;
}

/** E8M0 has no sign and no zero; 255 is NaN. */
function scales(a: Uint8Array, b: Uint8Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] as number, b[i] as number];
    if (x !== 255 && y !== 255) largest = Math.max(largest, Math.abs(x - y));
  }
  return largest;
}

/** Halves of the words subtract exactly; their sum is rounded once. */
function doubles(a: Uint32Array, b: Uint32Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i += 2) {
    const [low, high, low2, high2] = [a[i] as number, a[i + 1] as number, b[i] as number, b[i + 1] as number];
    if (low === low2 && high === high2) continue;
    const [m, n] = [high & 0x7fffffff, high2 & 0x7fffffff];
    if (m > 0x7fefffff || n > 0x7fefffff) continue;
    const [s, t] = [high > 0x7fffffff ? -1 : 1, high2 > 0x7fffffff ? -1 : 1];
    const distance = Math.abs((s * m - t * n) * 2 ** 32 + (s * low - t * low2));
    if (distance > largest) largest = distance;
  }
  return largest;
}

function halvesOf(bytes: Uint8Array): Uint16Array {
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : Uint8Array.from(bytes);
  return new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 2);
}
