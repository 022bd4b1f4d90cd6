import * as v from 'valibot';
import { errorDataSchema } from '../../shared/contract/errors';
import { count, dtype, histogram, shape, tensorPreview, tensorStats } from '../../shared/contract/schemas';
import { UPDATE_CHOICES } from '../../shared/model/track';
import { UPDATE_KINDS } from '../../shared/model/update';
import { DIGEST_KINDS } from '../tensors/digestBytes';
import { graphSchemas } from './graphSchema';
import { measurePairSchemas, pairStructureSchemas } from './pairSchema';
import { tensorPlan, updateChain } from './planSchema';
import { statisticsSchemas } from './statisticsSchema';
import type { TaskMap } from './tasks/tasks';

export type TaskName = keyof TaskMap;
export type TaskInput<N extends TaskName> = TaskMap[N]['input'];
export type TaskOutput<N extends TaskName> = TaskMap[N]['output'];

type Schemas = {
  readonly [N in TaskName]: { readonly input: v.GenericSchema<unknown, TaskInput<N>>; readonly output: v.GenericSchema<unknown, TaskOutput<N>> };
};

const hex = v.pipe(v.string(), v.regex(/^[0-9a-f]+$/));

const storedGroup = v.object({
  kind: v.picklist(UPDATE_KINDS),
  oid: hex,
  bytes: count,
  mark: v.nullable(v.object({ before: v.nullable(v.bigint()), after: v.bigint() })),
  dtype,
  shape,
  sha256: hex,
  signature: v.array(v.bigint()),
  notes: v.array(v.string()),
});

/** What crosses between the threads, checked at both ends. */
const schemas: Schemas = {
  ...statisticsSchemas,
  ...graphSchemas,
  inspect: {
    input: v.object({ plan: tensorPlan }),
    output: v.object({ dtype, shape, stats: tensorStats, histogram: v.nullable(histogram), preview: tensorPreview, sha256: hex }),
  },
  digest: {
    input: v.object({ plan: tensorPlan }),
    output: v.object({ dtype, shape, sha256: hex, bytes: count }),
  },
  difference: {
    input: v.object({ before: v.nullable(tensorPlan), after: tensorPlan, digest: v.boolean() }),
    output: v.object({
      dtype,
      shape,
      elements: count,
      other: v.nullable(v.object({ dtype, shape })),
      difference: v.nullable(v.object({ changed: count, norm: v.number(), notFinite: count })),
      sha256: v.nullable(hex),
    }),
  },
  measurePair: measurePairSchemas,
  pairStructure: pairStructureSchemas,
  fileDigest: {
    input: v.object({ file: v.string(), kind: v.picklist(DIGEST_KINDS) }),
    output: v.object({ digest: hex, bytes: count }),
  },
  write: {
    input: v.object({
      plan: tensorPlan,
      expected: v.object({ dtype, shape }),
      file: v.string(),
      offset: count,
      crc: v.boolean(),
      digest: v.optional(v.boolean()),
      values: v.optional(v.string()),
    }),
    output: v.object({ sha256: v.nullable(hex), crc32: v.nullable(count), bytes: count }),
  },
  store: {
    input: v.object({
      group: v.string(),
      value: v.nullable(tensorPlan),
      sha256: v.nullable(hex),
      base: v.nullable(updateChain),
      choice: v.picklist(UPDATE_CHOICES),
      declared: v.nullable(v.array(v.object({ member: v.string(), plan: tensorPlan }))),
      maxLinks: count,
      ownTypes: v.boolean(),
      facts: v.nullable(v.string()),
      values: v.nullable(v.string()),
      objects: v.nullable(v.string()),
    }),
    output: storedGroup,
  },
  changedParts: {
    input: v.object({
      before: v.nullable(tensorPlan),
      after: tensorPlan,
      window: v.nullable(v.object({ rows: v.tuple([count, count]), columns: v.tuple([count, count]) })),
    }),
    output: v.object({ dtype, shape, rows: v.instance(Uint8Array<ArrayBuffer>), elements: v.nullable(v.instance(Uint8Array<ArrayBuffer>)) }),
  },
  average: {
    input: v.object({
      group: v.string(),
      inputs: v.array(v.object({ plan: tensorPlan, weight: v.number() })),
      facts: v.nullable(v.string()),
      objects: v.nullable(v.string()),
    }),
    output: storedGroup,
  },
};

const taskName = v.picklist(Object.keys(schemas) as TaskName[]);
const id = v.pipe(v.number(), v.safeInteger());

/** Pool → worker. */
export const orderSchema = v.variant('kind', [
  v.object({ kind: v.literal('run'), id, task: taskName, input: v.unknown() }),
  v.object({ kind: v.literal('cancel'), id }),
]);
export type Order = v.InferOutput<typeof orderSchema>;

/** Worker → pool. */
export const reportSchema = v.variant('kind', [
  v.object({ kind: v.literal('result'), id, output: v.unknown() }),
  v.object({ kind: v.literal('failure'), id, error: errorDataSchema }),
  v.object({ kind: v.literal('progress'), id, done: v.number(), total: v.number() }),
]);
export type Report = v.InferOutput<typeof reportSchema>;

export function parseInput<N extends TaskName>(name: N, input: unknown): TaskInput<N> {
  const schema: Schemas[N]['input'] = schemas[name].input;
  return v.parse(schema, input);
}

export function parseOutput<N extends TaskName>(name: N, output: unknown): TaskOutput<N> {
  const schema: Schemas[N]['output'] = schemas[name].output;
  return v.parse(schema, output);
}
