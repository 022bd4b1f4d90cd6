import { type DType, dtypeBytes } from './dtype';

/** Extent of every axis, outermost first; `[]` is a scalar with one element. */
export type Shape = readonly number[];

/**
 * Number of elements of a shape.
 * @throws RangeError when an extent is not a non-negative safe integer, or the product is not one.
 */
export function elementCount(shape: Shape): number {
  let isEmpty = false;
  for (const extent of shape) {
    if (!Number.isSafeInteger(extent) || extent < 0) throw new RangeError(`Invalid extent ${extent} in shape [${shape.join(', ')}]`);
    if (extent === 0) isEmpty = true;
  }
  // A zero anywhere makes the tensor empty, whatever the product of the others would be.
  if (isEmpty) return 0;
  let count = 1;
  for (const extent of shape) {
    count *= extent;
    if (!Number.isSafeInteger(count)) throw new RangeError(`Shape [${shape.join(', ')}] has too many elements`);
  }
  return count;
}

/** Bytes of a contiguous tensor. @throws RangeError as `elementCount`, or when the bytes exceed 2^53. */
export function tensorBytes(dtype: DType, shape: Shape): number {
  const bytes = elementCount(shape) * dtypeBytes(dtype);
  if (!Number.isSafeInteger(bytes)) throw new RangeError(`Shape [${shape.join(', ')}] has too many bytes`);
  return bytes;
}

/** As `tensorBytes`, for shapes that a file names: `null` when no tensor can have it. */
export function possibleTensorBytes(dtype: DType, shape: Shape): number | null {
  try {
    return tensorBytes(dtype, shape);
  } catch {
    return null;
  }
}

/** Strides in elements of a contiguous C-order tensor. */
export function contiguousStrides(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= shape[axis] ?? 1;
  }
  return strides;
}

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((extent, axis) => extent === b[axis]);
}

/** `[768, 3072]` as `768 × 3072`; a scalar reads `scalar`. */
export function formatShape(shape: Shape): string {
  return shape.length === 0 ? 'scalar' : shape.join(' × ');
}
