import { CheckpointError } from '../../../shared/contract/errors';
import type { ThetaEntry } from '../../theta/metadata';
import type { UpdateChain } from '../../updates/updateChain';
import type { OpenedRepository } from '../repositories/openedRepository';
import { findPlace, type PlaceSearch } from './findPlace';

export type Chain = UpdateChain | CheckpointError;
export type Chains = ReadonlyMap<string, Chain>;

/** Chains of some entries of one version. What has none carries the reason. */
export async function sideChains(repository: OpenedRepository, search: PlaceSearch, entries: readonly ThetaEntry[]): Promise<Chains> {
  if (entries.length === 0) return new Map();
  const place = await findPlace(repository, search);
  if (place !== null) return repository.chains.resolve(place, entries, search.signal);
  const error = new CheckpointError('not-found', 'The repository has no commit yet, so the base of this update cannot be found.');
  return new Map(entries.map((entry) => [entry.name, error.at({ group: entry.name, file: search.path })]));
}
