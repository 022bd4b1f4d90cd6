import { throwIfCancelled } from '../../shared/contract/cancelled';
import { CheckpointError } from '../../shared/contract/errors';
import { elementCount, type Shape, tensorBytes } from '../../shared/model/shape';
import type { ZarrArray } from '../encodings/zarr/openZarrObject';
import { broadcastShapes } from '../tensors/kernels/broadcast';
import { convertLanes } from '../tensors/kernels/convertLanes';
import { type Lanes, lanesPerElement, zeroLanes } from '../tensors/kernels/lanes';
import { matmulRow } from '../tensors/kernels/matmulRow';
import { matmulRows } from '../tensors/kernels/matmulRows';
import { promoteMatmul } from '../tensors/promote';
import { checkResident, readAll, readRange } from './readMember';
import type { TensorHeader } from './updateType';

/** Rows between two looks at the signal. */
const ROWS = 4096;

export interface Factors {
  readonly left: ZarrArray;
  readonly right: ZarrArray;
}

/** Both factors as stacks of matrices, as NumPy's `matmul` sees them: a vector is a matrix with one row (left) or column (right). */
interface Plan {
  /** Leading axes of the product and of both factors. */
  readonly batch: Shape;
  readonly leftBatch: Shape;
  readonly rightBatch: Shape;
  readonly rows: number;
  readonly depth: number;
  readonly columns: number;
}

/** Element type and shape of `left @ right`. @throws CheckpointError malformed, unsupported-format */
export function productHeader({ left, right }: Factors): TensorHeader {
  const { batch, rows, columns } = planProduct(left.shape, right.shape);
  const dtype = promoteMatmul(left.dtype, right.dtype);
  if (dtype === null || dtype.startsWith('float8')) {
    throw new CheckpointError('unsupported-format', `The factors of a low-rank update, ${left.dtype} and ${right.dtype}, cannot be multiplied.`);
  }
  const shape = [...batch, ...(left.shape.length === 1 ? [] : [rows]), ...(right.shape.length === 1 ? [] : [columns])];
  try {
    tensorBytes(dtype, shape);
  } catch (error) {
    throw new CheckpointError('malformed', `The product of a low-rank update would be too large: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { dtype, shape };
}

function planProduct(left: Shape, right: Shape): Plan {
  const vector = left.length === 1;
  const column = right.length === 1;
  const rows = vector ? 1 : (left[left.length - 2] ?? 1);
  const depth = left[left.length - 1] ?? 1;
  const columns = column ? 1 : (right[right.length - 1] ?? 1);
  const height = right[right.length - (column ? 1 : 2)] ?? 1;
  const leftBatch = left.slice(0, -2);
  const rightBatch = right.slice(0, -2);
  const batch = broadcastShapes(leftBatch, rightBatch);
  if (depth !== height || batch === null) {
    throw new CheckpointError('malformed', `The factors of a low-rank update do not fit: R is [${left.join(', ')}], C is [${right.join(', ')}].`);
  }
  return { batch, leftBatch, rightBatch, rows, depth, columns };
}

/**
 * Elements [start, start + count) of `left @ right` in its own type. The right factor is held in memory, of the left one only the rows
 * that are needed, unless it is broadcast.
 * @throws CheckpointError malformed, too-large, cancelled
 */
export async function matrixProduct(factors: Factors, range: { readonly start: number; readonly count: number }, signal?: AbortSignal): Promise<Lanes> {
  const { left, right } = factors;
  const { dtype } = productHeader(factors);
  const plan = planProduct(left.shape, right.shape);
  const { rows, depth, columns } = plan;
  checkResident(dtype, range.count);
  const result = zeroLanes(dtype, range.count);
  if (range.count === 0 || depth === 0) return result;
  const width = lanesPerElement(dtype);
  const whole = convertLanes(await readAll(right, signal), right.dtype, dtype);
  const firstRow = Math.floor(range.start / columns);
  const endRow = Math.ceil((range.start + range.count) / columns);
  const inOrder = elementCount(plan.leftBatch) === elementCount(plan.batch);
  const leftRange = inOrder ? { start: firstRow * depth, count: (endRow - firstRow) * depth } : { start: 0, count: elementCount(left.shape) };
  const part = convertLanes(await readRange(left, leftRange, signal), left.dtype, dtype);
  for (let row = firstRow; row < endRow; ) {
    throwIfCancelled(signal);
    const batch = Math.floor(row / rows);
    const leftRow = inOrder ? row - firstRow : batchIndex(batch, plan.batch, plan.leftBatch) * rows + (row % rows);
    const rightAt = batchIndex(batch, plan.batch, plan.rightBatch) * depth * columns * width;
    const from = Math.max(0, range.start - row * columns);
    const to = Math.min(columns, range.start + range.count - row * columns);
    const at = row * columns + from - range.start;
    const matrix = rightAt === 0 ? whole : whole.subarray(rightAt);
    // Whole rows of one matrix go together; the range may begin and end inside a row.
    const together = to - from < columns ? 1 : Math.max(1, Math.min(ROWS, rows - (row % rows), Math.floor((range.start + range.count) / columns) - row));
    const factor = part.subarray(leftRow * depth * width, (leftRow + together) * depth * width);
    const into = result.subarray(at * width, (at + (together - 1) * columns + to - from) * width);
    if (to - from < columns) matmulRow(dtype, into, { left: factor, right: matrix, depth, columns, from, to });
    else matmulRows(dtype, into, { left: factor, right: matrix, depth, columns });
    row += together;
  }
  return result;
}

/** Which matrix of a stack of shape `own` is used for the matrix `index` of the product's. */
function batchIndex(index: number, all: Shape, own: Shape): number {
  let rest = index;
  let result = 0;
  let step = 1;
  for (let axis = all.length - 1; axis >= 0; axis--) {
    const extent = all[axis] ?? 1;
    const mine = own[axis - all.length + own.length] ?? 1;
    if (mine > 1) result += (rest % extent) * step;
    step *= mine;
    rest = Math.floor(rest / extent);
  }
  return result;
}
