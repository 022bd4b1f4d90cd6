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

/** `formatType` for very many values, nearly all of which have their shape from another one. */
export function typeFormatter(): (type: TensorType | null) => string {
  const known = new Map<Dims | null, TensorType & { readonly text: string }>();
  return (type) => {
    if (type === null) return '';
    const last = known.get(type.dims);
    if (last?.element === type.element) return last.text;
    const text = formatType(type);
    known.set(type.dims, { ...type, text });
    return text;
  };
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
  if (!saysMore(inferred, declared)) return declared;
  const element = declared.element === 0 ? inferred.element : declared.element;
  if (declared.dims === null || inferred.dims === null) return { element, dims: declared.dims ?? inferred.dims };
  if (declared.dims.length !== inferred.dims.length) return { element, dims: declared.dims };
  const other = inferred.dims;
  return {
    element,
    dims: declared.dims.map((dim, axis) => (typeof dim === 'number' || typeof other[axis] !== 'number' ? (dim ?? other[axis] ?? null) : (other[axis] ?? null))),
  };
}

/** Whether a type says something that the declared one leaves open. */
function saysMore({ element, dims }: TensorType, declared: TensorType): boolean {
  if (declared.element === 0 && element !== 0) return true;
  if (declared.dims === null || dims === null) return declared.dims === null && dims !== null;
  if (declared.dims.length !== dims.length) return false;
  for (let axis = 0; axis < dims.length; axis++) {
    const own = declared.dims[axis] ?? null;
    const other = dims[axis] ?? null;
    if (typeof own !== 'number' && other !== null && (own === null || typeof other === 'number')) return true;
  }
  return false;
}

/** One after the other in every axis, by NumPy's rules (https://github.com/onnx/onnx/blob/main/docs/Broadcasting.md). */
export function broadcast(shapes: readonly (Dims | null | undefined)[]): Dims | null {
  let result: Dims = [];
  for (const dims of shapes) {
    if (dims === null || dims === undefined) return null;
    if (dims.length === 0 || sameDims(result, dims)) continue;
    if (result.length === 0) {
      result = dims;
      continue;
    }
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

/** Equal, and in every axis known or a symbol. */
function sameDims(a: Dims, b: Dims): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let axis = 0; axis < a.length; axis++) if (a[axis] !== b[axis]) return false;
  return true;
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
