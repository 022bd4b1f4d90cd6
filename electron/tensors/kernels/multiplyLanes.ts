import type { DType } from '../../../shared/model/dtype';
import { decodeHalves } from './decodeHalves';
import { combineFloat32 } from './float32Kernels';
import { type BigLanes, isBig, type Lanes, type NumberLanes } from './lanes';
import { toBfloat16, toFloat16 } from './smallFloats';

/**
 * `left = left * right` element by element, as NumPy multiplies arrays of one type: rounding and wrapping as in `addLanes`, bool is a
 * logical and. Complex products are the textbook formula with every operation rounded; NumPy fuses some on some processors.
 */
export function multiplyLanes(dtype: DType, left: Lanes, right: Lanes): void {
  if (dtype === 'bool') andBytes(left, right);
  else if (dtype === 'float16' || dtype === 'bfloat16') multiplyHalves(dtype, left, right);
  else if (dtype.startsWith('complex')) multiplyPairs(left, right);
  else if (left instanceof Float32Array && right instanceof Float32Array) combineFloat32('multiply', left, { left, right });
  else if (left instanceof Float64Array && right instanceof Float64Array) {
    for (let i = 0; i < left.length; i++) left[i] = (left[i] ?? 0) * (right[i] ?? 0);
  } else if (isBig(left) && isBig(right)) multiplyBig(left, right);
  else if (!isBig(left) && !isBig(right)) multiplyIntegers(left, right);
}

/** The low 32 bits of a product are all that any integer type here keeps; a double would lose them. */
function multiplyIntegers(left: NumberLanes, right: NumberLanes): void {
  for (let i = 0; i < left.length; i++) left[i] = Math.imul(left[i] ?? 0, right[i] ?? 0);
}

function multiplyBig(left: BigLanes, right: BigLanes): void {
  for (let i = 0; i < left.length; i++) left[i] = (left[i] ?? 0n) * (right[i] ?? 0n);
}

function andBytes(left: Lanes, right: Lanes): void {
  for (let i = 0; i < left.length; i++) left[i] = left[i] && right[i] ? 1 : 0;
}

function multiplyHalves(dtype: 'float16' | 'bfloat16', left: Lanes, right: Lanes): void {
  if (!(left instanceof Uint16Array) || !(right instanceof Uint16Array)) return;
  const product = decodeHalves(dtype, left);
  combineFloat32('multiply', product, { left: product, right: decodeHalves(dtype, right) });
  const bitsOf = dtype === 'float16' ? toFloat16 : toBfloat16;
  for (let i = 0; i < left.length; i++) left[i] = bitsOf(product[i] ?? 0);
}

function multiplyPairs(left: Lanes, right: Lanes): void {
  if (isBig(left) || isBig(right)) return;
  const round = left instanceof Float32Array ? Math.fround : (value: number) => value;
  for (let i = 0; i < left.length; i += 2) {
    const a = left[i] ?? 0;
    const b = left[i + 1] ?? 0;
    const c = right[i] ?? 0;
    const d = right[i + 1] ?? 0;
    left[i] = round(a * c) - round(b * d);
    left[i + 1] = round(a * d) + round(b * c);
  }
}
