import { readFile, writeFile } from 'node:fs/promises';
import { CheckpointError } from '../../shared/contract/errors';
import { fileError } from '../bytes/fileError';
import { openConflictIndex } from '../git/native/conflictIndex';
import { removeConflictRecord, writeConflictRecord } from '../services/merger/conflictRecord';
import { mergeMetadataFiles } from '../services/merger/mergeMetadataFiles';
import type { MergedFiles } from '../services/merger/mergeRequest';
import type { OpenedRepository } from '../services/repositories/openedRepository';
import { MERGE_STRATEGIES, type MergeStrategy } from '../theta/mergeMetadata';
import { describeConflicts } from './describeConflicts';
import { driverRepository } from './driverRepository';
import { formatError } from './formatError';
import type { Session } from './session';
import { terminalText } from './terminalText';

/** What git puts in place of `%O %A %B %P %L`. */
export interface MergeDriverFiles {
  readonly base: string;
  /** Holds our version, and afterwards the result. */
  readonly ours: string;
  readonly theirs: string;
  /** Path in the repository. */
  readonly path: string;
  /** Length of conflict markers: git lengthens it by two for every level of bases of bases. */
  readonly markerSize: string | undefined;
}

const MARKER_SIZE = 7;

/**
 * `theta merge-driver`: merges metadata files for git (gitattributes(5), "Defining a custom merge driver"). Conflicted groups stay as in ours and
 * are recorded for `theta merge`; the file never gets text markers.
 * @returns 0 when everything is merged, 1 for a conflict, also when there is an error: then our version stays as it was
 */
export async function mergeDriver(session: Session, files: MergeDriverFiles): Promise<number> {
  try {
    const repository = await driverRepository(session, process.env);
    if (repository === null) throw new CheckpointError('not-found', 'A merge driver is run by git, in a repository.');
    return await merge(session, repository, files);
  } catch (error) {
    const failed = CheckpointError.from(error);
    if (failed.code === 'cancelled') throw failed;
    session.terminal.err(formatError(failed.at({ file: files.path })));
    return 1;
  }
}

async function merge(session: Session, repository: OpenedRepository, files: MergeDriverFiles): Promise<number> {
  const { path } = files;
  const [base, ours, theirs] = await Promise.all([files.base, files.ours, files.theirs].map((name) => read(session.path(name))));
  const virtual = await isVirtual(repository, files);
  const strategy = virtual ? null : await configuredStrategy(repository);
  const merged = await mergeMetadataFiles(repository, {
    path,
    base: base ?? null,
    ours: ours ?? null,
    theirs: theirs ?? null,
    strategyFor: () => strategy,
    factsStrategy: strategy,
    virtual,
    pool: session.pool,
    signal: session.signal,
  });
  const result = session.path(files.ours);
  await writeFile(result, merged.metadata).catch((error: unknown) => {
    throw fileError(error, result);
  });
  if (virtual) return merged.conflicts.length > 0 ? 1 : 0;
  if (merged.conflicts.length === 0) {
    await removeConflictRecord(repository.git.place, path);
    for (const note of merged.notes) session.terminal.err(`${terminalText(path)}: ${terminalText(note)}\n`);
    return 0;
  }
  await record(session, repository, { path, merged, contents: [base, ours, theirs] });
  session.terminal.err(describeConflicts(path, merged.conflicts));
  for (const note of merged.notes) session.terminal.err(`  ${terminalText(note)}\n`);
  session.terminal.err('  Resolve them with "theta merge".\n');
  return 1;
}

async function read(path: string): Promise<Uint8Array> {
  return readFile(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
}

/** Whether git makes a base here, of two histories that were merged crosswise before: then the markers are longer than usual. */
async function isVirtual(repository: OpenedRepository, { path, markerSize }: MergeDriverFiles): Promise<boolean> {
  const size = Number(markerSize ?? MARKER_SIZE);
  if (!Number.isSafeInteger(size) || size <= MARKER_SIZE) return false;
  const attributes = await repository.git.attributes([path], ['conflict-marker-size']);
  const usual = Number(attributes.get(path)?.['conflict-marker-size'] ?? MARKER_SIZE);
  return size > (Number.isSafeInteger(usual) && usual > 0 ? usual : MARKER_SIZE);
}

/** The setting `theta.merge`. @throws invalid-request for a value that is no strategy */
async function configuredStrategy(repository: OpenedRepository): Promise<MergeStrategy | null> {
  const value = await repository.git.config('theta.merge');
  if (value === null || value === '') return null;
  const strategy = MERGE_STRATEGIES.find((known) => known === value.toLowerCase());
  if (strategy !== undefined) return strategy;
  throw new CheckpointError('invalid-request', `The setting theta.merge is ${JSON.stringify(value)}, which is no way to merge.`, {
    hint: `It may be ${MERGE_STRATEGIES.join(', ')}; "git config --unset theta.merge" leaves the groups that both sides changed to you.`,
  });
}

interface ToRecord {
  readonly path: string;
  readonly merged: MergedFiles;
  /** Base, ours, theirs. */
  readonly contents: readonly (Uint8Array | undefined)[];
}

/** What cannot be recorded can be found out again from the index, so a merge does not fail for it. */
async function record(session: Session, repository: OpenedRepository, { path, merged, contents }: ToRecord): Promise<void> {
  try {
    const { git } = repository;
    const { blobs } = merged;
    const index = await openConflictIndex(git, null);
    // Only versions of this merge that git does not have yet: it writes the base of bases itself.
    for (const [at, oid] of [blobs.base, blobs.ours, blobs.theirs].entries()) {
      const content = contents[at];
      if (oid !== null && content !== undefined && !(await hasBlob(repository, oid))) await index.writeBlob(content);
    }
    await writeConflictRecord(git.place, { path, ...blobs, merged: await index.writeBlob(merged.metadata), groups: [...merged.conflicts] });
  } catch (error) {
    const failed = CheckpointError.from(error);
    if (failed.code === 'cancelled') throw failed;
    session.terminal.err(formatError(failed));
  }
}

async function hasBlob({ git }: OpenedRepository, oid: string): Promise<boolean> {
  return git.blobSize(oid).then(
    () => true,
    () => false,
  );
}
