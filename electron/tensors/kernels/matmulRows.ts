import type { DType } from '../../../shared/model/dtype';
import { float32Kernels } from './float32Kernels';
import { type Lanes, lanesPerElement } from './lanes';
import { matmulRow } from './matmulRow';

/** Right matrices beyond this stay outside the kernel's memory and are multiplied in TypeScript. */
const MAX_RIGHT = 16 * 1024 * 1024;
/** Bytes of the rows that are computed before they are copied out. */
const MAX_ROWS = 512 * 1024;

export interface RowsProduct {
  /** Whole rows of the left matrix: `depth` elements each, at least one. */
  readonly left: Lanes;
  /** The right matrix: `depth` rows of `columns` elements. */
  readonly right: Lanes;
  readonly depth: number;
  readonly columns: number;
}

/** Whole rows of a matrix product into `into`, element by element what `matmulRow` gives; float32 in WebAssembly, three times as fast. */
export function matmulRows(dtype: DType, into: Lanes, product: RowsProduct): void {
  const { left, right, depth, columns } = product;
  if (
    dtype === 'float32' &&
    into instanceof Float32Array &&
    left instanceof Float32Array &&
    right instanceof Float32Array &&
    4 * depth * columns <= MAX_RIGHT &&
    4 * Math.max(depth, columns) <= MAX_ROWS
  ) {
    float32Rows(into, left, { ...product, right });
    return;
  }
  const width = lanesPerElement(dtype);
  for (let row = 0; row * columns * width < into.length; row++) {
    const one = { left: left.subarray(row * depth * width, (row + 1) * depth * width), right, depth, columns, from: 0, to: columns };
    matmulRow(dtype, into.subarray(row * columns * width, (row + 1) * columns * width), one);
  }
}

function float32Rows(into: Float32Array, left: Float32Array, product: RowsProduct & { readonly right: Float32Array }): void {
  const { right, depth, columns } = product;
  const batch = Math.max(1, Math.floor(MAX_ROWS / (4 * Math.max(depth, columns))));
  const leftAt = 4 * depth * columns;
  const outAt = leftAt + 4 * batch * depth;
  const kernels = float32Kernels(outAt + 4 * batch * columns);
  const { buffer } = kernels.memory;
  new Float32Array(buffer, 0, depth * columns).set(right.subarray(0, depth * columns));
  const rows = into.length / columns;
  for (let row = 0; row < rows; row += batch) {
    const count = Math.min(batch, rows - row);
    new Float32Array(buffer, leftAt, count * depth).set(left.subarray(row * depth, (row + count) * depth));
    kernels.rows(leftAt, 0, outAt, count, depth, columns);
    into.set(new Float32Array(buffer, outAt, count * columns), row * columns);
  }
}
