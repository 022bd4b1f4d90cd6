import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { ChangedGroup } from '../../../shared/model/checkpoint';
import { withoutPairs } from '../../../shared/model/pairEqual';
import { sameShape } from '../../../shared/model/shape';
import type { TensorPlan } from '../../updates/updateChain';
import type { WorkerPool } from '../../workers/workerPool';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import { pairRenamed } from '../pairRenamed';
import { isPlan, type OpenedCheckpoint, type OpenedGroup } from './openedCheckpoint';
import { asFileTensor, createSmallReader, isSamePlace, isSmall, type SmallReader } from './sameBytes';

export interface Comparison {
  readonly pool: WorkerPool;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Every group of `after` with what happened to it since `before`, and the groups that are gone; sorted by name (code points).
 * git-theta's entries say whether they changed. Groups of plain files are compared by their bytes: small ones here, others by the
 * SHA-256 of the values, in workers, and so are those that may have been renamed (`pairRenamed`). One that cannot be read counts as modified; whoever looks at it hears why.
 */
export async function compareGroups(before: OpenedCheckpoint | null, after: OpenedCheckpoint, comparison: Comparison): Promise<readonly ChangedGroup[]> {
  const { pool, signal, onProgress } = comparison;
  const changed: ChangedGroup[] = [];
  const pairs: Pair[] = [];
  const added: OpenedGroup[] = [];
  const settle = (group: ChangedGroup['group'], change: ChangedGroup['change'], former: Pick<ChangedGroup, 'from' | 'keepsObject'> = {}) => {
    changed.push({ change, group, ...former });
    onProgress(changed.length, after.groups.size);
  };
  const small = createSmallReader();
  try {
    for (const now of after.groups.values()) {
      throwIfCancelled(signal);
      const old = before?.groups.get(now.group.name);
      const same = old === undefined ? null : await isSameHere(old, now, small);
      if (old === undefined) added.push(now);
      else if (same === null) pairs.push({ old, now });
      else settle(now.group, same ? 'unchanged' : 'modified');
    }
  } finally {
    await small.close();
  }
  const { controller, release } = linkedController(signal);
  try {
    const compare = async ({ old, now }: Pair) => settle(now.group, (await haveSameDigest([old, now], pool, controller.signal)) ? 'unchanged' : 'modified');
    // Each comparison keeps two workers busy.
    await forEachLimited(pairs, compare, { limit: Math.max(1, Math.floor(pool.size / 2)), controller });
  } finally {
    release();
  }
  const gone = [...(before?.groups.values() ?? [])].filter(({ group }) => !after.groups.has(group.name));
  const renamed = await pairRenamed({ a: gone, b: added }, { pool, cache: null, signal });
  for (const { a, b } of renamed) {
    const keepsObject = a.entry === null || b.entry === null ? undefined : a.entry.oid === b.entry.oid;
    settle(b.group, 'renamed', { from: a.group.name, ...(keepsObject === undefined ? {} : { keepsObject }) });
  }
  const { a: removed, b: rest } = withoutPairs({ a: gone, b: added }, renamed);
  for (const { group } of rest) settle(group, 'added');
  for (const { group } of removed) changed.push({ change: 'removed', group });
  return changed.sort((a, b) => (a.group.name < b.group.name ? -1 : a.group.name > b.group.name ? 1 : 0));
}

interface Pair {
  readonly old: OpenedGroup;
  readonly now: OpenedGroup;
}

/** `null` when only the values can tell, and there are too many of them for this thread. */
async function isSameHere(old: OpenedGroup, now: OpenedGroup, small: SmallReader): Promise<boolean | null> {
  if (old.group.dtype !== now.group.dtype || !sameShape(old.group.shape, now.group.shape)) return false;
  if (!isPlan(old.plan) || !isPlan(now.plan)) return isSameObject(old, now) ?? false;
  const steps = [stepsOf(old.plan), stepsOf(now.plan)];
  // The same objects give the same value; other objects mean that the entry was written anew.
  if (steps[0] !== null && steps[1] !== null) return steps[0] === steps[1];
  const object = isSameObject(old, now);
  if (object !== null) return object;
  const places = old.plan.kind === 'ref' && now.plan.kind === 'ref' ? [asFileTensor(old.plan.ref), asFileTensor(now.plan.ref)] : [];
  const [first, second] = places;
  if (first == null || second == null) return null;
  if (isSamePlace(first, second)) return true;
  if (!isSmall(now.group.bytes) || first.ref.bigEndian !== second.ref.bigEndian) return null;
  return small.same(first, second, now.group.bytes).catch(() => false);
}

/** What a chain is made of; `null` for a plan that is none. */
function stepsOf(plan: TensorPlan): string | null {
  return plan.kind === 'chain' ? plan.chain.steps.map((step) => `${step.kind} ${step.object.oid}`).join('\n') : null;
}

function isSameObject({ group: a }: OpenedGroup, { group: b }: OpenedGroup): boolean | null {
  return a.oid !== null && b.oid !== null ? a.oid === b.oid && a.updateType === b.updateType : null;
}

async function haveSameDigest(groups: readonly OpenedGroup[], pool: WorkerPool, signal: AbortSignal): Promise<boolean> {
  try {
    const digest = ({ plan }: OpenedGroup) => (isPlan(plan) ? pool.run('digest', { plan }, { signal }) : null);
    const [first, second] = await Promise.all(groups.map(digest));
    return first != null && first.sha256 === second?.sha256;
  } catch (error) {
    if (CheckpointError.from(error).code === 'cancelled') throw error;
    return false;
  }
}
