import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { headCommit } from '../../../shared/model/commit';
import { decodeExactly, editAttributesFile } from '../../git/attributes/attributesFile';
import { untrackPattern } from '../../git/attributes/editAttributes';
import { explainFilter } from '../../git/attributes/explainFilter';
import { overlapWithLfs } from '../../git/attributes/overlapWithLfs';
import { patternMatcher } from '../../git/attributes/patternMatcher';
import { samplePath } from '../../git/attributes/samplePath';
import type { GitWriter, StatusEntry } from '../../git/gitWriter';
import type { OpenedRepository } from '../repositories/openedRepository';
import { keepFile } from './keepFile';
import { keptByLfs, lookAfterwards } from './keptByLfs';
import { type AttributesChange, inTurn, type MatchedFiles, pathsOf, planTracking } from './planTracking';
import { stagingFolder } from './stagingFolder';
import type { Undo } from './undo';
import { withUndo } from './withUndo';

export interface PatternsToTrack {
  readonly repository: OpenedRepository;
  readonly writer: GitWriter;
  /** As in `.gitattributes` at the root; a pattern without a slash is for files of that name in all folders. */
  readonly patterns: readonly string[];
  /** Folder of the attributes file: '' for the root, else ending in `/`. */
  readonly folder: string;
  readonly convertLfs: boolean;
  /** Files that are meant, and that alone go over from Git LFS; default: all that the patterns are for. */
  readonly only?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export interface TrackedPatterns {
  /** Attributes files that were changed, and staged; paths in the repository. */
  readonly changed: readonly string[];
  readonly notes: readonly string[];
  /** Files that Git LFS keeps as before, and what says so; sentences. */
  readonly left: readonly string[];
}

/**
 * Has git keep the files of patterns as checkpoints from their next add on, in the attributes file of a folder, which is staged. Lines that give
 * such files to Git LFS, there and in folders below, are converted. After a failure the files are as they were.
 * @throws conflict when Git LFS keeps some of these files and they are not to go over; unsupported-repository; what writing throws
 */
export async function trackPatterns(request: PatternsToTrack): Promise<TrackedPatterns> {
  return withUndo((undo) => trackAsPart(request, undo));
}

/** The same as a part of more, which may fail later: then the files are put back, and the index is left to the caller. */
export async function trackAsPart(request: PatternsToTrack, undo: Undo): Promise<TrackedPatterns> {
  const { repository, writer, folder, convertLfs, only, signal } = request;
  const status = await writer.status(signal);
  const all = await filesOfPatterns(request, status);
  const patterns = only === undefined ? all : all.map(({ pattern }) => ({ pattern, files: only.filter(patternMatcher(pattern, folder)), sample: null }));
  const before = await overlapWithLfs(repository.git, (convertLfs ? patterns : all).flatMap(pathsOf));
  const refused = convertLfs ? undefined : all.find((item) => pathsOf(item).some((path) => before.has(path)));
  if (refused !== undefined) throw keptByLfs(repository, refused, before);
  const plan = await planTracking(repository.git, patterns, { folder, convertLfs });
  const changed: string[] = [];
  for (const [path, change] of plan) {
    if ((await editAttributes(request, { path, change, undo })) || !(await isStaged(request, path, change))) changed.push(path);
  }
  const result = await lookAfterwards(repository, patterns, before);
  if (convertLfs) changed.push(...(await notStaged(request, { patterns, status })).filter((path) => !changed.includes(path)));
  if (changed.length > 0) await writer.stagePlain(changed, signal);
  return { changed, ...result };
}

/** Takes patterns out again. @returns the attributes files that were changed, and staged */
export async function untrackPatterns(request: Omit<PatternsToTrack, 'convertLfs' | 'only'>): Promise<readonly string[]> {
  const { writer, patterns, folder, signal } = request;
  const path = `${folder}.gitattributes`;
  const change = (text: string) =>
    inTurn(
      text,
      patterns.map((pattern) => (before) => untrackPattern(before, pattern, { folder })),
    );
  return withUndo(async (undo) => {
    const changed = await editAttributes(request, { path, change, undo });
    if (!changed && (await isStaged(request, path, change))) return [];
    await writer.stagePlain([path], signal);
    return [path];
  });
}

/** A command that was killed may have written the file and not staged it. */
async function isStaged({ repository, writer }: Pick<PatternsToTrack, 'repository' | 'writer'>, path: string, change: AttributesChange): Promise<boolean> {
  const oid = (await writer.indexEntries(path)).get(0);
  const text = oid === undefined ? '' : decodeExactly(Buffer.from(await repository.git.blob(oid)));
  return !change(text).changed;
}

async function editAttributes(
  { repository }: Pick<PatternsToTrack, 'repository'>,
  { path, change, undo }: { readonly path: string; readonly change: AttributesChange; readonly undo: Undo },
): Promise<boolean> {
  const { place } = repository.git;
  const file = join(workTreeOf(repository), path);
  const before = await keepFile(file, { place, undo });
  const changed = await editAttributesFile(file, change, await stagingFolder(place, file));
  if (changed) await before.replaced();
  return changed;
}

/** Files of HEAD and of the work tree that each pattern is for. */
async function filesOfPatterns(
  { repository: { git }, patterns, folder, signal }: PatternsToTrack,
  status: readonly StatusEntry[],
): Promise<readonly MatchedFiles[]> {
  const head = headCommit(await git.head());
  const committed = head === null ? [] : (await git.files(head, signal)).map(({ path }) => path);
  const known = [...new Set([...committed, ...status.map(({ path }) => path)])];
  return patterns.map((pattern) => {
    const matches = patternMatcher(pattern, folder);
    const sample = samplePath(pattern);
    return { pattern, files: known.filter(matches), sample: sample === null ? null : `${pattern.includes('/') ? '' : folder}${sample}` };
  });
}

/** A command that was killed may have converted lines of other attributes files too, and not staged them. */
async function notStaged(
  { repository }: PatternsToTrack,
  { patterns, status }: { readonly patterns: readonly MatchedFiles[]; readonly status: readonly StatusEntry[] },
): Promise<readonly string[]> {
  const decisions = await explainFilter(
    repository.git,
    patterns.flatMap(({ files }) => files),
  );
  const deciding = new Set([...decisions.values()].map(({ file }) => file));
  return status.filter(({ path, work }) => work !== 'unchanged' && work !== 'deleted' && deciding.has(path)).map(({ path }) => path);
}

export function workTreeOf({ git }: Pick<OpenedRepository, 'git'>): string {
  if (git.place.workTree !== null) return git.place.workTree;
  throw new CheckpointError('unsupported-repository', 'A bare repository has no files that could be tracked.');
}
