import type { DType } from '../../../shared/model/dtype';
import { decodeHalves } from './decodeHalves';
import { isBig, type Lanes } from './lanes';
import { toFloat16 } from './smallFloats';

export interface RowProduct {
  /** One row of the left matrix: `depth` elements. */
  readonly left: Lanes;
  /** The right matrix: `depth` rows of `columns` elements. */
  readonly right: Lanes;
  readonly depth: number;
  readonly columns: number;
  /** Columns of the product that are wanted. */
  readonly from: number;
  readonly to: number;
}

/**
 * Columns [from, to) of one row of a matrix product into `into`, all in one type: for every element `acc = r * c + acc` from 0 in the
 * order of the depth. float32 rounds once a step, which is what a BLAS with fused multiply-add gives for small depths, bit for bit where
 * it was compared; float64 rounds product and sum. float16 sums in float32 and rounds at the end, integers wrap, bool is or of ands: NumPy's own loops.
 */
export function matmulRow(dtype: DType, into: Lanes, product: RowProduct): void {
  const { left, right } = product;
  if (dtype.startsWith('complex')) complexRow(into, product);
  else if (dtype === 'float16') halfRow(into, product);
  else if (into instanceof Float32Array && left instanceof Float32Array && right instanceof Float32Array) float32Row(into, left, { ...product, right });
  else if (isBig(into) && isBig(left) && isBig(right)) {
    into.fill(0n);
    eachDepth(product, (k, at) => {
      const r = left[k] ?? 0n;
      for (let j = 0; j < into.length; j++) into[j] = r * (right[at + j] ?? 0n) + (into[j] ?? 0n);
    });
  } else if (!isBig(into) && !isBig(left) && !isBig(right)) numberRow(dtype, into, product);
}

function eachDepth({ depth, columns, from }: RowProduct, visit: (k: number, at: number) => void): void {
  for (let k = 0; k < depth; k++) visit(k, k * columns + from);
}

function float32Row(into: Float32Array, left: Float32Array, product: RowProduct & { readonly right: Float32Array }): void {
  const { right, depth, columns, from } = product;
  const width = into.length;
  into.fill(0);
  let k = 0;
  // Four steps a pass keep the sum in a register; every one is rounded as if it had been stored.
  for (; k + 4 <= depth; k += 4) {
    const r0 = left[k] ?? 0;
    const r1 = left[k + 1] ?? 0;
    const r2 = left[k + 2] ?? 0;
    const r3 = left[k + 3] ?? 0;
    const at0 = k * columns + from;
    const at1 = at0 + columns;
    const at2 = at1 + columns;
    const at3 = at2 + columns;
    for (let j = 0; j < width; j++) {
      let sum = Math.fround(r0 * (right[at0 + j] ?? 0) + (into[j] ?? 0));
      sum = Math.fround(r1 * (right[at1 + j] ?? 0) + sum);
      sum = Math.fround(r2 * (right[at2 + j] ?? 0) + sum);
      into[j] = r3 * (right[at3 + j] ?? 0) + sum;
    }
  }
  for (; k < depth; k++) {
    const r = left[k] ?? 0;
    const at = k * columns + from;
    for (let j = 0; j < width; j++) into[j] = r * (right[at + j] ?? 0) + (into[j] ?? 0);
  }
}

function numberRow(dtype: DType, into: Lanes, product: RowProduct): void {
  const { left, right } = product;
  if (isBig(into) || isBig(left) || isBig(right)) return;
  into.fill(0);
  eachDepth(product, (k, at) => {
    const r = left[k] ?? 0;
    if (dtype === 'bool') for (let j = 0; j < into.length; j++) into[j] = into[j] || (r && right[at + j]) ? 1 : 0;
    else if (dtype === 'float64') for (let j = 0; j < into.length; j++) into[j] = r * (right[at + j] ?? 0) + (into[j] ?? 0);
    else for (let j = 0; j < into.length; j++) into[j] = Math.imul(r, right[at + j] ?? 0) + (into[j] ?? 0);
  });
}

function halfRow(into: Lanes, product: RowProduct): void {
  const { left, right } = product;
  if (!(left instanceof Uint16Array) || !(right instanceof Uint16Array) || !(into instanceof Uint16Array)) return;
  const sums = new Float32Array(into.length);
  const row = decodeHalves('float16', left);
  eachDepth(product, (k, at) => {
    const r = row[k] ?? 0;
    const c = decodeHalves('float16', right.subarray(at, at + into.length));
    for (let j = 0; j < sums.length; j++) sums[j] = r * (c[j] ?? 0) + (sums[j] ?? 0);
  });
  for (let j = 0; j < into.length; j++) into[j] = toFloat16(sums[j] ?? 0);
}

function complexRow(into: Lanes, { left, right, depth, columns, from, to }: RowProduct): void {
  if (isBig(into) || isBig(left) || isBig(right)) return;
  into.fill(0);
  for (let k = 0; k < depth; k++) {
    const a = left[2 * k] ?? 0;
    const b = left[2 * k + 1] ?? 0;
    for (let j = from; j < to; j++) {
      const c = right[2 * (k * columns + j)] ?? 0;
      const d = right[2 * (k * columns + j) + 1] ?? 0;
      const at = 2 * (j - from);
      into[at] = a * c - b * d + (into[at] ?? 0);
      into[at + 1] = a * d + b * c + (into[at + 1] ?? 0);
    }
  }
}
