import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { decodeToFloat64 } from '../decode';

/** Elements of both sides as numbers, as many as `count`; the arrays are used again for the next chunk. */
export interface DecodedPair {
  count: number;
  /** Numbers, or magnitudes of complex ones. */
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** b - a, or the magnitude of the complex difference. */
  readonly delta: Float64Array;
  /** a · b of complex numbers: the real part of a · conj(b). Not filled for others. */
  readonly product: Float64Array;
}

/** Powers of two that both sides are multiplied with, so that squares fit into a double. `delta` holds only where they are equal. */
export interface Factors {
  readonly a: number;
  readonly b: number;
}

export function createDecodedPair(elements: number): DecodedPair {
  const array = () => new Float64Array(elements);
  return { count: 0, a: array(), b: array(), delta: array(), product: array() };
}

const PARTS: Partial<Record<DType, DType>> = { complex32: 'float16', complex64: 'float32', complex128: 'float64' };
const ONE: Factors = { a: 1, b: 1 };

/** Decodes equally many little-endian elements of one type. */
export function decodePair(dtype: DType, sides: { readonly a: Uint8Array; readonly b: Uint8Array }, into: DecodedPair, factors = ONE): void {
  into.count = sides.a.byteLength / dtypeBytes(dtype);
  const part = PARTS[dtype];
  if (part !== undefined) decodeComplex(part, sides, into, factors);
  else {
    decodeToFloat64(dtype, sides.a, into.a);
    decodeToFloat64(dtype, sides.b, into.b);
    if (factors.a !== 1) scale(into.a, into.count, factors.a);
    if (factors.b !== 1) scale(into.b, into.count, factors.b);
    if (dtype === 'int64' || dtype === 'uint64') subtractWide(sides.a, sides.b, dtype === 'int64', into);
    else subtract(into);
  }
}

/** The float type that complex numbers of a type are pairs of; `null` for others. */
export function partType(dtype: DType): DType | null {
  return PARTS[dtype] ?? null;
}

function subtract({ a, b, delta, count }: DecodedPair): void {
  for (let i = 0; i < count; i++) delta[i] = (b[i] as number) - (a[i] as number);
}

function scale(values: Float64Array, count: number, factor: number): void {
  for (let i = 0; i < count; i++) values[i] = (values[i] as number) * factor;
}

/** 64-bit integers word by word: both differences are exact, so their sum is rounded once. Integers need no scale. */
function subtractWide(before: Uint8Array, after: Uint8Array, signed: boolean, { delta, count }: DecodedPair): void {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  for (let i = 0; i < count; i++) {
    const [high, low] = [2 * i + 1, 2 * i];
    const top = signed ? ((b[high] ?? 0) | 0) - ((a[high] ?? 0) | 0) : (b[high] ?? 0) - (a[high] ?? 0);
    delta[i] = top * 2 ** 32 + ((b[low] ?? 0) - (a[low] ?? 0));
  }
}

/** 32-bit words of little-endian elements; copied only when not aligned. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

function decodeComplex(part: DType, sides: { readonly a: Uint8Array; readonly b: Uint8Array }, into: DecodedPair, factors: Factors): void {
  const a = new Float64Array(into.count * 2);
  const b = new Float64Array(into.count * 2);
  decodeToFloat64(part, sides.a, a);
  decodeToFloat64(part, sides.b, b);
  for (let i = 0; i < into.count; i++) {
    const [re, im] = [(a[2 * i] as number) * factors.a, (a[2 * i + 1] as number) * factors.a];
    const [re2, im2] = [(b[2 * i] as number) * factors.b, (b[2 * i + 1] as number) * factors.b];
    into.a[i] = magnitude(re, im);
    into.b[i] = magnitude(re2, im2);
    into.delta[i] = magnitude(re2 - re, im2 - im);
    into.product[i] = re * re2 + im * im2;
  }
}

/** NaN when either part is: Math.hypot gives infinity for an infinite part beside a NaN, which is not what a NaN should count as. */
function magnitude(re: number, im: number): number {
  return Number.isNaN(re + im) && (Number.isNaN(re) || Number.isNaN(im)) ? Number.NaN : Math.hypot(re, im);
}
