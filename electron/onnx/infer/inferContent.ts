import type { RuleContext } from './ruleContext';
import { sliceBounds } from './shapeRules';
import { combine, countElements, type Dim, type Dims, normalAxis, type TensorType } from './tensorType';

/** Larger tensors are data, not shapes. */
export const MAX_CONTENT = 64;

/** Operators whose output may be known though nothing is of their inputs' elements. */
const SOURCES: ReadonlySet<string> = new Set(['Constant', 'Shape', 'Size']);

/**
 * Elements of a node's first output where it computes with shapes: what exporters write to reshape by the extents of other tensors. `null`
 * when not known, or when the tensor is not of rank 0 or 1.
 */
export function inferContent(c: RuleContext, output: TensorType | null): Dims | null {
  // Nearly all nodes compute with data.
  if (c.contents.length === 0 && !SOURCES.has(c.node.op)) return null;
  const content = compute(c);
  return content !== null && content.length <= MAX_CONTENT && (output?.dims?.length ?? 1) <= 1 ? content : null;
}

function compute(c: RuleContext): Dims | null {
  const first = c.contents[0] ?? null;
  switch (c.node.op) {
    case 'Constant':
      return constantContent(c);
    case 'Shape': {
      const dims = c.dims(0);
      if (dims === null) return null;
      const clamp = (at: number) => Math.min(dims.length, Math.max(0, at < 0 ? at + dims.length : at));
      return dims.slice(clamp(c.int('start', 0)), clamp(c.int('end', dims.length)));
    }
    case 'Size': {
      const count = countElements(c.dims(0));
      return count === null ? null : [count];
    }
    case 'Identity':
    case 'Squeeze':
    case 'Unsqueeze':
    case 'Reshape':
      return first;
    case 'Cast':
      // To whole numbers only: an int64 in float16 is another number.
      return [6, 7, 1, 11].includes(c.int('to', 0)) && first?.every((dim) => typeof dim !== 'number' || Number.isInteger(dim)) === true ? first : null;
    case 'Gather':
      return gatherContent(c, first);
    case 'Concat': {
      const parts = c.node.inputs.map((_, input) => c.contents[input] ?? null);
      return parts.every((part) => part !== null) ? parts.flat() : null;
    }
    case 'Slice':
      return sliceContent(c, first);
    case 'Add':
      return both(c, (a, b) => a + b);
    case 'Sub':
      return both(c, (a, b) => a - b);
    case 'Mul':
      return both(c, (a, b) => a * b);
    case 'Div':
      return both(c, (a, b) => ([1, 10, 11].includes(c.element(0)) ? a / b : b === 0 ? Number.NaN : Math.trunc(a / b)));
    case 'ConstantOfShape': {
      const length = first?.length === 1 ? first[0] : null;
      const value = c.attribute('value') === undefined ? 0 : null;
      return typeof length === 'number' && length >= 0 && length <= MAX_CONTENT && value !== null ? new Array<Dim>(length).fill(value) : null;
    }
    default:
      return null;
  }
}

function constantContent(c: RuleContext): Dims | null {
  const ints = c.attribute('value_ints');
  if (ints !== undefined && ints.ref === '') return ints.ints.length <= MAX_CONTENT ? ints.ints.map(Number) : null;
  const int = c.attribute('value_int')?.int;
  if (int !== null && int !== undefined) return [Number(int)];
  const floats = c.attribute('value_floats');
  if (floats !== undefined && floats.ref === '') return floats.floats.length <= MAX_CONTENT ? floats.floats : null;
  const float = c.attribute('value_float')?.float;
  return float !== null && float !== undefined ? [float] : null;
}

function gatherContent(c: RuleContext, data: Dims | null): Dims | null {
  const indices = c.contents[1] ?? null;
  if (data === null || indices === null || c.int('axis', 0) !== 0) return null;
  const picked: Dim[] = [];
  for (const index of indices) {
    const at = typeof index === 'number' ? normalAxis(index, data.length) : null;
    if (at === null) return null;
    picked.push(data[at] ?? null);
  }
  return picked;
}

function sliceContent(c: RuleContext, data: Dims | null): Dims | null {
  const bound = data === null ? undefined : sliceBounds(c, 1)?.get(0);
  if (data === null || bound === undefined || bound.step !== 1) return null;
  return data.slice(bound.start, bound.end);
}

function both(c: RuleContext, operation: (a: number, b: number) => number): Dims | null {
  const a = c.contents[0] ?? null;
  const b = c.contents[1] ?? null;
  if (a === null || b === null || (a.length !== b.length && a.length !== 1 && b.length !== 1)) return null;
  const result = Array.from({ length: Math.max(a.length, b.length) }, (_, i) =>
    combine(a[a.length === 1 ? 0 : i] ?? null, b[b.length === 1 ? 0 : i] ?? null, operation),
  );
  return result.map((dim) => (typeof dim === 'number' && !Number.isFinite(dim) ? null : dim));
}
