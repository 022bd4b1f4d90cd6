import { CheckpointError } from '../../shared/contract/errors';
import { dtypeBytes } from '../../shared/model/dtype';
import { contiguousStrides, formatShape, type Shape } from '../../shared/model/shape';
import type { SliceView } from '../../shared/model/tensorStats';
import type { TensorRef } from './tensorRef';

/** Rows and columns of a view. */
export interface ViewExtent {
  readonly rows: number;
  readonly columns: number;
}

/** @throws CheckpointError `invalid-request` when the view does not lie inside a tensor of this shape */
export function viewExtent(shape: Shape, view: SliceView): ViewExtent {
  const { rowAxis, columnAxis, fixed } = view;
  const refuse = (what: string): never => {
    throw new CheckpointError('invalid-request', `A tensor of shape ${formatShape(shape)} has no such part: ${what}.`);
  };
  if (fixed.length !== shape.length) refuse(`${fixed.length} indices for ${shape.length} axes`);
  for (const axis of [rowAxis, columnAxis]) if (axis !== null && axis >= shape.length) refuse(`axis ${axis}`);
  if (rowAxis !== null && rowAxis === columnAxis) refuse(`axis ${rowAxis} as rows and as columns`);
  const extent = ([from, to]: readonly [number, number], axis: number | null, what: string) => {
    const whole = axis === null ? 1 : (shape[axis] ?? 0);
    if (from > to || to > whole) refuse(`${what} ${from} to ${to} of ${whole}`);
    return to - from;
  };
  for (const [axis, index] of fixed.entries()) {
    if (axis !== rowAxis && axis !== columnAxis && index >= (shape[axis] ?? 0)) refuse(`index ${index} on axis ${axis}`);
  }
  return { rows: extent(view.rows, rowAxis, 'rows'), columns: extent(view.columns, columnAxis, 'columns') };
}

/** The elements of a view where they lie: a matrix, in the order of its rows. Nothing else is read, but gaps that are cheaper than another read. */
export function viewRef(ref: TensorRef, view: SliceView): TensorRef {
  const { rows, columns } = viewExtent(ref.shape, view);
  const strides = ref.strides ?? contiguousStrides(ref.shape);
  const stride = (axis: number | null) => (axis === null ? 0 : (strides[axis] ?? 0));
  let first = view.rows[0] * stride(view.rowAxis) + view.columns[0] * stride(view.columnAxis);
  for (const [axis, index] of view.fixed.entries()) if (axis !== view.rowAxis && axis !== view.columnAxis) first += index * stride(axis);
  return {
    ...ref,
    shape: [rows, columns],
    offset: ref.offset + first * dtypeBytes(ref.dtype),
    strides: [stride(view.rowAxis), stride(view.columnAxis)],
  };
}
