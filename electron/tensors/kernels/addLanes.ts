import type { DType } from '../../../shared/model/dtype';
import { decodeHalves } from './decodeHalves';
import { combineFloat32 } from './float32Kernels';
import { type BigLanes, isBig, type Lanes, type NumberLanes } from './lanes';
import { toBfloat16, toFloat16 } from './smallFloats';

/**
 * `right = left + right` element by element, as NumPy adds arrays of one type: floats round to nearest even (16-bit ones are added in
 * float32), integers wrap, bool is a logical or, complex parts add by themselves. Where both are NaN the left one's payload stays.
 */
export function addLanes(dtype: DType, left: Lanes, right: Lanes): void {
  if (dtype === 'bool') orBytes(left, right);
  else if (dtype === 'float16' || dtype === 'bfloat16') addHalves(dtype, left, right);
  else if (left instanceof Float32Array && right instanceof Float32Array) combineFloat32('add', right, { left, right });
  else if (left instanceof Float64Array && right instanceof Float64Array) addFloat64(left, right);
  else if (isBig(left) && isBig(right)) addBig(left, right);
  else if (!isBig(left) && !isBig(right)) addIntegers(left, right);
}

function addFloat64(left: Float64Array, right: Float64Array): void {
  for (let i = 0; i < right.length; i++) right[i] = (left[i] ?? 0) + (right[i] ?? 0);
}

function addIntegers(left: NumberLanes, right: NumberLanes): void {
  for (let i = 0; i < right.length; i++) right[i] = (left[i] ?? 0) + (right[i] ?? 0);
}

function addBig(left: BigLanes, right: BigLanes): void {
  for (let i = 0; i < right.length; i++) right[i] = (left[i] ?? 0n) + (right[i] ?? 0n);
}

function orBytes(left: Lanes, right: Lanes): void {
  for (let i = 0; i < right.length; i++) right[i] = left[i] || right[i] ? 1 : 0;
}

function addHalves(dtype: 'float16' | 'bfloat16', left: Lanes, right: Lanes): void {
  if (!(left instanceof Uint16Array) || !(right instanceof Uint16Array)) return;
  const sum = decodeHalves(dtype, right);
  combineFloat32('add', sum, { left: decodeHalves(dtype, left), right: sum });
  const bitsOf = dtype === 'float16' ? toFloat16 : toBfloat16;
  for (let i = 0; i < right.length; i++) right[i] = bitsOf(sum[i] ?? 0);
}
