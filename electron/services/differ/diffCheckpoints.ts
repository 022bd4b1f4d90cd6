import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError, type ErrorData } from '../../../shared/contract/errors';
import { type EqualPair, type Unpaired, withoutPairs } from '../../../shared/model/pairEqual';
import { elementCount, sameShape, tensorBytes } from '../../../shared/model/shape';
import { compareKeys } from '../../theta/compareKeys';
import { sameEntry } from '../../theta/diffMetadata';
import type { DigestCache } from '../../theta/digestCache';
import type { TensorPlan } from '../../updates/updateChain';
import type { WorkerPool } from '../../workers/workerPool';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import { pairRenamed } from '../pairRenamed';
import type { OpenedRepository } from '../repositories/openedRepository';
import { openDigestCache } from '../tracker/digests';
import type { DiffSide } from './diffSide';
import type { CheckpointDiff, GroupDiff } from './groupDiff';
import { type SideGroup, sideGroups, sideNotes, sidePlans } from './sideGroups';

export interface DiffOptions {
  /** `null`: outside of any; metadata is then compared without values. */
  readonly repository: OpenedRepository | null;
  readonly pool: WorkerPool;
  readonly signal?: AbortSignal | undefined;
}

interface Pair {
  readonly old: SideGroup;
  readonly now: SideGroup;
}

/**
 * What happened to every group between two versions. Entries that are the same are not read; of the others the values are subtracted, in
 * workers. A group that cannot be read carries the reason, and the others are as they should be.
 */
export async function diffCheckpoints(before: DiffSide, after: DiffSide, options: DiffOptions): Promise<CheckpointDiff> {
  const [olds, nows] = [sideGroups(before), sideGroups(after)];
  const groups: GroupDiff[] = [];
  const pairs: Pair[] = [];
  const added: SideGroup[] = [];
  let unchanged = 0;
  for (const now of nows.values()) {
    const old = olds.get(now.name);
    if (old === undefined) added.push(now);
    else if (old.entry !== null && now.entry !== null && sameEntry(old.entry, now.entry)) unchanged++;
    else if (old.dtype !== now.dtype || !sameShape(old.shape, now.shape))
      groups.push({ ...plain(now, 'modified'), before: { dtype: old.dtype, shape: old.shape } });
    else pairs.push({ old, now });
  }
  const gone = [...olds.values()].filter((old) => !nows.has(old.name));
  const renamed = await findRenamed([before, after], { a: gone, b: added }, options);
  groups.push(...renamed.map(({ a, b }) => ({ ...plain(b, 'renamed'), from: a.name })));
  const { a: removed, b: rest } = withoutPairs({ a: gone, b: added }, renamed);
  groups.push(...rest.map((now) => plain(now, 'added')), ...removed.map((old) => plain(old, 'removed')));
  for (const found of await comparePairs([before, after], pairs, options)) {
    if (found === null) unchanged++;
    else groups.push(found);
  }
  groups.sort((a, b) => compareKeys([a.name], [b.name]));
  return { groups, unchanged, notes: [...sideNotes(before), ...sideNotes(after)] };
}

function plain({ name, dtype, shape, updateType }: SideGroup, change: GroupDiff['change']): GroupDiff {
  return { name, change, from: null, updateType, dtype, shape, before: null, elements: elementCount(shape), difference: null, error: null };
}

/** Groups that kept their value under another name. Values are read only where not both sides are metadata. */
async function findRenamed(
  sides: readonly [DiffSide, DiffSide],
  { a, b }: Unpaired<SideGroup>,
  { repository, pool, signal }: DiffOptions,
): Promise<readonly EqualPair<SideGroup>[]> {
  if (a.length === 0 || b.length === 0) return [];
  const areEntries = a.every(({ entry }) => entry !== null) && b.every(({ entry }) => entry !== null);
  const plans = async (side: DiffSide, groups: readonly SideGroup[]) => {
    const found = areEntries
      ? null
      : await sidePlans(
          repository,
          side,
          groups.map(({ name }) => name),
          signal,
        );
    return groups.map((side) => ({ side, group: side, entry: side.entry, plan: found?.get(side.name) ?? null }));
  };
  const candidates = { a: await plans(sides[0], a), b: await plans(sides[1], b) };
  const found = await pairRenamed(candidates, { pool, cache: repository === null ? null : openDigestCache(repository), signal });
  return found.map((pair) => ({ a: pair.a.side, b: pair.b.side }));
}

/** `null` for a pair of equal values, unless it was stored anew. */
async function comparePairs(sides: readonly [DiffSide, DiffSide], pairs: readonly Pair[], options: DiffOptions): Promise<readonly (GroupDiff | null)[]> {
  const { repository, signal } = options;
  const names = pairs.map(({ now }) => now.name);
  const [before, after] = [await sidePlans(repository, sides[0], names, signal), await sidePlans(repository, sides[1], names, signal)];
  const cache = repository === null ? null : openDigestCache(repository);
  const results: (GroupDiff | null)[] = [];
  const { controller, release } = linkedController(signal);
  try {
    const compare = async ({ old, now }: Pair) => {
      const plans = [before.get(now.name), after.get(now.name)] as const;
      results.push(await compareValues({ old, now }, plans, { pool: options.pool, cache, signal: controller.signal }));
    };
    await forEachLimited(largestFirst(pairs), compare, { limit: options.pool.size, controller });
  } finally {
    release();
  }
  return results;
}

function largestFirst(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.toSorted((a, b) => tensorBytes(b.now.dtype, b.now.shape) - tensorBytes(a.now.dtype, a.now.shape));
}

interface ValueContext {
  readonly pool: WorkerPool;
  readonly cache: DigestCache | null;
  readonly signal: AbortSignal;
}

type Plan = TensorPlan | ErrorData | undefined;

async function compareValues({ old, now }: Pair, [first, second]: readonly [Plan, Plan], context: ValueContext): Promise<GroupDiff | null> {
  const { pool, signal } = context;
  const modified = plain(now, 'modified');
  try {
    const [before, after] = [requirePlan(first, now.name), requirePlan(second, now.name)];
    if (await haveEqualDigests(before, after, context)) return null;
    const found = await pool.run('difference', { before, after, digest: false }, { signal });
    if (found.difference?.changed === 0 && (old.entry === null || now.entry === null)) return null;
    const { dtype, shape, elements, difference, other } = found;
    return { ...modified, dtype, shape, elements, difference, before: other };
  } catch (error) {
    throwIfCancelled(signal);
    return { ...modified, error: CheckpointError.from(error).toData() };
  }
}

function requirePlan(plan: Plan, group: string): TensorPlan {
  if (plan === undefined) throw new CheckpointError('internal', 'This parameter group was not resolved.', { place: { group } });
  if ('code' in plan) throw CheckpointError.fromData(plan);
  return plan;
}

/** A file against a stored value whose digest is known: hashing the file is all it takes to see that nothing has changed. */
async function haveEqualDigests(before: TensorPlan, after: TensorPlan, { pool, cache, signal }: ValueContext): Promise<boolean> {
  const [stored, file] = before.kind === 'chain' ? [before, after] : [after, before];
  if (stored.kind !== 'chain' || file.kind !== 'ref' || cache === null) return false;
  const known = await cache.get(stored.chain);
  if (known === null) return false;
  return (await pool.run('digest', { plan: file }, { signal })).sha256 === known;
}
