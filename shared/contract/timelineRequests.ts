import * as v from 'valibot';
import { pairNumbers } from './compareRequests';
import { errorDataSchema } from './errors';
import { commitHash, count, dtype, histogram, repositoryPath, shape, storageKind, tensorStats } from './schemas';

/** Requests about one checkpoint through all its versions. */

const inPath = { repository: v.pipe(v.string(), v.minLength(1), v.maxLength(64)), path: repositoryPath };
const cell = v.object({ commit: commitHash, group: v.string() });
const cells = v.pipe(v.array(cell), v.maxLength(256));

/** Which commits make up a timeline: what HEAD or a commit reaches, or every ref. */
export const timelineScope = v.variant('kind', [
  v.object({ kind: v.literal('head') }),
  v.object({ kind: v.literal('commit'), commit: commitHash }),
  v.object({ kind: v.literal('all') }),
]);
export type TimelineScope = v.InferOutput<typeof timelineScope>;

const column = v.object({
  commit: commitHash,
  parents: v.array(count),
  title: v.string(),
  author: v.string(),
  time: v.number(),
  storage: v.nullable(storageKind),
  touched: v.boolean(),
  error: v.nullable(errorDataSchema),
});

export const timelineIndex = v.object({
  columns: v.array(column),
  rows: v.array(v.object({ name: v.string(), dtype, shape, bytes: count })),
  changes: v.object({
    starts: v.instance(Uint32Array),
    rows: v.instance(Uint32Array),
    kinds: v.instance(Uint8Array),
    contents: v.instance(Uint32Array),
    storedBytes: v.instance(Float64Array),
  }),
  renames: v.array(v.object({ column: count, from: count, to: count })),
  omitted: count,
});

export const timelineRequests = {
  /** What every commit did to every group, from metadata alone (plain files: from their headers and bytes). */
  'timeline/index': { input: v.object({ ...inPath, scope: timelineScope }), output: timelineIndex },

  /** Statistics of some groups at some commits, in their order; with `histogram`, over those bins (`null` range: each its own extremes). */
  'timeline/statistics': {
    input: v.object({
      ...inPath,
      cells,
      histogram: v.nullable(
        v.object({ bins: v.pipe(count, v.minValue(1), v.maxValue(4096)), range: v.nullable(v.object({ min: v.number(), max: v.number() })) }),
      ),
    }),
    output: v.array(v.object({ stats: v.nullable(tensorStats), histogram: v.nullable(histogram), error: v.nullable(errorDataSchema) })),
  },
  /** Each cell against the same group in the first parent; `null` numbers where there is nothing to compare with. */
  'timeline/differences': {
    input: v.object({ ...inPath, cells }),
    output: v.array(v.object({ numbers: v.nullable(pairNumbers), error: v.nullable(errorDataSchema) })),
  },

  /** Which commit last changed each row of a group (leading axes × last axis), and each element of a window of it. */
  'timeline/blame': {
    input: v.object({
      ...inPath,
      commit: commitHash,
      group: v.string(),
      /** Rows and columns, ends excluded; at most 1,048,576 elements. */
      window: v.nullable(v.object({ rows: v.tuple([count, count]), columns: v.tuple([count, count]) })),
    }),
    output: v.object({
      /** Commits that changed the group, newest first. */
      commits: v.array(commitHash),
      /** Place in `commits` of each row's last change. */
      rows: v.instance(Int32Array),
      /** The same of each element of the window, row by row. */
      elements: v.nullable(v.instance(Int32Array)),
      /** Set where the history could not be followed to the end: the oldest commit then stands for all before it. */
      note: v.nullable(v.string()),
    }),
  },
  /** First commit (along first parents) at which a condition such as `std > 1` holds, by bisection over the versions of the group. */
  'timeline/bisect': {
    input: v.object({ ...inPath, group: v.string(), condition: v.pipe(v.string(), v.minLength(1), v.maxLength(200)), scope: timelineScope }),
    output: v.object({
      /** `null`: it holds at no version that was looked at. */
      found: v.nullable(commitHash),
      /** Versions that were reconstructed, in that order. */
      tested: v.array(v.object({ commit: commitHash, value: v.nullable(v.number()), holds: v.boolean() })),
      /** What a reader must know, e.g. that it holds at the first version already. */
      note: v.nullable(v.string()),
    }),
  },
} as const satisfies Record<string, { input: v.GenericSchema; output: v.GenericSchema }>;
