import { CheckpointError } from '../../../shared/contract/errors';
import type { ConflictIndex, UnmergedPath } from '../../git/native/conflictIndex';
import { looksLikeMetadata } from '../../theta/looksLikeMetadata';
import type { WorkerPool } from '../../workers/workerPool';
import type { OpenedRepository } from '../repositories/openedRepository';
import { type ConflictRecord, readConflictRecord } from './conflictRecord';
import { mergeMetadataFiles } from './mergeMetadataFiles';
import type { GroupConflict } from './mergeRequest';

/** Enough of a blob to tell whether it is a metadata file. */
const START_BYTES = 64 * 1024;

/** A tracked checkpoint that a merge left in conflict. */
export interface FileConflict {
  readonly path: string;
  readonly stages: UnmergedPath;
  /** Groups that still need a decision, in the order of the metadata. */
  readonly groups: readonly GroupConflict[];
  /** Metadata as far as it is merged; `null`: a side deleted the file, or is no metadata, and git's own means decide. */
  readonly merged: string | null;
  /** Why there is nothing to merge by group, a sentence. */
  readonly problem: string | null;
}

export interface ConflictSearch {
  readonly index: ConflictIndex;
  readonly pool: WorkerPool;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The tracked checkpoints in conflict, from the index. What is left to decide comes from the record of the merge; without one that belongs to the
 * three versions (git merged without our driver, the record was lost) it is found out anew.
 */
export async function listConflicts(repository: OpenedRepository, search: ConflictSearch): Promise<readonly FileConflict[]> {
  const unmerged = await search.index.unmerged(search.signal);
  const attributes = await repository.git.attributes(
    unmerged.map(({ path }) => path),
    ['merge', 'filter'],
  );
  const conflicts: FileConflict[] = [];
  for (const stages of unmerged) {
    const { merge, filter } = attributes.get(stages.path) ?? {};
    if (merge !== 'theta' && filter !== 'theta') continue;
    conflicts.push(await conflictOf(repository, stages, search));
  }
  return conflicts;
}

async function conflictOf(repository: OpenedRepository, stages: UnmergedPath, search: ConflictSearch): Promise<FileConflict> {
  const { path, ours, theirs } = stages;
  const whole = (problem: string): FileConflict => ({ path, stages, groups: [], merged: null, problem });
  if (ours === null || theirs === null) {
    return whole(
      `The file was deleted ${ours === null ? 'by us' : 'by them'} and changed on the other side: keep it with "git add", or delete it with "git rm".`,
    );
  }
  const record = await readConflictRecord(repository.git.place, path);
  if (record !== null && belongsTo(record, stages) && (await isThere(repository, record.merged))) {
    return { path, stages, groups: record.groups, merged: record.merged, problem: null };
  }
  for (const { oid } of [ours, theirs]) {
    if (looksLikeMetadata(await repository.git.blobStart(oid, START_BYTES), true)) continue;
    return whole('A side holds the checkpoint itself, not its metadata: take one side with "git checkout --ours" or "git checkout --theirs", then "git add".');
  }
  try {
    const { metadata, conflicts } = await mergeMetadataFiles(repository, {
      ...contents(stages),
      path,
      strategyFor: () => null,
      pool: search.pool,
      signal: search.signal,
    });
    return { path, stages, groups: conflicts, merged: await search.index.writeBlob(metadata), problem: null };
  } catch (error) {
    const failed = CheckpointError.from(error);
    if (failed.code === 'malformed' || failed.code === 'conflict' || failed.code === 'invalid-request') return whole(failed.message);
    throw failed;
  }
}

export function contents({ base, ours, theirs }: UnmergedPath) {
  return { base: base?.oid ?? null, ours: ours?.oid ?? null, theirs: theirs?.oid ?? null };
}

function belongsTo(record: ConflictRecord, stages: UnmergedPath): boolean {
  const { base, ours, theirs } = contents(stages);
  return record.base === base && record.ours === ours && record.theirs === theirs;
}

async function isThere(repository: OpenedRepository, blob: string): Promise<boolean> {
  return repository.git.blobSize(blob).then(
    () => true,
    () => false,
  );
}
