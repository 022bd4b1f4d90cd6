import type { DType } from '../../../shared/model/dtype';
import { decodeHalves } from './decodeHalves';
import { type BigLanes, isBig, type Lanes, type NumberLanes, zeroLanes } from './lanes';
import { toBfloat16, toFloat16 } from './smallFloats';

/**
 * Elements in another type, as NumPy casts the operands of an addition to the common type: `to` is always what `promote` gave for
 * `from` and some other type, so nothing is lost but what NumPy loses too (64-bit integers in float64).
 * @returns the lanes themselves when the type is the same
 */
export function convertLanes(lanes: Lanes, from: DType, to: DType): Lanes {
  if (from === to) return lanes;
  const count = from.startsWith('complex') ? lanes.length / 2 : lanes.length;
  const result = zeroLanes(to, count);
  const numbers = from.startsWith('complex') ? lanes : realLanes(lanes, from);
  if (to.startsWith('complex') && !from.startsWith('complex')) spread(numbers, result);
  else if (to === 'float16' || to === 'bfloat16') encode(numbers, result, to === 'float16' ? toFloat16 : toBfloat16);
  else if (isBig(result)) intoBig(numbers, result);
  else intoNumbers(numbers, result);
  return result;
}

function realLanes(lanes: Lanes, dtype: DType): Lanes {
  if ((dtype === 'float16' || dtype === 'bfloat16') && lanes instanceof Uint16Array) return decodeHalves(dtype, lanes);
  return dtype === 'bool' && lanes instanceof Uint8Array ? lanes.map((byte) => (byte === 0 ? 0 : 1)) : lanes;
}

function intoNumbers(from: Lanes, to: NumberLanes): void {
  if (!isBig(from)) to.set(from);
  else for (let i = 0; i < from.length; i++) to[i] = Number(from[i] ?? 0n);
}

function intoBig(from: Lanes, to: BigLanes): void {
  if (isBig(from)) for (let i = 0; i < from.length; i++) to[i] = from[i] ?? 0n;
  else for (let i = 0; i < from.length; i++) to[i] = BigInt(from[i] ?? 0);
}

function encode(from: Lanes, to: Lanes, bitsOf: (value: number) => number): void {
  if (isBig(from) || isBig(to)) return;
  for (let i = 0; i < from.length; i++) to[i] = bitsOf(from[i] ?? 0);
}

/** Real parts only. */
function spread(from: Lanes, to: Lanes): void {
  if (isBig(to)) return;
  for (let i = 0; i < from.length; i++) to[2 * i] = Number(from[i] ?? 0);
}
