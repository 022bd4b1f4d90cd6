import { CheckpointError } from '../../../shared/contract/errors';
import { dtypeKind } from '../../../shared/model/dtype';
import { elementCount, type Shape, sameShape } from '../../../shared/model/shape';
import { isBig, type Lanes, lanesOf } from '../../tensors/kernels/lanes';
import { INCREMENTAL_UPDATES } from '../registry';
import type { TensorHeader } from '../updateType';
import { type Candidate, doesNotFit, type MemoryMember, readable } from './candidate';

/**
 * Checks that an update that was produced elsewhere fits the value that it is for, and leaves its element type and shape as they are.
 * @throws CheckpointError invalid-request, in words
 */
export async function checkDeclared(candidate: Candidate, base: TensorHeader, signal: AbortSignal): Promise<void> {
  if (candidate.kind === 'sparse') checkSparse(candidate, base);
  const members = readable(candidate);
  const type = INCREMENTAL_UPDATES[candidate.kind];
  const result = await type.header(members, base).catch(asRequest);
  if (!sameShape(result.shape, base.shape)) {
    throw invalid(`${shapesOf(candidate)}: the result would be ${list(result.shape)}, the group is ${list(base.shape)}${hint(candidate, base.shape)}`);
  }
  if (result.dtype !== base.dtype) {
    throw invalid(`the result would be ${result.dtype}, the group is ${base.dtype}: convert the update data first`);
  }
  await type.prepare(members, { previous: base, result, signal }).catch(asRequest);
}

function checkSparse({ members }: Candidate, base: TensorHeader): void {
  const [data, indices, pointer, shape] = members;
  if (data === undefined || indices === undefined || pointer === undefined || shape === undefined) return;
  if (base.shape.length === 0) throw invalid('a single number cannot have a sparse update');
  for (const member of [indices, pointer, shape]) checkWhole(member);
  const extents = Array.from(numbers(shape));
  if (!sameShape(extents, base.shape)) throw invalid(`its member "shape" says ${list(extents)}, the group is ${list(base.shape)}`);
  const total = elementCount(base.shape);
  const outside = numbers(indices).find((index) => !(index >= 0 && index < total));
  if (outside !== undefined) throw invalid(`the index ${outside} is outside the ${total} elements of the group`);
}

function checkWhole({ name, dtype }: MemoryMember): void {
  const kind = dtypeKind(dtype);
  if (kind !== 'int' && kind !== 'uint') throw invalid(`its member ${JSON.stringify(name)} is ${dtype}; it needs whole numbers, for instance int32`);
}

function numbers({ dtype, bytes }: MemoryMember): Float64Array {
  const lanes: Lanes = lanesOf(dtype, bytes);
  return isBig(lanes) ? Float64Array.from(lanes, Number) : Float64Array.from(lanes);
}

function shapesOf({ members }: Candidate): string {
  return members.map(({ name, shape }) => `${name} has the shape ${list(shape)}`).join(', ');
}

/** What would fit, for the factors of a matrix. */
function hint({ kind, members }: Candidate, shape: Shape): string {
  const [rows, columns] = shape;
  const rank = members[0]?.shape.at(-1);
  return kind === 'low-rank' && shape.length === 2 && rank !== undefined ? `, which needs R [${rows}, ${rank}] and C [${rank}, ${columns}]` : '';
}

function list(shape: ArrayLike<number>): string {
  return `[${Array.from(shape).join(', ')}]`;
}

function invalid(what: string): CheckpointError {
  return new CheckpointError('invalid-request', `The update data does not fit: ${what}.`);
}

/** What the reading code says of members that do not fit each other. */
function asRequest(error: unknown): never {
  if (error instanceof CheckpointError && doesNotFit(error)) {
    throw new CheckpointError('invalid-request', `The update data does not fit: ${error.message}`, { cause: error });
  }
  throw error;
}
