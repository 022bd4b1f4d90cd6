import { CheckpointError } from '../../shared/contract/errors';
import type { Output } from '../../shared/contract/requests';
import type { WorkerPool } from '../workers/workerPool';
import { isPlan, type OpenedCheckpoint, type OpenedGroup } from './checkpoints/openedCheckpoint';

export interface InspectOptions {
  readonly pool: WorkerPool;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** Statistics, histogram, preview and digest of one group, reconstructed in a worker; `name` is the joined name. */
export async function inspectGroup(opened: OpenedCheckpoint, name: string, options: InspectOptions): Promise<Output<'parameter/inspect'>> {
  const { commit, path } = opened.version;
  const place = { ...(commit === null ? {} : { commit }), file: path, group: name };
  const found = opened.groups.get(name);
  if (found === undefined) throw new CheckpointError('not-found', `${path} has no parameter group of this name in this version.`, { place });
  if (!isPlan(found.plan)) throw CheckpointError.fromData(found.plan).at(place);
  try {
    const result = await options.pool.run('inspect', { plan: found.plan }, { signal: options.signal, onProgress: options.onProgress });
    return { ...result, shape: [...result.shape], chain: chainOf(found) };
  } catch (error) {
    throw CheckpointError.from(error).at(place);
  }
}

function chainOf({ plan, group }: OpenedGroup): Output<'parameter/inspect'>['chain'] {
  if (isPlan(plan) && plan.kind === 'chain') {
    return plan.chain.steps.map(({ kind, object, commit }) => ({ updateType: kind, commit, oid: object.oid, storedBytes: object.bytes }));
  }
  return [{ updateType: null, commit: null, oid: null, storedBytes: group.storedBytes }];
}
