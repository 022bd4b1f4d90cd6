import type { ChangedGroup } from '../../../shared/model/checkpoint';
import { sameShape } from '../../../shared/model/shape';
import type { WorkerPool } from '../../workers/workerPool';
import { isPlan, type OpenedCheckpoint, type OpenedGroup } from './openedCheckpoint';

export interface Comparison {
  readonly pool: WorkerPool;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Every group of `after` with what happened to it since `before`, and the groups that are gone; sorted by name (code points).
 * git-theta's entries say whether they changed. Groups of plain files are compared by the SHA-256 of their bytes, in workers.
 */
export async function compareGroups(before: OpenedCheckpoint | null, after: OpenedCheckpoint, comparison: Comparison): Promise<readonly ChangedGroup[]> {
  const changed: ChangedGroup[] = [];
  let done = 0;
  for (const opened of after.groups.values()) {
    const old = before?.groups.get(opened.group.name);
    if (old === undefined) changed.push({ change: 'added', group: opened.group });
    else changed.push({ change: (await isSame(old, opened, comparison)) ? 'unchanged' : 'modified', group: opened.group });
    comparison.onProgress(++done, after.groups.size);
  }
  for (const { group } of before?.groups.values() ?? []) {
    if (!after.groups.has(group.name)) changed.push({ change: 'removed', group });
  }
  return changed.sort((a, b) => (a.group.name < b.group.name ? -1 : a.group.name > b.group.name ? 1 : 0));
}

async function isSame(a: OpenedGroup, b: OpenedGroup, { pool, signal }: Comparison): Promise<boolean> {
  if (a.group.dtype !== b.group.dtype || !sameShape(a.group.shape, b.group.shape)) return false;
  const chains = [a.plan, b.plan].map((plan) =>
    isPlan(plan) && plan.kind === 'chain' ? plan.chain.steps.map((step) => `${step.kind} ${step.object.oid}`).join('\n') : null,
  );
  // The same objects give the same value; other objects mean that the entry was written anew.
  if (chains[0] !== null && chains[1] !== null) return chains[0] === chains[1];
  if (a.group.oid !== null && b.group.oid !== null) return a.group.oid === b.group.oid && a.group.updateType === b.group.updateType;
  if (!isPlan(a.plan) || !isPlan(b.plan)) return false;
  const [first, second] = await Promise.all([a.plan, b.plan].map((plan) => pool.run('digest', { plan }, { signal })));
  return first?.sha256 === second?.sha256;
}
