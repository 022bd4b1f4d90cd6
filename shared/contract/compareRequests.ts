import * as v from 'valibot';
import { COMPARED_CHANGES } from '../model/comparison';
import { errorDataSchema } from './errors';
import { commitHash, count, dtype, formatId, histogram, hostPath, repositoryPath, shape, sliceView, storageKind, tensorPreview, tensorStats } from './schemas';

/** Requests that look at two versions, or at a part of one, in depth. */

const repositoryId = v.pipe(v.string(), v.minLength(1), v.maxLength(64));

export const side = v.variant('kind', [
  v.object({ kind: v.literal('version'), repository: repositoryId, commit: commitHash, path: repositoryPath }),
  v.object({ kind: v.literal('worktree'), repository: repositoryId, path: repositoryPath }),
  v.object({ kind: v.literal('file'), path: hostPath }),
]);

const nullableNumber = v.nullable(v.number());
export const pairNumbers = v.object({
  comparedAs: dtype,
  shape,
  elements: count,
  changed: count,
  beyond: count,
  rtol: v.number(),
  atol: v.number(),
  notFinite: count,
  signFlips: count,
  maxAbs: v.number(),
  maxAt: v.nullable(v.array(count)),
  /** May be infinite. */
  maxRelative: v.number(),
  meanAbs: v.number(),
  rms: v.number(),
  norm: v.number(),
  relativeL2: nullableNumber,
  cosine: nullableNumber,
  maxUlp: nullableNumber,
});

export const closeness = v.object({
  deltaFrom: v.pipe(v.number(), v.safeInteger()),
  baseFrom: v.pipe(v.number(), v.safeInteger()),
  rows: count,
  columns: count,
  counts: v.instance(Float64Array),
});

const along = v.picklist(['rows', 'columns']);
export const pairStructure = v.object({
  rank: v.nullable(count),
  rankIsAtLeast: v.boolean(),
  spectrum: v.array(v.number()),
  scaling: v.nullable(v.object({ along: v.picklist(['rows', 'columns', 'all']), exact: v.boolean(), least: v.number(), largest: v.number() })),
  permutation: v.nullable(v.object({ along, order: v.array(count), moved: count })),
  words: v.array(v.string()),
});

export const changedElement = v.object({ index: v.array(count), a: v.string(), b: v.string(), delta: v.number() });

const comparedSide = v.object({
  name: v.string(),
  dtype,
  shape,
  bytes: count,
  updateType: v.nullable(v.string()),
  tiedTo: v.nullable(v.string()),
  error: v.nullable(errorDataSchema),
});
export const comparedGroup = v.object({
  a: v.nullable(comparedSide),
  b: v.nullable(comparedSide),
  change: v.picklist(COMPARED_CHANGES),
  renamedBy: v.nullable(v.picklist(['content', 'likeness'])),
});

const sideDescription = v.object({ label: v.string(), format: formatId, storage: storageKind, groups: count, bytes: count });

const tolerance = v.pipe(v.number(), v.finite(), v.minValue(0));
const bins = v.pipe(count, v.minValue(1), v.maxValue(4096));
const sides = { a: side, b: side };
const pairName = v.object({ a: v.string(), b: v.string() });

export const compareRequests = {
  /** The commit that a revision (branch, tag, hash, `HEAD~2`) names; `null` when it names none. */
  'revision/resolve': {
    input: v.object({ repository: repositoryId, text: v.pipe(v.string(), v.minLength(1), v.maxLength(250)) }),
    output: v.object({ commit: v.nullable(commitHash) }),
  },
  /** Checkpoints of a commit, by path. */
  'checkpoint/paths': { input: v.object({ repository: repositoryId, commit: commitHash }), output: v.array(v.string()) },

  /** Two sides by their headers: rows matched by name, then by content and likeness. Values are read only as far as matching needs them. */
  'compare/open': {
    input: v.object(sides),
    output: v.object({
      a: sideDescription,
      b: sideDescription,
      /** In the order of `b`'s names, with the removed ones among them. */
      groups: v.array(comparedGroup),
      metadata: v.array(v.object({ key: v.string(), a: v.nullable(v.string()), b: v.nullable(v.string()) })),
      /** What both files hold besides tensors, or cannot be read of them, each in a sentence. */
      notes: v.array(v.string()),
    }),
  },
  /** Numbers of some rows, in their order. One that cannot be compared says why; the others are there. */
  'compare/numbers': {
    input: v.object({ ...sides, pairs: v.pipe(v.array(pairName), v.maxLength(256)), rtol: tolerance, atol: tolerance }),
    output: v.array(
      v.object({
        numbers: v.nullable(pairNumbers),
        closeness: v.nullable(closeness),
        structure: v.nullable(pairStructure),
        error: v.nullable(errorDataSchema),
      }),
    ),
  },
  /** Everything about one row. */
  'compare/detail': {
    input: v.object({ ...sides, pair: pairName, rtol: tolerance, atol: tolerance, bins, largest: v.pipe(count, v.maxValue(1000)) }),
    output: v.object({
      numbers: pairNumbers,
      structure: pairStructure,
      stats: v.object({ a: tensorStats, b: tensorStats }),
      /** Of both values over common bins, and of b - a; `null` where nothing is finite. */
      histograms: v.nullable(v.object({ a: histogram, b: histogram })),
      delta: v.nullable(histogram),
      /** Largest |b - a| first. */
      largest: v.array(changedElement),
    }),
  },
  /** Part of a tensor as a picture, averaged down to at most `maxRows` × `maxColumns`. */
  'side/slice': {
    input: v.object({
      side,
      group: v.string(),
      view: sliceView,
      maxRows: v.pipe(count, v.minValue(1), v.maxValue(2048)),
      maxColumns: v.pipe(count, v.minValue(1), v.maxValue(2048)),
    }),
    output: v.object({ dtype, shape, preview: tensorPreview }),
  },
} as const satisfies Record<string, { input: v.GenericSchema; output: v.GenericSchema }>;
