import { type DType, dtypeKind } from '../../../shared/model/dtype';
import { decodeHalves } from '../../tensors/kernels/decodeHalves';
import { isBig, type Lanes } from '../../tensors/kernels/lanes';
import { toBfloat16, toFloat16 } from '../../tensors/kernels/smallFloats';
import { nearbyFloat32, nearbyFloat64, nearbyHalf } from './nearby';

/** The rounded difference is right unless a tie or a power of two lies between; then one of its neighbours is. */
const STEPS = 2;

/** Whether values of a type can be stored as differences: NumPy subtracts no bool, and adds no 8-bit floats. */
export function hasDelta(dtype: DType): boolean {
  return dtypeKind(dtype) !== 'bool' && !dtype.startsWith('float8') && dtype !== 'complex32';
}

/**
 * Differences that give `next` bit for bit when the reader adds them: `difference + (0 + previous)`, rounded to the type. Integers wrap.
 * @returns `null` when an element has none: it becomes -0.0 or NaN, comes from an infinity, or shrinks by more than its type resolves
 */
export function exactDelta(dtype: DType, previous: Lanes, next: Lanes): Lanes | null {
  if (dtype === 'float16' || dtype === 'bfloat16') return halfDelta(dtype, previous, next);
  if (isBig(previous) && isBig(next)) {
    const delta = next.slice();
    for (let i = 0; i < delta.length; i++) delta[i] = (next[i] ?? 0n) - (previous[i] ?? 0n);
    return delta;
  }
  if (isBig(previous) || isBig(next)) return null;
  const delta = next.slice();
  if (delta instanceof Float32Array && previous instanceof Float32Array && next instanceof Float32Array) return float32Delta(delta, previous, next);
  if (delta instanceof Float64Array && previous instanceof Float64Array && next instanceof Float64Array) return float64Delta(delta, previous, next);
  for (let i = 0; i < delta.length; i++) delta[i] = (next[i] ?? 0) - (previous[i] ?? 0);
  return delta;
}

/** Parts of complex numbers are numbers by themselves. A loop for each width: one that serves both takes many times as long. */
function float32Delta(delta: Float32Array, previous: Float32Array, next: Float32Array): Float32Array | null {
  for (let i = 0; i < delta.length; i++) {
    const from = previous[i] ?? 0;
    const to = next[i] ?? 0;
    const first = Math.fround(to - from);
    // 0 + from: the reader adds to zeros first, so that -0.0 is gone. Two zeros are told apart, and NaN found, below.
    if (to !== 0 && Math.fround(first + (0 + from)) === to) {
      delta[i] = first;
      continue;
    }
    const found = search({ first, from, to }, { round: Math.fround, nearby: nearbyFloat32 });
    if (found === null) return null;
    delta[i] = found;
  }
  return delta;
}

/** As for float32. */
function float64Delta(delta: Float64Array, previous: Float64Array, next: Float64Array): Float64Array | null {
  for (let i = 0; i < delta.length; i++) {
    const from = previous[i] ?? 0;
    const to = next[i] ?? 0;
    const first = to - from;
    if (to !== 0 && first + (0 + from) === to) {
      delta[i] = first;
      continue;
    }
    const found = search({ first, from, to }, { round: (value) => value, nearby: nearbyFloat64 });
    if (found === null) return null;
    delta[i] = found;
  }
  return delta;
}

interface FloatType {
  readonly round: (value: number) => number;
  readonly nearby: (value: number, steps: number) => number[];
}

/** The rounded difference `first`, or one of its neighbours. */
function search({ first, from, to }: { readonly first: number; readonly from: number; readonly to: number }, { round, nearby }: FloatType): number | null {
  // Which NaN an addition gives is the processor's choice.
  if (Number.isNaN(to)) return null;
  const reaches = (difference: number) => Object.is(round(difference + (0 + from)), to);
  if (reaches(first)) return first;
  return (Number.isFinite(first) ? nearby(first, STEPS).find(reaches) : undefined) ?? null;
}

/** 16-bit floats are added in float32 and rounded. */
function halfDelta(dtype: 'float16' | 'bfloat16', previous: Lanes, next: Lanes): Lanes | null {
  if (!(previous instanceof Uint16Array) || !(next instanceof Uint16Array)) return null;
  const bitsOf = dtype === 'float16' ? toFloat16 : toBfloat16;
  const from = decodeHalves(dtype, previous);
  const to = decodeHalves(dtype, next);
  const delta = new Uint16Array(next.length);
  const one = new Uint16Array(1);
  for (let i = 0; i < delta.length; i++) {
    const base = 0 + (from[i] ?? 0);
    const wanted = next[i] ?? 0;
    const fits = (bits: number) => {
      one[0] = bits;
      return bitsOf(Math.fround((decodeHalves(dtype, one)[0] ?? 0) + base)) === wanted;
    };
    const first = bitsOf(Math.fround((to[i] ?? 0) - base));
    const found = Number.isNaN(to[i]) ? undefined : fits(first) ? first : nearbyHalf(first, STEPS).find(fits);
    if (found === undefined) return null;
    delta[i] = found;
  }
  return delta;
}
