import * as v from 'valibot';
import { CHANGE_KINDS, EXPORT_FORMATS, FORMAT_IDS, GROUP_CHANGES } from '../model/checkpoint';
import type { CommitHash } from '../model/commit';
import { isCommitHash } from '../model/commit';
import { DTYPES } from '../model/dtype';
import { errorDataSchema } from './errors';

/** Validation of the model's types where they cross the wire. `schemas.test.ts` has the compiler hold each schema against its type. */

export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const commitHash = v.custom<CommitHash>((value) => typeof value === 'string' && isCommitHash(value), 'not a commit hash');
/** Paths inside a repository: relative, `/` between components, never leaving it. */
export const repositoryPath = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(4096),
  v.check(
    (path) => !path.startsWith('/') && !path.includes('\0') && path.split('/').every((part) => part !== '..' && part !== ''),
    'not a path inside the repository',
  ),
);
export const hostPath = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(4096),
  v.check((path) => !path.includes('\0'), 'path holds a NUL'),
);

const signature = v.object({ name: v.string(), email: v.string(), time: v.number(), offset: v.number() });
const commitInfoEntries = { hash: commitHash, parents: v.array(commitHash), author: signature, title: v.string() };
export const commitInfo = v.object(commitInfoEntries);
export const commitDetail = v.object({ ...commitInfoEntries, committer: signature, body: v.string() });
export const refInfo = v.object({ kind: v.picklist(['branch', 'remote-branch', 'tag']), name: v.string(), commit: commitHash });
export const headInfo = v.variant('kind', [
  v.object({ kind: v.literal('branch'), name: v.string(), commit: commitHash }),
  v.object({ kind: v.literal('unborn'), name: v.string() }),
  v.object({ kind: v.literal('detached'), commit: commitHash }),
]);
export const remoteInfo = v.object({ name: v.string(), url: v.string() });

export const storageKind = v.picklist(['theta', 'lfs', 'blob', 'file']);
export const formatId = v.picklist(FORMAT_IDS);
export const exportFormat = v.picklist(EXPORT_FORMATS);
export const shape = v.array(count);
export const dtype = v.picklist(DTYPES);
export const versionId = v.object({ commit: v.nullable(commitHash), path: v.string() });

export const parameterGroup = v.object({
  name: v.string(),
  dtype,
  shape,
  bytes: count,
  updateType: v.nullable(v.string()),
  storedBytes: count,
  oid: v.nullable(v.string()),
  tiedTo: v.nullable(v.string()),
  error: v.nullable(errorDataSchema),
});

export const checkpointDescription = v.object({
  version: versionId,
  format: formatId,
  storage: storageKind,
  groups: v.array(parameterGroup),
  skipped: v.array(v.object({ name: v.string(), reason: v.string() })),
  metadata: v.array(v.object({ key: v.string(), value: v.string() })),
});

export const checkpointWithChanges = v.object({
  checkpoint: checkpointDescription,
  parent: v.nullable(versionId),
  groups: v.array(v.object({ change: v.picklist(GROUP_CHANGES), group: parameterGroup, from: v.optional(v.string()), keepsObject: v.optional(v.boolean()) })),
});

const tally = v.object({ groups: count, bytes: count });
export const commitChange = v.object({
  commit: commitHash,
  present: v.boolean(),
  storage: v.nullable(storageKind),
  unchanged: count,
  tallies: v.partial(v.object(Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, tally])) as Record<(typeof CHANGE_KINDS)[number], typeof tally>)),
  error: v.nullable(errorDataSchema),
});

const nullableNumber = v.nullable(v.number());
export const tensorStats = v.object({
  count,
  finite: count,
  nan: count,
  positiveInfinity: count,
  negativeInfinity: count,
  zeros: count,
  min: nullableNumber,
  max: nullableNumber,
  mean: nullableNumber,
  std: nullableNumber,
  l1: v.number(),
  norm: v.number(),
  subnormals: count,
  distinct: v.object({ count, exact: v.boolean() }),
  exact: v.nullable(v.object({ min: v.string(), max: v.string() })),
});
export const histogram = v.object({
  min: v.number(),
  max: v.number(),
  counts: v.instance(Float64Array),
  edges: v.nullable(v.instance(Float64Array)),
});
const extent = v.tuple([count, count]);
export const sliceView = v.object({
  rowAxis: v.nullable(count),
  columnAxis: v.nullable(count),
  fixed: v.array(count),
  rows: extent,
  columns: extent,
});
export const tensorPreview = v.object({
  rows: count,
  columns: count,
  /** NaN and infinities are marks here, so no `number` check on the elements. */
  values: v.instance(Float32Array),
  sourceRows: count,
  sourceColumns: count,
});

/** What is read of one parameter group's value. */
export const tensorReading = v.object({
  dtype: v.string(),
  shape: v.array(count),
  stats: tensorStats,
  /** `null` when no element is finite. */
  histogram: v.nullable(histogram),
  preview: tensorPreview,
  /** From the self-contained base to the version's own entry; one step, without update type, for a plain file. */
  chain: v.array(v.object({ updateType: v.nullable(v.string()), commit: v.nullable(commitHash), oid: v.nullable(v.string()), storedBytes: count })),
  /** SHA-256 of the raw little-endian C-order bytes. */
  sha256: v.string(),
});
