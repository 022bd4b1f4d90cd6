import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError, type ErrorData, isCheckpointError } from '../../../shared/contract/errors';
import type { CommitHash } from '../../../shared/model/commit';
import type { TensorPlan } from '../../updates/updateChain';
import type { WorkerPool } from '../../workers/workerPool';
import type { CheckpointCache } from '../checkpoints/checkpointCache';
import { isPlan } from '../checkpoints/openedCheckpoint';
import type { OpenedRepository } from '../repositories/openedRepository';
import { contentId } from '../results/contentId';
import { storedAs } from '../storedAs';

/** A group at a commit. */
export interface Cell {
  readonly commit: CommitHash;
  readonly group: string;
}

export interface CellContext {
  readonly repository: OpenedRepository;
  readonly checkpoints: Pick<CheckpointCache, 'open'>;
  readonly pool: WorkerPool;
  readonly path: string;
  readonly signal: AbortSignal;
}

/** A value that can be read, with what it is (`contentId`). */
export interface CellValue {
  readonly plan: TensorPlan;
  readonly id: string | null;
}

export type OpenedCell = CellValue | { readonly error: ErrorData };

export function isOpen(cell: OpenedCell): cell is CellValue {
  return 'plan' in cell;
}

/**
 * Where the values of cells come from, in their order. Of a version kept by git-theta only these groups are followed to their bases.
 * A cell that cannot be opened says why: `not-found` where the commit has no such file or group.
 */
export async function openCells(context: CellContext, cells: readonly Cell[]): Promise<readonly OpenedCell[]> {
  const byCommit = new Map<CommitHash, string[]>();
  for (const { commit, group } of cells) {
    const groups = byCommit.get(commit);
    if (groups === undefined) byCommit.set(commit, [group]);
    else groups.push(group);
  }
  const opened = new Map<CommitHash, ReadonlyMap<string, OpenedCell>>();
  for (const [commit, groups] of byCommit) {
    throwIfCancelled(context.signal);
    opened.set(commit, await openGroups(context, commit, groups));
  }
  return cells.map(({ commit, group }) => opened.get(commit)?.get(group) ?? { error: noGroup(context.path, { commit, group }) });
}

async function openGroups(context: CellContext, commit: CommitHash, groups: readonly string[]): Promise<ReadonlyMap<string, OpenedCell>> {
  const { path, signal } = context;
  try {
    return (await openThetaGroups(context, commit, groups)) ?? (await openAnyGroups(context, commit, groups));
  } catch (thrown) {
    if (signal.aborted || isCheckpointError(thrown, 'cancelled')) throw thrown;
    return new Map(groups.map((group) => [group, { error: CheckpointError.from(thrown).at({ commit, file: path, group }).toData() }]));
  }
}

/** `null` for a version that is kept otherwise. */
async function openThetaGroups(context: CellContext, commit: CommitHash, groups: readonly string[]): Promise<ReadonlyMap<string, OpenedCell> | null> {
  const { repository, path, signal } = context;
  const blob = await repository.metadata.blobAt(commit, path);
  if (blob === null) return null;
  const { storage } = await storedAs({ repository: repository.git, storedAs: repository.storedAs }, blob);
  if (storage !== 'theta') return null;
  const { entries, broken } = await repository.metadata.parsed(blob, path);
  const wanted = [...new Set(groups)].flatMap((group) => entries.get(group) ?? []);
  const chains = await repository.chains.resolve({ commit, path, blob }, wanted, signal);
  const opened = new Map<string, OpenedCell>();
  for (const { name, error } of broken) opened.set(name, { error: CheckpointError.fromData(error).at({ commit }).toData() });
  for (const [group, chain] of chains) {
    const place = { commit, file: path, group };
    if (chain instanceof CheckpointError) opened.set(group, { error: chain.at(place).toData() });
    else {
      const plan = { kind: 'chain', chain } as const;
      opened.set(group, { plan, id: contentId({ plan, original: null }) });
    }
  }
  return opened;
}

async function openAnyGroups({ repository, checkpoints, path, signal }: CellContext, commit: CommitHash, groups: readonly string[]) {
  const checkpoint = await checkpoints.open(repository, { commit, path }, signal);
  const opened = new Map<string, OpenedCell>();
  for (const name of groups) {
    const group = checkpoint.groups.get(name);
    if (group === undefined) continue;
    opened.set(name, isPlan(group.plan) ? { plan: group.plan, id: contentId(group) } : { error: CheckpointError.fromData(group.plan).at({ commit }).toData() });
  }
  return opened;
}

function noGroup(file: string, place: Cell): ErrorData {
  return new CheckpointError('not-found', `${file} has no parameter group of this name in this version.`, { place: { file, ...place } }).toData();
}
