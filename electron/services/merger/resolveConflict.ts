import { CheckpointError } from '../../../shared/contract/errors';
import type { MergeStrategy } from '../../theta/mergeMetadata';
import type { OpenedRepository } from '../repositories/openedRepository';
import { removeConflictRecord, writeConflictRecord } from './conflictRecord';
import { type ConflictSearch, contents, type FileConflict } from './conflicts';
import { mergeMetadataFiles } from './mergeMetadataFiles';
import type { GroupConflict, MergeRequest } from './mergeRequest';

export interface Decision extends ConflictSearch, Pick<MergeRequest, 'onProgress'> {
  /** What to do with an open group; `null` leaves it open. */
  readonly strategyFor: (name: string) => MergeStrategy | null;
  /** What to do where both sides changed what the file says beside its groups, once these are decided; `null`: ours, with a note. */
  readonly factsStrategy: MergeStrategy | null;
}

export interface Resolution {
  /** Names of the groups that were decided now. */
  readonly resolved: readonly string[];
  /** Groups that still need a decision. */
  readonly left: readonly GroupConflict[];
  /** Why groups could not be decided as asked, and what of the file beside its groups could not be kept; each a sentence. */
  readonly notes: readonly string[];
}

/**
 * Decides open groups of a file in conflict. Once none is left the merged metadata is staged and the file of the work tree is written anew;
 * until then what was decided is kept in the record, and index and work tree stay as they are.
 * @throws CheckpointError what reading the versions or changing the repository throws; nothing is staged then
 */
export async function resolveConflict(repository: OpenedRepository, conflict: FileConflict, decision: Decision): Promise<Resolution> {
  const { path, stages, groups, merged } = conflict;
  const { index, pool, signal, onProgress, strategyFor, factsStrategy } = decision;
  const { ours, theirs } = stages;
  if (merged === null || ours === null || theirs === null) {
    throw new CheckpointError('conflict', conflict.problem ?? `${path} cannot be merged by parameter group.`, { place: { file: path } });
  }
  const open = new Set(groups.map(({ name }) => name));
  const settled = { entries: (await repository.metadata.parsed(merged, path)).entries, open };
  const result = await mergeMetadataFiles(repository, { ...contents(stages), path, strategyFor, factsStrategy, settled, pool, signal, onProgress });
  const left = result.conflicts;
  const resolved = groups.map(({ name }) => name).filter((name) => !left.some((one) => one.name === name));
  const blob = await index.writeBlob(result.metadata);
  if (left.length > 0) {
    if (resolved.length > 0) await writeConflictRecord(repository.git.place, { path, ...contents(stages), merged: blob, groups: [...left] });
    return { resolved, left, notes: result.notes };
  }
  await index.settle(path, { oid: blob, mode: ours.mode }, signal);
  await removeConflictRecord(repository.git.place, path);
  await index.checkOut(path, signal).catch((error: unknown) => {
    const { code, message, detail } = CheckpointError.from(error);
    throw new CheckpointError(code, `The merge of ${path} is staged, but its file could not be written: ${message}`, {
      place: { file: path },
      hint: 'Write it with "git checkout -- PATH" when the cause is gone. "theta install" sets the filter up that this needs.',
      ...(detail === undefined ? {} : { detail }),
    });
  });
  return { resolved, left, notes: result.notes };
}
