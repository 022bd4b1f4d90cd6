import { CheckpointError } from '../../../shared/contract/errors';
import { countVarints, decodeTyped, type NumberField } from './decodeTyped';
import type { GroupContent } from './groupContent';
import { ATTRIBUTE, type ConstantValue } from './readNode';
import { atTensor, type DataContext, inModel, takeFromBudget } from './tensorData';
import { isEmpty, type RepeatedValues } from './values';

type Numbers = Extract<ConstantValue, { kind: 'float' | 'int' | 'floats' | 'ints' }>;

/**
 * Numbers of a Constant node that stand in attributes rather than in a tensor: scalars and lists of float32 and int64 (Operators.md, Constant).
 * Whatever is wrong with them is the group's own error.
 */
export async function constantNumbers(value: Numbers, name: string, context: DataContext): Promise<GroupContent> {
  const dtype = value.kind === 'float' || value.kind === 'floats' ? 'float32' : 'int64';
  const whole = (shape: readonly number[], bytes: Uint8Array): GroupContent => ({
    dtype,
    shape,
    data: { ...inModel(context, dtype, shape), source: { kind: 'memory', bytes } },
  });
  const failed = (error: unknown, shape: readonly number[]): GroupContent => ({ dtype, shape, data: atTensor(error, { name, context }) });
  switch (value.kind) {
    case 'float':
      return value.field === null ? whole([], new Uint8Array(4)) : { dtype, shape: [], data: { ...inModel(context, dtype, []), offset: value.field.offset } };
    case 'int': {
      if (value.message === null) return whole([], new Uint8Array(8));
      const field: NumberField = { message: value.message, number: ATTRIBUTE.int, name: 'value_int', varints: true };
      return decodeTyped(context, field, { bytes: 8, width: 8, needed: 'one' }).then(
        (bytes) => whole([], bytes),
        (error: unknown) => failed(error, []),
      );
    }
    default:
      return listOf(value, context).then(
        ({ shape, offset, bytes }) => (bytes === null ? { dtype, shape, data: { ...inModel(context, dtype, shape), offset } } : whole(shape, bytes)),
        (error: unknown) => failed(error, [0]),
      );
  }
}

interface List {
  readonly shape: readonly number[];
  /** Where they stand in the file; with `bytes`, they do not. */
  readonly offset: number;
  readonly bytes: Uint8Array | null;
}

async function listOf({ kind, message, values }: Extract<Numbers, { message: unknown; values: unknown }>, context: DataContext): Promise<List> {
  const [run] = values.runs;
  if (isEmpty(values)) return { shape: [0], offset: 0, bytes: null };
  const floats = kind === 'floats';
  if (floats && values.single === 0 && values.runs.length === 1 && run !== undefined && run.length % 4 === 0)
    return { shape: [run.length / 4], offset: run.offset, bytes: null };
  const count = floats ? floatCount(values) : await countVarints(context.source, values, context.budget.left);
  const width = floats ? 4 : 8;
  takeFromBudget(context, count * width, `value_${kind}`);
  const field: NumberField = { message, number: floats ? ATTRIBUTE.floats : ATTRIBUTE.ints, name: `value_${kind}`, varints: !floats };
  return { shape: [count], offset: 0, bytes: await decodeTyped(context, field, { bytes: count * width, width, needed: 'counted' }) };
}

function floatCount({ runs, single }: RepeatedValues): number {
  const bytes = runs.reduce((sum, { length }) => sum + length, 0);
  if (bytes % 4 !== 0) throw new CheckpointError('malformed', 'The values in value_floats end inside one.');
  return bytes / 4 + single;
}
