import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { ThetaEntry } from '../../theta/metadata';
import type { MetadataPlace } from '../../theta/resolvedEntry';
import { readObjectNotes } from '../../updates/store/readObjectNotes';
import type { UpdateChain } from '../../updates/updateChain';
import { mapLimited } from '../mapLimited';
import type { OpenedRepository } from '../repositories/openedRepository';
import type { NeededObject } from './remoteContext';

const CONCURRENT_READS = 16;

export interface GroupsToFetch {
  readonly place: MetadataPlace;
  readonly entries: readonly ThetaEntry[];
  /** Gets objects that are missing; those that cannot be had stay missing. */
  readonly get: (objects: readonly NeededObject[]) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

export interface ChainObjects {
  readonly objects: readonly NeededObject[];
  /** Groups whose chain cannot be followed, and why. */
  readonly unresolved: readonly CheckpointError[];
}

/**
 * All objects that parameter groups are made of, whole chains. Where the commit of a base is gone, the objects themselves say what they build on, so
 * that each has to be had (`get`) to learn of the one below.
 */
export async function chainObjects(repository: OpenedRepository, groups: GroupsToFetch): Promise<ChainObjects> {
  const { place, entries, signal } = groups;
  let chains = await repository.chains.resolve(place, entries, signal);
  const lost = entries.filter(({ name }) => chains.get(name) instanceof CheckpointError);
  if (lost.length > 0) {
    await followNotes(repository, groups, lost);
    chains = new Map([...chains, ...(await repository.chains.resolve(place, lost, signal))]);
  }
  const objects: NeededObject[] = [];
  const unresolved: CheckpointError[] = [];
  for (const { name } of entries) {
    const chain: UpdateChain | CheckpointError | undefined = chains.get(name);
    if (chain === undefined) continue;
    if (chain instanceof CheckpointError) unresolved.push(chain);
    else objects.push(...chain.steps.map(({ object }) => neededAt(place, name, object)));
  }
  return { objects, unresolved };
}

/** Goes down all chains side by side, one object of each at a time. */
async function followNotes(repository: OpenedRepository, { place, get, signal }: GroupsToFetch, lost: readonly ThetaEntry[]): Promise<void> {
  const seen = new Set<string>();
  let level = lost.map((entry) => neededAt(place, entry.name, entry));
  while (level.length > 0) {
    throwIfCancelled(signal);
    await get(level);
    const notes = await mapLimited(level, (object) => baseOf(repository, object), { limit: CONCURRENT_READS });
    const below = notes.filter((note) => note !== null && !seen.has(note.oid));
    for (const note of below) if (note !== null) seen.add(note.oid);
    level = below.filter((note) => note !== null);
  }
}

/** The incremental or dense object that another builds on; `null` when it does not say, or is not here. */
async function baseOf(repository: OpenedRepository, object: NeededObject): Promise<NeededObject | null> {
  const { oid, bytes } = object;
  const notes = await readObjectNotes({ oid, bytes, path: repository.lfs.pathOf(oid) }).catch(() => null);
  return notes?.base == null ? null : { ...object, oid: notes.base.oid, bytes: notes.base.size };
}

function neededAt({ commit, path }: MetadataPlace, group: string, { oid, bytes }: { readonly oid: string; readonly bytes: number }): NeededObject {
  return { oid, bytes, group, path, commit };
}
