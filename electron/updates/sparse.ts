import { CheckpointError } from '../../shared/contract/errors';
import { dtypeKind } from '../../shared/model/dtype';
import { elementCount, type Shape, tensorBytes } from '../../shared/model/shape';
import { addAt } from '../tensors/kernels/addAt';
import { addZero } from '../tensors/kernels/addZero';
import { convertLanes } from '../tensors/kernels/convertLanes';
import { isBig, type Lanes, lanesPerElement, zeroLanes } from '../tensors/kernels/lanes';
import { addOperand } from './addOperand';
import { combineHeaders } from './combineHeaders';
import { broadcastTo } from './operand';
import { openPairs } from './orderedPairs';
import type { OrderedPairs, PairArrays } from './pairs';
import { checkResident, readAll, requireMember } from './readMember';
import { readPairs } from './sparsePairs';
import type { Applier, IncrementalUpdateType, Members, StepContext, Window } from './updateType';

/** numpy's limit of axes. */
const MAX_RANK = 64;

/**
 * A CSR matrix of one row, as scipy's `csr_matrix((data, indices, indptr)).toarray()` expands it: zeros of the type of `data`, `data`
 * added at `indices` (any order, duplicates add up), reshaped to `shape`; then `+ previous`. Indices outside are an error here; scipy
 * writes outside its memory.
 */
export const sparse: IncrementalUpdateType = {
  kind: 'sparse',
  header: async (members, previous) => combineHeaders({ dtype: requireMember(members, 'data').dtype, shape: await readShape(members) }, previous),
  prepare: async (members, context) => {
    const shape = await readShape(members);
    const count = await checkPairs(members, context);
    const total = elementCount(shape);
    const update = { shape, total, count };
    const pairs = await openPairs(pairArrays(members), { ...update, signal: context.signal });
    if (total !== elementCount(context.result.shape)) return applyBroadcast(update, context);
    return pairs.ascending ? applyInOrder(pairs, context) : applyInAnyOrder(update, context);
  },
};

interface SparseUpdate {
  readonly shape: Shape;
  /** Elements of the shape. */
  readonly total: number;
  /** Stored pairs. */
  readonly count: number;
}

/** Shapes of objects that are open: asked for with the header, and again when the update is prepared. */
const shapes = new WeakMap<Members, Shape>();

async function readShape(members: Members): Promise<Shape> {
  const known = shapes.get(members);
  if (known !== undefined) return known;
  const shape = await parseShape(members);
  shapes.set(members, shape);
  return shape;
}

/** The member `shape`: extents of the value as an array of whole numbers. */
async function parseShape(members: Members): Promise<Shape> {
  const member = requireMember(members, 'shape');
  if (member.shape.length !== 1 || elementCount(member.shape) > MAX_RANK || !isWhole(member.dtype)) throw damaged('its member "shape" is no list of extents');
  const shape = Array.from(await readAll(member), Number);
  if (shape.some((extent) => !Number.isSafeInteger(extent) || extent < 0)) throw damaged(`its shape is [${shape.join(', ')}]`);
  try {
    tensorBytes(requireMember(members, 'data').dtype, shape);
  } catch (error) {
    throw damaged(error instanceof Error ? error.message : String(error));
  }
  return shape;
}

/** How many pairs there are: what `indptr` says, which may be fewer than are stored but not more, as scipy has it. */
async function checkPairs(members: Members, context: StepContext): Promise<number> {
  const data = requireMember(members, 'data');
  const indices = requireMember(members, 'indices');
  const pointer = requireMember(members, 'indptr');
  if (data.shape.length !== 1 || indices.shape.length !== 1) throw damaged('its data or its indices are no list');
  if (!isWhole(indices.dtype) || !isWhole(pointer.dtype)) throw damaged('its indices are no whole numbers');
  const stored = elementCount(data.shape);
  if (elementCount(indices.shape) !== stored) throw damaged(`it has ${stored} values, but ${elementCount(indices.shape)} indices`);
  if (pointer.shape.length !== 1 || pointer.shape[0] !== 2) throw damaged(`its member "indptr" has the shape [${pointer.shape.join(', ')}], not [2]`);
  const [first = -1, end = -1] = Array.from(await readAll(pointer, context.signal), Number);
  if (first !== 0 || end < 0 || end > stored) throw damaged(`its member "indptr" is [${first}, ${end}] for ${stored} values`);
  return end;
}

function isWhole(dtype: Parameters<typeof dtypeKind>[0]): boolean {
  return dtypeKind(dtype) === 'int' || dtypeKind(dtype) === 'uint';
}

function pairArrays(members: Members): PairArrays {
  return { indices: requireMember(members, 'indices'), values: requireMember(members, 'data') };
}

/** The usual case: a window of the value is a window of the update. */
function applyInOrder(pairs: OrderedPairs, { result: { dtype } }: StepContext): Applier {
  return {
    pairs,
    apply: async (window, members) => {
      const arrays = pairArrays(members);
      const lanes = convertLanes(window.lanes, window.dtype, dtype);
      // What the update does not name is added to zero; what it names gives the same whether that was done before or not.
      if (!window.zeroAdded || window.dtype !== dtype) addZero(dtype, lanes);
      await pairs.each(window, arrays, (piece) => addAt(dtype, lanes, { ...piece, values: convertLanes(piece.values, arrays.values.dtype, dtype) }));
      return { ...window, dtype, lanes, zeroAdded: isFloating(dtype) };
    },
  };
}

/** Every window looks at all pairs. */
function applyInAnyOrder(update: SparseUpdate, context: StepContext): Applier {
  return {
    apply: async (window, members) => {
      const operand = { lanes: await expand(update, members, { window, context }), dtype: requireMember(members, 'data').dtype };
      return addOperand(window, operand, context.result.dtype);
    },
  };
}

function isFloating(dtype: Window['dtype']): boolean {
  return dtypeKind(dtype) === 'float';
}

/** An update of another shape than the result is expanded as a whole and broadcast. */
function applyBroadcast(update: SparseUpdate, context: StepContext): Applier {
  return {
    apply: async (window, members) => {
      const { dtype } = requireMember(members, 'data');
      checkResident(dtype, update.total);
      const whole = await expand(update, members, { window: { start: 0, count: update.total }, context });
      return addOperand(window, { lanes: broadcastTo(whole, { dtype, shape: update.shape }, { window, context }), dtype }, context.result.dtype);
    },
  };
}

interface Expansion {
  readonly window: { readonly start: number; readonly count: number };
  readonly context: StepContext;
}

/** A window of the expanded update, in the type of `data`. Every pair is looked at, in order. */
async function expand(update: SparseUpdate, members: Members, { window, context }: Expansion): Promise<Lanes> {
  const { dtype } = requireMember(members, 'data');
  const lanes = zeroLanes(dtype, window.count);
  const end = window.start + window.count;
  for await (const { indices, values } of readPairs(members, { from: 0, count: update.count, signal: context.signal })) {
    const inside = indices.reduce((sum, index) => sum + (index >= window.start && index < end ? 1 : 0), 0);
    const chosen = new Uint32Array(inside);
    const positions = new Int32Array(inside);
    for (let i = 0, write = 0; write < inside; i++) {
      const index = indices[i] ?? 0;
      if (index < window.start || index >= end) continue;
      chosen[write] = i;
      positions[write++] = index - window.start;
    }
    addAt(dtype, lanes, { positions, values: inside === indices.length ? values : pick(values, chosen, lanesPerElement(dtype)) });
  }
  return lanes;
}

function pick(values: Lanes, at: Uint32Array, width: number): Lanes {
  if (isBig(values)) {
    const picked = values.slice(0, at.length);
    for (const [i, from] of at.entries()) picked[i] = values[from] ?? 0n;
    return picked;
  }
  const picked = values.slice(0, at.length * width);
  for (const [i, from] of at.entries()) for (let part = 0; part < width; part++) picked[i * width + part] = values[from * width + part] ?? 0;
  return picked;
}

function damaged(what: string): CheckpointError {
  return new CheckpointError('malformed', `A sparse update is damaged: ${what}.`);
}
