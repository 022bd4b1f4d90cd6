import type { Rule, RuleContext } from './ruleContext';
import { broadcast, combine, countElements, type Dim, type Dims, normalAxis, type TensorType } from './tensorType';

const INT64 = 7;
const FLOAT = 1;
const unknown = (c: RuleContext): TensorType[] => [{ element: c.element(0), dims: null }];
const as = (c: RuleContext, dims: Dims | null): TensorType[] => [{ element: c.element(0), dims }];

const reshape: Rule = (c) => {
  const input = c.dims(0);
  const target: Dims | null = c.opset < 5 ? c.ints('shape') : (c.contents[1] ?? null);
  if (target === null) {
    const rank = c.dims(1)?.[0];
    return as(c, typeof rank === 'number' && rank <= 64 ? new Array<Dim>(rank).fill(null) : null);
  }
  const zeroCopies = c.int('allowzero', 0) === 0;
  const dims: Dim[] = target.map((dim, axis) => (dim === 0 && zeroCopies ? (input?.[axis] ?? null) : dim));
  const open = dims.indexOf(-1);
  if (open >= 0) dims[open] = missingExtent(input, dims, open);
  return as(c, dims);
};

/** What -1 stands for: symbols that stand on both sides cancel. */
function missingExtent(input: Dims | null, dims: readonly Dim[], open: number): Dim {
  if (input === null) return null;
  const left = [...input];
  const right = dims.filter((_, axis) => axis !== open);
  for (const [axis, dim] of right.entries()) {
    if (typeof dim !== 'string') continue;
    const same = left.indexOf(dim);
    if (same < 0) return null;
    left.splice(same, 1);
    right[axis] = 1;
  }
  const symbols = left.filter((dim) => typeof dim !== 'number');
  const numbers = countElements(left.filter((dim) => typeof dim === 'number'));
  const divisor = countElements(right);
  if (numbers === null || divisor === null || divisor === 0 || numbers % divisor !== 0) return null;
  if (symbols.length === 0) return numbers / divisor;
  return symbols.length === 1 && numbers === divisor ? (symbols[0] ?? null) : null;
}

const transpose: Rule = (c) => {
  const input = c.dims(0);
  if (input === null) return unknown(c);
  const order = c.ints('perm') ?? input.map((_, axis) => input.length - 1 - axis);
  return as(c, order.length === input.length ? order.map((axis) => input[axis] ?? null) : null);
};

const concat: Rule = (c) => {
  const shapes = c.node.inputs.map((_, input) => c.dims(input));
  const known = shapes.find((dims) => dims !== null) ?? null;
  const axis = known === null ? null : normalAxis(c.int('axis', 1), known.length);
  if (known === null || axis === null || shapes.some((dims) => dims !== null && dims.length !== known.length)) return unknown(c);
  const dims = known.map((_, at) => {
    const each = shapes.map((shape) => shape?.[at] ?? null);
    if (at === axis) return each.reduce<Dim>((sum, dim) => combine(sum, dim, (a, b) => a + b), 0);
    return each.find((dim) => typeof dim === 'number') ?? each.find((dim) => dim !== null) ?? null;
  });
  return as(c, dims);
};

const flatten: Rule = (c) => {
  const input = c.dims(0);
  if (input === null) return as(c, [null, null]);
  const axis = c.int('axis', 1);
  const cut = axis < 0 ? axis + input.length : axis;
  return as(c, [productOf(input.slice(0, cut)), productOf(input.slice(cut))]);
};

/** A single symbol among ones stays what it is. */
function productOf(dims: Dims): Dim {
  const others = dims.filter((dim) => dim !== 1);
  return others.length === 1 ? (others[0] ?? null) : countElements(others);
}

const reduce =
  (axesInputFrom: number): Rule =>
  (c) => {
    const input = c.dims(0);
    const keep = c.int('keepdims', 1) === 1;
    const axes = c.opset >= axesInputFrom ? c.list('axes', 1) : (c.ints('axes') ?? undefined);
    if (input === null || axes === null) return as(c, input !== null && keep ? input.map(() => null) : null);
    if (axes === undefined || axes.length === 0) {
      if (axes !== undefined || c.int('noop_with_empty_axes', 0) === 1)
        return as(c, c.int('noop_with_empty_axes', 0) === 1 ? input : keep ? input.map(() => 1) : []);
      return as(c, keep ? input.map(() => 1) : []);
    }
    const gone = new Set(axes.map((axis) => normalAxis(axis, input.length)));
    return as(c, keep ? input.map((dim, axis) => (gone.has(axis) ? 1 : dim)) : input.filter((_, axis) => !gone.has(axis)));
  };

const arg: Rule = (c) => {
  const input = c.dims(0);
  const axis = input === null ? null : normalAxis(c.int('axis', 0), input.length);
  if (input === null || axis === null) return [{ element: INT64, dims: null }];
  const keep = c.int('keepdims', 1) === 1;
  return [{ element: INT64, dims: keep ? input.map((dim, at) => (at === axis ? 1 : dim)) : input.filter((_, at) => at !== axis) }];
};

const gather: Rule = (c) => {
  const data = c.dims(0);
  const indices = c.dims(1);
  const axis = data === null ? null : normalAxis(c.int('axis', 0), data.length);
  if (data === null || indices === null || axis === null) return unknown(c);
  return as(c, [...data.slice(0, axis), ...indices, ...data.slice(axis + 1)]);
};

const gatherND: Rule = (c) => {
  const data = c.dims(0);
  const indices = c.dims(1);
  const depth = indices?.at(-1);
  if (data === null || indices === null || typeof depth !== 'number') return unknown(c);
  return as(c, [...indices.slice(0, -1), ...data.slice(c.int('batch_dims', 0) + depth)]);
};

const unsqueeze: Rule = (c) => {
  const input = c.dims(0);
  const axes = c.list('axes', 1);
  if (input === null || axes === null || axes === undefined) return unknown(c);
  const rank = input.length + axes.length;
  const added = new Set(axes.map((axis) => normalAxis(axis, rank)));
  if (added.has(null) || added.size !== axes.length) return unknown(c);
  const rest = [...input];
  return as(
    c,
    Array.from({ length: rank }, (_, axis) => (added.has(axis) ? 1 : (rest.shift() ?? null))),
  );
};

const squeeze: Rule = (c) => {
  const input = c.dims(0);
  const axes = c.list('axes', 1);
  if (input === null || axes === null) return unknown(c);
  // Without axes every 1 goes, which only numbers can tell.
  if (axes === undefined) return as(c, input.every((dim) => typeof dim === 'number') ? input.filter((dim) => dim !== 1) : null);
  const gone = new Set(axes.map((axis) => normalAxis(axis, input.length)));
  return as(
    c,
    input.filter((_, axis) => !gone.has(axis)),
  );
};

const shape: Rule = (c) => {
  const rank = c.dims(0)?.length;
  if (rank === undefined) return [{ element: INT64, dims: [null] }];
  const clamp = (at: number) => Math.min(rank, Math.max(0, at < 0 ? at + rank : at));
  return [{ element: INT64, dims: [Math.max(0, clamp(c.int('end', rank)) - clamp(c.int('start', 0)))] }];
};

const constant: Rule = (c) => {
  const tensor = c.attribute('value')?.tensors[0];
  if (tensor !== undefined) return [{ element: tensor.type, dims: tensor.dims }];
  const sparse = c.attribute('sparse_value')?.sparseTensors[0];
  if (sparse !== undefined) return [{ element: sparse.values?.type ?? 0, dims: sparse.dims }];
  const [own] = c.node.attributes;
  if (own === undefined || own.ref !== '') return [];
  switch (own.name) {
    case 'value_float':
      return [{ element: FLOAT, dims: [] }];
    case 'value_int':
      return [{ element: INT64, dims: [] }];
    case 'value_string':
      return [{ element: 8, dims: [] }];
    case 'value_floats':
      return [{ element: FLOAT, dims: [own.floats.length] }];
    case 'value_ints':
      return [{ element: INT64, dims: [own.ints.length] }];
    case 'value_strings':
      return [{ element: 8, dims: [own.strings.length] }];
    default:
      return [];
  }
};

const constantOfShape: Rule = (c) => {
  const rank = c.dims(0)?.[0];
  const dims = c.contents[0] ?? (typeof rank === 'number' && rank <= 64 ? new Array<Dim>(rank).fill(null) : null);
  return [{ element: c.attribute('value')?.tensors[0]?.type ?? FLOAT, dims }];
};

/** Where a slice begins and ends, per axis; `null` when it is not constant. */
export function sliceBounds(c: RuleContext, rank: number): ReadonlyMap<number, { start: number; end: number; step: number }> | null {
  const starts = c.list('starts', 1);
  const ends = c.list('ends', 2);
  const axes = c.list('axes', 3);
  const steps = c.list('steps', 4);
  if (!starts || !ends || axes === null || steps === null) return null;
  const bounds = new Map<number, { start: number; end: number; step: number }>();
  for (const [at, start] of starts.entries()) {
    const axis = normalAxis(axes?.[at] ?? at, rank);
    const step = steps?.[at] ?? 1;
    if (axis === null || step === 0) return null;
    bounds.set(axis, { start, end: ends[at] ?? 0, step });
  }
  return bounds;
}

const slice: Rule = (c) => {
  const input = c.dims(0);
  if (input === null) return unknown(c);
  const bounds = sliceBounds(c, input.length);
  if (bounds === null) {
    const axes = c.list('axes', 3);
    const cut = axes ? new Set(axes.map((axis) => normalAxis(axis, input.length))) : null;
    return as(
      c,
      input.map((dim, axis) => (cut?.has(axis) === false ? dim : null)),
    );
  }
  return as(
    c,
    input.map((dim, axis) => {
      const bound = bounds.get(axis);
      return bound === undefined ? dim : slicedExtent(dim, bound);
    }),
  );
};

function slicedExtent(dim: Dim, { start, end, step }: { start: number; end: number; step: number }): Dim {
  if (typeof dim !== 'number') return start === 0 && step === 1 && end >= 2 ** 31 - 1 ? dim : null;
  const clamp = (at: number) => Math.min(step > 0 ? dim : dim - 1, Math.max(step > 0 ? 0 : -1, at < 0 ? at + dim : at));
  const from = Math.max(0, clamp(start));
  // Far below zero means: through to the first element.
  const to = step < 0 && end < -dim ? -1 : clamp(end);
  return Math.max(0, Math.ceil((to - from) / step));
}

const split: Rule = (c) => {
  const input = c.dims(0);
  const axis = input === null ? null : normalAxis(c.int('axis', 0), input.length);
  const parts = c.node.outputs.length;
  if (input === null || axis === null) return Array.from({ length: parts }, () => ({ element: c.element(0), dims: null }));
  const sizes = c.list('split', 1);
  const whole = input[axis];
  const even = typeof whole === 'number' ? Math.ceil(whole / parts) : null;
  return Array.from({ length: parts }, (_, part) => {
    const last = even !== null && typeof whole === 'number' ? Math.min(even, whole - even * part) : null;
    const size = sizes === undefined ? last : (sizes?.[part] ?? null);
    return { element: c.element(0), dims: input.map((dim, at) => (at === axis ? size : dim)) };
  });
};

const pad: Rule = (c) => {
  const input = c.dims(0);
  const pads = c.ints('paddings') ?? c.list('pads', 1);
  const axes = c.list('axes', 3);
  if (input === null) return unknown(c);
  const where = axes?.map((axis) => normalAxis(axis, input.length)) ?? input.map((_, axis) => axis);
  if (!pads || axes === null || pads.length !== 2 * where.length)
    return as(
      c,
      input.map(() => null),
    );
  return as(
    c,
    input.map((dim, axis) => {
      const at = where.indexOf(axis);
      const sum = at < 0 ? 0 : (pads[at] ?? 0) + (pads[at + where.length] ?? 0);
      return sum === 0 ? dim : combine(dim, sum, (a, b) => a + b);
    }),
  );
};

const resize: Rule = (c) => {
  const input = c.dims(0);
  if (input === null) return unknown(c);
  const scalesAt = c.node.op === 'Upsample' || c.opset < 11 ? 1 : 2;
  const sizes = scalesAt === 2 ? (c.contents[3] ?? null) : null;
  const floats = c.attribute('scales')?.floats;
  const scales = floats ?? c.contents[scalesAt] ?? null;
  const plain = c.attribute('axes') === undefined && c.text('keep_aspect_ratio_policy', 'stretch') === 'stretch';
  if (plain && sizes?.length === input.length) return as(c, sizes);
  if (plain && scales?.length === input.length) {
    return as(
      c,
      input.map((dim, axis) => (scales[axis] === 1 ? dim : combine(dim, scales[axis] ?? null, (extent, scale) => Math.floor(extent * scale)))),
    );
  }
  return as(
    c,
    input.map(() => null),
  );
};

const expand: Rule = (c) => {
  const target = c.contents[1] ?? null;
  return as(c, target === null ? null : broadcast([c.dims(0), target]));
};

const tile: Rule = (c) => {
  const input = c.dims(0);
  const repeats = c.contents[1] ?? null;
  if (input === null) return unknown(c);
  return as(
    c,
    input.map((dim, axis) => (repeats?.[axis] === 1 ? dim : combine(dim, repeats?.[axis] ?? null, (a, b) => a * b))),
  );
};

const range: Rule = (c) => {
  const [start, limit, step] = [0, 1, 2].map((input) => c.contents[input]?.[0]);
  const known = typeof start === 'number' && typeof limit === 'number' && typeof step === 'number' && step !== 0;
  return as(c, [known ? Math.max(0, Math.ceil((limit - start) / step)) : start === 0 && step === 1 && typeof limit === 'string' ? limit : null]);
};

const topK: Rule = (c) => {
  const input = c.dims(0);
  const axis = input === null ? null : normalAxis(c.int('axis', -1), input.length);
  const k = c.opset < 10 ? (c.attribute('k') === undefined ? null : c.int('k', 0)) : (c.contents[1]?.[0] ?? null);
  const dims = input === null || axis === null ? null : input.map((dim, at) => (at === axis ? k : dim));
  return [
    { element: c.element(0), dims },
    { element: INT64, dims },
  ];
};

const oneHot: Rule = (c) => {
  const input = c.dims(0);
  if (input === null) return [{ element: c.element(2), dims: null }];
  const axis = c.int('axis', -1);
  const at = axis < 0 ? axis + input.length + 1 : axis;
  return [{ element: c.element(2), dims: [...input.slice(0, at), c.contents[1]?.[0] ?? null, ...input.slice(at)] }];
};

/** Blocks of pixels into channels and back: [N, C, H, W]. */
const blocks =
  (intoChannels: boolean): Rule =>
  (c) => {
    const input = c.dims(0);
    const size = c.int('blocksize', 0);
    if (input?.length !== 4 || size < 1) return unknown(c);
    const [n = null, channels = null, height = null, width = null] = input;
    const more = (dim: Dim, by: number) => combine(dim, by, (a, b) => a * b);
    const less = (dim: Dim, by: number) => combine(dim, by, (a, b) => (a % b === 0 ? a / b : Number.NaN));
    const dims = intoChannels
      ? [n, more(channels, size * size), less(height, size), less(width, size)]
      : [n, less(channels, size * size), more(height, size), more(width, size)];
    return as(
      c,
      dims.map((dim) => (typeof dim === 'number' && Number.isNaN(dim) ? null : dim)),
    );
  };

/** What both bodies declare for an output, as far as they agree. */
const ifRule: Rule = (c) => {
  const bodies = c.node.attributes.flatMap(({ graphs }) => graphs);
  return c.node.outputs.map((_, output) => {
    const types = bodies.map((body) => body.outputs[output]?.type ?? null);
    const [first] = types;
    if (first?.kind !== 'tensor' || types.some((type) => type?.kind !== 'tensor' || type.elementType !== first.elementType)) return null;
    const same = types.every((type) => type?.dims?.length === first.dims?.length);
    const dims = first.dims?.map((dim, axis) => (types.every((type) => type?.dims?.[axis] === dim) ? dim : null)) ?? null;
    return { element: first.elementType, dims: same ? dims : null };
  });
};

/** Only the type of elements: shapes may change from one turn to the next. */
const loop: Rule = (c) => {
  const [body] = c.node.attributes.flatMap(({ graphs }) => graphs);
  const skipped = c.node.op === 'Loop' ? 1 : 0;
  return c.node.outputs.map((_, output) => {
    const type = body?.outputs[output + skipped]?.type;
    return type?.kind === 'tensor' ? { element: type.elementType, dims: null } : null;
  });
};

const REDUCTIONS = 'ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceSumSquare';

/** Operators that change shapes (https://github.com/onnx/onnx/blob/main/docs/Operators.md). */
export const SHAPE_RULES: readonly (readonly [string, Rule])[] = [
  ['Reshape', reshape],
  ['Transpose', transpose],
  ['Concat', concat],
  ['Flatten', flatten],
  ['ReduceSum', reduce(13)],
  ...REDUCTIONS.split(' ').map((name) => [name, reduce(18)] as const),
  ['ArgMax', arg],
  ['ArgMin', arg],
  ['Gather', gather],
  ['GatherElements', (c) => as(c, c.dims(1))],
  ['GatherND', gatherND],
  ['Unsqueeze', unsqueeze],
  ['Squeeze', squeeze],
  ['Shape', shape],
  ['Size', () => [{ element: INT64, dims: [] }]],
  ['Constant', constant],
  ['ConstantOfShape', constantOfShape],
  ['Slice', slice],
  ['Split', split],
  ['Pad', pad],
  ['Resize', resize],
  ['Upsample', resize],
  ['Expand', expand],
  ['Tile', tile],
  ['Range', range],
  ['TopK', topK],
  ['OneHot', oneHot],
  ['SpaceToDepth', blocks(true)],
  ['DepthToSpace', blocks(false)],
  ['If', ifRule],
  ['Loop', loop],
  ['Scan', loop],
];
