import { CheckpointError, type ErrorData } from '../../../shared/contract/errors';
import { headCommit } from '../../../shared/model/commit';
import type { DType } from '../../../shared/model/dtype';
import type { Shape } from '../../../shared/model/shape';
import type { ThetaEntry } from '../../theta/metadata';
import type { TensorPlan } from '../../updates/updateChain';
import { findPlace } from '../merger/findPlace';
import type { OpenedRepository } from '../repositories/openedRepository';
import type { DiffSide } from './diffSide';

/** A parameter group of one side. */
export interface SideGroup {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: Shape;
  readonly updateType: string | null;
  /** `null` for a group of a plain file. */
  readonly entry: ThetaEntry | null;
}

export type SidePlans = ReadonlyMap<string, TensorPlan | ErrorData>;

/** The groups of a side, by name. */
export function sideGroups(side: DiffSide): ReadonlyMap<string, SideGroup> {
  switch (side.kind) {
    case 'absent':
      return new Map();
    case 'metadata':
      return new Map([...side.metadata.entries.values()].map((entry) => [entry.name, { ...pick(entry), updateType: entry.updateType, entry }]));
    case 'checkpoint':
      return new Map([...side.opened.groups.values()].map(({ group }) => [group.name, { ...pick(group), updateType: null, entry: null }]));
  }
}

function pick({ name, dtype, shape }: SideGroup | ThetaEntry | { name: string; dtype: DType; shape: Shape }) {
  return { name, dtype, shape };
}

/** What of a side could not be understood, each a sentence. */
export function sideNotes(side: DiffSide): readonly string[] {
  if (side.kind !== 'metadata') return [];
  return side.metadata.broken.map(({ name, error }) => `${name}: ${error.message}`);
}

/** Where the values of some groups of a side come from. */
export async function sidePlans(repository: OpenedRepository | null, side: DiffSide, names: readonly string[], signal?: AbortSignal): Promise<SidePlans> {
  if (side.kind === 'absent' || names.length === 0) return new Map();
  if (side.kind === 'checkpoint') return new Map(names.flatMap((name) => [[name, side.opened.groups.get(name)?.plan ?? missing(name)] as const]));
  const entries = names.flatMap((name) => side.metadata.entries.get(name) ?? []);
  const { path, blob, metadata } = side;
  if (repository === null) return new Map(names.map((name) => [name, outside(name)]));
  const head = headCommit(await repository.git.head());
  const place = await findPlace(repository, { side: { blob, metadata }, path, commits: head === null ? [] : [head], signal });
  if (place === null) return new Map(names.map((name) => [name, outside(name)]));
  const chains = await repository.chains.resolve(place, entries, signal);
  return new Map(
    names.map((name) => {
      const chain = chains.get(name);
      return [name, chain === undefined ? missing(name) : chain instanceof CheckpointError ? chain.toData() : { kind: 'chain', chain }];
    }),
  );
}

function missing(group: string): ErrorData {
  return { code: 'internal', message: 'This parameter group was not resolved.', place: { group } };
}

function outside(group: string): ErrorData {
  return { code: 'not-found', message: 'The objects of this metadata file are in no repository here.', place: { group } };
}
