import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import { tensorBytes } from '../../../shared/model/shape';
import type { ThetaEntry } from '../../theta/metadata';
import type { UpdateChain } from '../../updates/updateChain';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import type { OpenedRepository } from '../repositories/openedRepository';
import type { MergeRequest } from './mergeRequest';

/** Two entries of one group whose mean is wanted: floating point or complex, of one type and shape. */
export interface GroupToAverage {
  readonly name: string;
  readonly ours: ThetaEntry;
  readonly theirs: ThetaEntry;
}

export interface AverageOptions extends Pick<MergeRequest, 'pool' | 'signal' | 'onProgress'> {
  readonly groups: readonly GroupToAverage[];
  readonly chainOf: (entry: ThetaEntry) => UpdateChain | CheckpointError | undefined;
}

/**
 * The mean of each pair as a new dense entry, or why there is none. Sums are taken in float64 and rounded once to the group's type; objects go
 * into the LFS store, without facts about the checkpoint (`establishFacts`). Like git-theta's averages the entries name no commit.
 * @throws CheckpointError cancelled, no-space, permission: what concerns the store and not one group
 */
export async function averageGroups(repository: OpenedRepository, options: AverageOptions): Promise<ReadonlyMap<string, ThetaEntry | CheckpointError>> {
  const { pool, onProgress } = options;
  const results = new Map<string, ThetaEntry | CheckpointError>();
  const { controller, release } = linkedController(options.signal);
  const { signal } = controller;
  const largestFirst = options.groups.toSorted((a, b) => bytesOf(b) - bytesOf(a));
  const total = largestFirst.reduce((sum, group) => sum + bytesOf(group), 0);
  let done = 0;

  const average = async (group: GroupToAverage) => {
    try {
      const inputs = [group.ours, group.theirs].map((entry) => ({ plan: planOf(options.chainOf(entry), group.name), weight: 0.5 }));
      const stored = await pool.run('average', { group: group.name, inputs, objects: repository.lfs.folder, facts: null }, { signal, priority: 'background' });
      const { dtype, shape, signature, oid, bytes, kind } = stored;
      results.set(group.name, { keys: group.ours.keys, name: group.name, dtype, shape, signature, oid, bytes, updateType: kind, lastCommit: null });
    } catch (error) {
      throwIfCancelled(signal);
      const failed = CheckpointError.from(error).at({ group: group.name });
      if (['cancelled', 'no-space', 'permission', 'internal'].includes(failed.code)) throw failed;
      results.set(group.name, failed);
    }
    done += bytesOf(group);
    onProgress?.({ phase: 'Averaging', done, total, unit: 'bytes' });
  };
  try {
    await forEachLimited(largestFirst, average, { limit: pool.size, controller });
  } finally {
    release();
  }
  return results;
}

function bytesOf({ ours }: GroupToAverage): number {
  return tensorBytes(ours.dtype, ours.shape);
}

function planOf(chain: UpdateChain | CheckpointError | undefined, group: string) {
  if (chain instanceof CheckpointError) throw chain;
  if (chain === undefined) throw new CheckpointError('internal', 'This parameter group was not resolved.', { place: { group } });
  return { kind: 'chain', chain } as const;
}
