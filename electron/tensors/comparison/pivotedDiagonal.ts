import { type Kernels, loadKernels } from '../../bytes/loadKernels';
import { PIVOT_MODULE } from './kernels/pivotModule';
import { type ColumnMatrix, EPSILON, largestOf } from './singularValues';

let loaded: { readonly kernels: Kernels; readonly pivot: (bytes: number, end: number, floor: number) => number } | undefined;

/**
 * Diagonal of R in QR with the longest remaining column first, descending: it follows the singular values within a small factor, at a fiftieth of
 * their cost. Ends where nothing but rounding is left. By a kernel: every pair of matrices asks for it, and a thread that compares is not long
 * enough at it for anything else to become fast.
 */
export function pivotedDiagonal({ rows, columns, values }: ColumnMatrix): number[] {
  const [bytes, end] = [rows * 8, rows * columns * 8];
  if (end === 0) return [];
  loaded ??= load();
  loaded.kernels.reserve(end + columns * 8);
  const memory = new Float64Array(loaded.kernels.memory.buffer);
  memory.set(values);
  const found = loaded.pivot(bytes, end, largestOf(values) * rows * EPSILON);
  return Array.from(memory.subarray(rows * columns, rows * columns + found));
}

function load(): NonNullable<typeof loaded> {
  const kernels = loadKernels(PIVOT_MODULE);
  return { kernels, pivot: kernels.fn('pivot') };
}
