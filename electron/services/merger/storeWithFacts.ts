import { CheckpointError } from '../../../shared/contract/errors';
import type { ThetaEntry } from '../../theta/metadata';
import type { OpenedRepository } from '../repositories/openedRepository';
import type { MergeRequest } from './mergeRequest';
import type { Sides } from './readSide';
import type { Chain } from './sideChains';

export interface ValueToCarry {
  readonly entry: ThetaEntry;
  /** How the value of the entry is reconstructed. */
  readonly chain: Chain | undefined;
  /** Text of the facts. */
  readonly facts: string;
  readonly sides: Sides;
  readonly request: Pick<MergeRequest, 'pool' | 'signal'>;
}

/**
 * Stores the value of an entry again as a full copy, with facts beside it. A side that has this very object keeps its entry; another one names
 * no commit, as merges by git-theta do.
 * @throws CheckpointError what reading the value throws; no-space, permission, cancelled
 */
export async function storeWithFacts(repository: OpenedRepository, { entry, chain, facts, sides, request }: ValueToCarry): Promise<ThetaEntry> {
  const { keys, name } = entry;
  if (chain instanceof CheckpointError) throw chain;
  if (chain === undefined) throw new CheckpointError('internal', 'This parameter group was not resolved.', { place: { group: name } });
  const stored = await request.pool.run(
    'store',
    {
      group: name,
      value: { kind: 'chain', chain },
      sha256: null,
      base: null,
      choice: 'dense',
      declared: null,
      maxLinks: 1,
      ownTypes: false,
      facts,
      values: null,
      objects: repository.lfs.folder,
    },
    { signal: request.signal, priority: 'background' },
  );
  const { dtype, shape, signature, oid, bytes, kind } = stored;
  const own = [sides.ours, sides.theirs, sides.base].flatMap(({ metadata }) => metadata.entries.get(name) ?? []);
  const same = own.find((one) => one.oid === oid && one.updateType === kind);
  return same ?? { keys, name, dtype, shape, signature, oid, bytes, updateType: kind, lastCommit: null };
}
