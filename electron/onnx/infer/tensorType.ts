import { elementType } from '../values/elementTypes';

/** A text is a symbolic dimension, `null` one that is not known. */
export type Dim = number | string | null;
export type Dims = readonly Dim[];

export interface TensorType {
  /** TensorProto.DataType; 0 when not known. */
  readonly element: number;
  /** `null`: not even the rank is known. */
  readonly dims: Dims | null;
}

/** `float32[batch, 3, 8, 8]` as an edge shows it; empty when nothing is known. */
export function formatType({ element, dims }: TensorType): string {
  if (element === 0 && dims === null) return '';
  const known = elementType(element);
  const name = element === 0 ? '?' : (known?.dtype ?? known?.name ?? `type ${element}`);
  return dims === null ? name : `${name}[${dims.map((dim) => dim ?? '?').join(', ')}]`;
}

/** Elements of a shape; `null` when a dimension is not a number. */
export function countElements(dims: Dims | null | undefined): number | null {
  if (dims === null || dims === undefined) return null;
  let count = 1;
  for (const dim of dims) {
    if (typeof dim !== 'number') return null;
    count *= dim;
  }
  return count;
}

/** What two declarations of one value agree on, the first one's words where they differ. A number says more than a symbol. */
export function refine(declared: TensorType | null, inferred: TensorType | null): TensorType | null {
  if (declared === null || inferred === null) return declared ?? inferred;
  const element = declared.element === 0 ? inferred.element : declared.element;
  if (declared.dims === null || inferred.dims === null) return { element, dims: declared.dims ?? inferred.dims };
  if (declared.dims.length !== inferred.dims.length) return { element, dims: declared.dims };
  const other = inferred.dims;
  return {
    element,
    dims: declared.dims.map((dim, axis) => (typeof dim === 'number' || typeof other[axis] !== 'number' ? (dim ?? other[axis] ?? null) : (other[axis] ?? null))),
  };
}

/** One after the other in every axis, by NumPy's rules (https://github.com/onnx/onnx/blob/main/docs/Broadcasting.md). */
export function broadcast(shapes: readonly (Dims | null | undefined)[]): Dims | null {
  let result: Dim[] = [];
  for (const dims of shapes) {
    if (dims === null || dims === undefined) return null;
    const rank = Math.max(result.length, dims.length);
    const joined: Dim[] = [];
    for (let axis = 0; axis < rank; axis++) {
      const a = at(result, axis - rank + result.length);
      const b = at(dims, axis - rank + dims.length);
      joined.push(broadcastDim(a, b));
    }
    result = joined;
  }
  return result;
}

/** In front of the first axis everything is 1. */
function at(dims: Dims, axis: number): Dim {
  return axis < 0 ? 1 : (dims[axis] ?? null);
}

function broadcastDim(a: Dim, b: Dim): Dim {
  if (a === b) return a;
  if (a === 1) return b;
  if (b === 1) return a;
  // A number above 1 holds whatever the other one turns out to be; 0 and symbols do not.
  if (typeof a === 'number' && typeof b !== 'number' && a > 1) return a;
  if (typeof b === 'number' && typeof a !== 'number' && b > 1) return b;
  return null;
}

/** An axis from the front; `null` when the shape has none such. */
export function normalAxis(axis: number, rank: number): number | null {
  const from = axis < 0 ? axis + rank : axis;
  return from >= 0 && from < rank ? from : null;
}

/** `a + b` and the like: a number when both are. */
export function combine(a: Dim, b: Dim, operation: (a: number, b: number) => number): Dim {
  return typeof a === 'number' && typeof b === 'number' ? operation(a, b) : null;
}
