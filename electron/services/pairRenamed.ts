import { createHash } from 'node:crypto';
import { throwIfCancelled } from '../../shared/contract/cancelled';
import { CheckpointError, type ErrorData, isCheckpointError } from '../../shared/contract/errors';
import { type DType, dtypeBytes } from '../../shared/model/dtype';
import { type EqualPair, pairEqual, type Unpaired, withoutPairs } from '../../shared/model/pairEqual';
import { type Shape, tensorBytes } from '../../shared/model/shape';
import { openSource } from '../bytes/openSource';
import { repeatedElement } from '../tensors/repeatedElement';
import type { TensorRef } from '../tensors/tensorRef';
import type { DigestCache } from '../theta/digestCache';
import { findRenames, isCommonContent } from '../theta/findRenames';
import type { ThetaEntry } from '../theta/metadata';
import type { TensorPlan } from '../updates/updateChain';
import type { WorkerPool } from '../workers/workerPool';
import { isSmall } from './checkpoints/sameBytes';
import { forEachLimited } from './forEachLimited';
import { linkedController } from './linkedController';

/** A group that is only on one side. */
export interface RenameCandidate {
  readonly group: { readonly name: string; readonly dtype: DType; readonly shape: Shape };
  /** What the metadata says; `null` for a group of a file. */
  readonly entry: ThetaEntry | null;
  /** `null` where the value is not to be read. */
  readonly plan: TensorPlan | ErrorData | null;
}

export interface PairRenamedOptions {
  readonly pool: WorkerPool;
  /** Digests of stored values that are known; `null`: none are. */
  readonly cache: DigestCache | null;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes at the beginning of a tensor of a file that say whether it is one number over and over. */
const LOOKED_AT = 16 * 1024;

/**
 * Groups that kept their value and changed their name: between two versions of git-theta by their metadata, as the history does. Where a side is a
 * file, by the SHA-256 of the values, which are read only where there is one of the same dtype and shape on the other side.
 */
export async function pairRenamed<T extends RenameCandidate>(groups: Unpaired<T>, options: PairRenamedOptions): Promise<readonly EqualPair<T>[]> {
  if (groups.a.length === 0 || groups.b.length === 0) return [];
  const stored = findRenames(groups.a.flatMap(withEntry), groups.b.flatMap(withEntry)).map(({ a, b }) => ({ a: a.of, b: b.of }));
  const rest = withoutPairs(groups, stored);
  const values = await readValues(rest, options);
  const isFile = (pair: EqualPair<T>) => pair.a.entry === null || pair.b.entry === null;
  const equal = pairEqual(rest, {
    nameOf: ({ group }) => group.name,
    keyOf: (candidate) => values.get(candidate)?.sha256 ?? null,
    isCommon: ({ a, b }) => {
      const entry = a.entry ?? b.entry;
      return entry === null ? values.get(b)?.isConstant !== false : isCommonContent(entry);
    },
  });
  return [...stored, ...equal.filter(isFile)];
}

function withEntry<T extends RenameCandidate>(of: T): readonly (ThetaEntry & { readonly of: T })[] {
  return of.entry === null ? [] : [{ ...of.entry, of }];
}

interface Value {
  /** With dtype and shape before it. */
  readonly sha256: string;
  readonly isConstant: boolean;
}

async function readValues<T extends RenameCandidate>({ a, b }: Unpaired<T>, options: PairRenamedOptions): Promise<ReadonlyMap<T, Value>> {
  const wanted = [...counterparts(a, b), ...counterparts(b, a)];
  const values = new Map<T, Value>();
  const { controller, release } = linkedController(options.signal);
  try {
    const read = async (candidate: T) => {
      const value = await readValue(candidate, { ...options, signal: controller.signal });
      if (value !== null) values.set(candidate, value);
    };
    await forEachLimited(wanted, read, { limit: options.pool.size, controller });
  } finally {
    release();
  }
  return values;
}

/** Those of `groups` that a group of the other side could be, where not both are in the metadata. */
function counterparts<T extends RenameCandidate>(groups: readonly T[], others: readonly T[]): readonly T[] {
  const kinds = new Set(others.map(kindOf));
  const ofFiles = new Set(others.filter(({ entry }) => entry === null).map(kindOf));
  return groups.filter((one) => (one.entry === null ? kinds : ofFiles).has(kindOf(one)));
}

function kindOf({ group }: RenameCandidate): string {
  return `${group.dtype} [${group.shape.join(',')}]`;
}

/** `null` for a value that cannot be read: whoever looks at it hears why. */
async function readValue(candidate: RenameCandidate, { pool, cache, signal }: PairRenamedOptions): Promise<Value | null> {
  const { plan } = candidate;
  if (plan === null || 'code' in plan) return null;
  try {
    const looked = plan.kind === 'ref' ? await lookAt(plan.ref) : null;
    if (looked?.sha256 != null) return { ...looked, sha256: `${kindOf(candidate)} ${looked.sha256}` };
    const known = plan.kind === 'chain' ? ((await cache?.get(plan.chain)) ?? null) : null;
    const sha256 = known ?? (await pool.run('digest', { plan }, { signal })).sha256;
    return { sha256: `${kindOf(candidate)} ${sha256}`, isConstant: looked?.isConstant !== false };
  } catch (error) {
    throwIfCancelled(signal);
    if (isCheckpointError(CheckpointError.from(error), 'cancelled')) throw error;
    return null;
  }
}

/** What can be told here: of a small tensor the digest too, for which a worker would take longer to be asked. `null` where the elements do not lie in one piece. */
async function lookAt({
  dtype,
  shape,
  source,
  offset,
  strides,
  bigEndian,
}: TensorRef): Promise<{ readonly sha256: string | null; readonly isConstant: boolean } | null> {
  if (strides !== null) return null;
  const total = tensorBytes(dtype, shape);
  const opened = await openSource(source);
  try {
    const isWhole = !bigEndian && isSmall(total);
    const bytes = await opened.read(offset, isWhole ? total : Math.min(total, LOOKED_AT));
    const isConstant = total <= dtypeBytes(dtype) || repeatedElement(bytes, dtypeBytes(dtype)) !== null;
    return { sha256: isWhole ? createHash('sha256').update(bytes).digest('hex') : null, isConstant };
  } finally {
    await opened.close();
  }
}
