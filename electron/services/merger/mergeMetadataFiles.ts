import { CheckpointError } from '../../../shared/contract/errors';
import { headCommit } from '../../../shared/model/commit';
import { formatMetadata } from '../../theta/formatMetadata';
import { type GroupVersions, groupVersions, type MergedGroup, mergeGroup } from '../../theta/mergeMetadata';
import type { ThetaEntry } from '../../theta/metadata';
import type { OpenedRepository } from '../repositories/openedRepository';
import { averageGroups } from './averageGroups';
import { equalValues, pairsToCompare } from './equalValues';
import { establishFacts } from './establishFacts';
import { mergedCommits } from './mergedCommits';
import type { GroupConflict, MergedFiles, MergeRequest, SettledGroups } from './mergeRequest';
import { type MergeSide, readSide, type Sides } from './readSide';
import { type Chain, sideChains } from './sideChains';

/**
 * Merges three versions of a metadata file group by group. What only one side changed is taken from it; what both changed is decided by the
 * strategy, or stays a conflict. Values are read only where two entries may stand for one value, and for averages. What the file says beside its
 * groups is merged once every group is decided.
 * @throws CheckpointError malformed, conflict (text markers), invalid-request (names that exclude each other), cancelled, no-space, permission
 */
export async function mergeMetadataFiles(repository: OpenedRepository, request: MergeRequest): Promise<MergedFiles> {
  const sides = await readSides(repository, request);
  const groups = groupVersions(sides.base.metadata.entries, sides.ours.metadata.entries, sides.theirs.metadata.entries);
  const undecided = groups.filter((group) => !isSettled(request.settled, group.name) && mergeGroup(group).outcome === 'conflict');
  const chainOf = await chainsFor(repository, { request, sides, undecided });
  const sameValue = await equalValues(repository, { groups: undecided, chainOf, pool: request.pool, signal: request.signal });
  // git, too, leaves strategies out where it makes a base.
  const strategyFor = request.virtual === true ? () => null : request.strategyFor;
  const merged = groups.map((group) => settledGroup(group, request.settled) ?? mergeGroup(group, { sameValue, strategyFor }));

  const averages = merged.filter((group) => group.outcome === 'average');
  const means = await averageGroups(repository, { ...request, groups: averages, chainOf });
  const collected = collect(merged, { means, virtual: request.virtual === true });
  const { carrier, notes } = isDecided(collected, request) ? await establishFacts(repository, { entries: collected.entries, sides, request }) : NO_FACTS;
  const entries = collected.entries.map((entry) => (entry.name === carrier?.name ? carrier : entry));
  const { base, ours, theirs } = sides;
  return {
    metadata: isOurs(entries, ours) ? ours.bytes : new TextEncoder().encode(formatMetadata(entries)),
    conflicts: collected.conflicts,
    fromTheirs: collected.fromTheirs,
    averaged: collected.averaged,
    blobs: { base: base.blob, ours: ours.blob, theirs: theirs.blob },
    notes: [...collected.notes, ...notes],
  };
}

async function readSides(repository: OpenedRepository, request: MergeRequest): Promise<Sides> {
  const { path } = request;
  const digits = headCommit(await repository.git.head())?.length ?? 40;
  const read = (called: string, content: MergeRequest['base']) => readSide(repository, { path, called, content, digits });
  return {
    base: await read('the common base', request.base),
    ours: await read('our version', request.ours),
    theirs: await read('their version', request.theirs),
  };
}

interface ChainQuestion {
  readonly request: MergeRequest;
  readonly sides: Sides;
  readonly undecided: readonly GroupVersions[];
}

/** Chains of the entries whose values may be needed. */
async function chainsFor(repository: OpenedRepository, { request, sides, undecided }: ChainQuestion) {
  const needed = new Set(pairsToCompare(undecided).flat());
  if (request.virtual !== true) {
    for (const { name, ours, theirs } of undecided) {
      if (request.strategyFor(name) === 'average') for (const entry of [ours, theirs]) if (entry !== null) needed.add(entry);
    }
  }
  const commits = needed.size === 0 ? [] : await mergedCommits(repository.git, process.env);
  const chains = new Map<ThetaEntry, Chain>();
  for (const side of [sides.base, sides.ours, sides.theirs]) {
    const entries = [...side.metadata.entries.values()].filter((entry) => needed.has(entry));
    const found = await sideChains(repository, { side, path: request.path, commits, signal: request.signal }, entries);
    for (const entry of entries) {
      const chain = found.get(entry.name);
      if (chain !== undefined) chains.set(entry, chain);
    }
  }
  return (entry: ThetaEntry) => chains.get(entry);
}

function isSettled(settled: SettledGroups | null | undefined, name: string): boolean {
  return settled != null && !settled.open.has(name);
}

function settledGroup(group: GroupVersions, settled: SettledGroups | null | undefined): MergedGroup | null {
  if (settled == null || settled.open.has(group.name)) return null;
  return { ...group, outcome: 'taken', entry: settled.entries.get(group.name) ?? null };
}

/** The entry that stands in the result while nothing better is known. */
function heldEntry(group: MergedGroup, virtual: boolean): ThetaEntry | null {
  if (group.outcome === 'taken') return group.entry;
  return virtual ? group.base : group.ours;
}

/** A base of bases is only compared with; and which group carries what the file says is not known before all are decided. */
function isDecided({ conflicts }: Collected, { virtual }: MergeRequest): boolean {
  return conflicts.length === 0 && virtual !== true;
}

const NO_FACTS = { carrier: null, notes: [] };

interface Collecting {
  readonly means: ReadonlyMap<string, ThetaEntry | CheckpointError>;
  readonly virtual: boolean;
}

interface Collected extends Pick<MergedFiles, 'averaged' | 'conflicts' | 'fromTheirs' | 'notes'> {
  readonly entries: readonly ThetaEntry[];
}

function collect(merged: readonly MergedGroup[], { means, virtual }: Collecting): Collected {
  const entries: ThetaEntry[] = [];
  const conflicts: GroupConflict[] = [];
  const averaged: string[] = [];
  const notes: string[] = [];
  for (const group of merged) {
    const mean = means.get(group.name);
    const isMean = mean !== undefined && !(mean instanceof CheckpointError);
    const entry = isMean ? mean : heldEntry(group, virtual);
    if (entry !== null) entries.push(entry);
    if (isMean) averaged.push(group.name);
    else if (group.outcome === 'average') conflicts.push({ name: group.name, kind: group.base === null ? 'both-added' : 'both-changed' });
    else if (group.outcome === 'conflict') conflicts.push({ name: group.name, kind: group.kind });
    if (mean instanceof CheckpointError) notes.push(`${group.name} cannot be averaged: ${mean.message}`);
  }
  const fromTheirs = merged.filter((group) => group.outcome === 'taken' && group.entry !== group.ours && group.entry === group.theirs);
  return { entries, conflicts, fromTheirs: fromTheirs.map(({ name }) => name), averaged, notes };
}

/** Then the file stays as it is, whoever wrote it. */
function isOurs(entries: readonly ThetaEntry[], { blob, metadata }: MergeSide): boolean {
  return blob !== null && entries.length === metadata.entries.size && entries.every((entry) => metadata.entries.get(entry.name) === entry);
}
