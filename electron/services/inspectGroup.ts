import { CheckpointError } from '../../shared/contract/errors';
import type { Output } from '../../shared/contract/requests';
import { findStoringCommit } from '../theta/findStoringCommit';
import type { WorkerPool } from '../workers/workerPool';
import { isPlan, type OpenedCheckpoint, type OpenedGroup } from './checkpoints/openedCheckpoint';
import type { OpenedRepository } from './repositories/openedRepository';

export interface InspectOptions {
  /** `null` for a file, whose groups are in no chain. */
  readonly repository: Pick<OpenedRepository, 'git' | 'metadata'> | null;
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
    const [result, chain] = await Promise.all([
      options.pool.run('inspect', { plan: found.plan }, { signal: options.signal, onProgress: options.onProgress }),
      chainOf(found, path, options),
    ]);
    return { ...result, shape: [...result.shape], chain };
  } catch (error) {
    throw CheckpointError.from(error).at(place);
  }
}

/** The steps with the commits that stored them, which is where a reader wants to go. */
async function chainOf({ plan, group }: OpenedGroup, path: string, { repository, signal }: InspectOptions): Promise<Output<'parameter/inspect'>['chain']> {
  if (!isPlan(plan) || plan.kind !== 'chain' || repository === null) return [{ updateType: null, commit: null, oid: null, storedBytes: group.storedBytes }];
  const { git, metadata } = repository;
  const chain: Output<'parameter/inspect'>['chain'] = [];
  for (const { kind, object, commit } of plan.chain.steps) {
    const stored = commit === null ? null : await findStoringCommit({ repository: git, metadata, commit, path, group: group.name, oid: object.oid, signal });
    chain.push({ updateType: kind, commit: stored, oid: object.oid, storedBytes: object.bytes });
  }
  return chain;
}
