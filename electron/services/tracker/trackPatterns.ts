import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { headCommit } from '../../../shared/model/commit';
import { decodeExactly, editAttributesFile } from '../../git/attributes/attributesFile';
import type { AttributesEdit } from '../../git/attributes/attributesText';
import { trackPattern, untrackPattern } from '../../git/attributes/editAttributes';
import { type LfsOverlap, overlapWithLfs } from '../../git/attributes/overlapWithLfs';
import { samplePath } from '../../git/attributes/samplePath';
import { compileWildPattern } from '../../git/attributes/wildmatch';
import type { GitWriter } from '../../git/gitWriter';
import type { OpenedRepository } from '../repositories/openedRepository';
import { keepFile } from './keepFile';
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
  readonly signal?: AbortSignal | undefined;
}

export interface TrackedPatterns {
  /** Attributes files that were changed, and staged; paths in the repository. */
  readonly changed: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Has git keep the files of patterns as checkpoints from their next add on, in the attributes file of a folder, which is staged. After a failure
 * the file is as it was.
 * @throws conflict when Git LFS keeps some of these files and they are not to go over; unsupported-repository; what writing throws
 */
export async function trackPatterns(request: PatternsToTrack): Promise<TrackedPatterns> {
  return withUndo((undo) => trackAsPart(request, undo));
}

/** The same as a part of more, which may fail later: then the file is put back, and the index is left to the caller. */
export async function trackAsPart(request: PatternsToTrack, undo: Undo): Promise<TrackedPatterns> {
  const { writer, patterns, folder, signal } = request;
  const path = `${folder}.gitattributes`;
  const notes: string[] = [];
  const kept: string[] = [];
  for (const pattern of patterns) {
    const overlap = await lfsOverlap(request, pattern);
    if (overlap.size > 0 && !request.convertLfs) throw keptByLfs(pattern, overlap);
    if (overlap.size > 0) kept.push(pattern);
  }
  const change = (text: string) => edits(text, (before, pattern) => trackPattern(before, pattern, { folder }), patterns);
  const changed = await editAttributes(request, { path, change, undo });
  if (!changed && (await isStaged(request, path, change))) return { changed: [], notes };
  notes.push(...kept.map((pattern) => `${pattern} was kept by Git LFS until now; versions from the next add on are kept group by group.`));
  await writer.stagePlain([path], signal);
  return { changed: [path], notes };
}

/** Takes patterns out again. @returns the attributes files that were changed, and staged */
export async function untrackPatterns(request: Omit<PatternsToTrack, 'convertLfs'>): Promise<readonly string[]> {
  const { writer, patterns, folder, signal } = request;
  const path = `${folder}.gitattributes`;
  const change = (text: string) => edits(text, (before, pattern) => untrackPattern(before, pattern, { folder }), patterns);
  return withUndo(async (undo) => {
    const changed = await editAttributes(request, { path, change, undo });
    if (!changed && (await isStaged(request, path, change))) return [];
    await writer.stagePlain([path], signal);
    return [path];
  });
}

type Change = (text: string) => AttributesEdit;

function edits(text: string, edit: (text: string, pattern: string) => AttributesEdit, patterns: readonly string[]): AttributesEdit {
  let result: AttributesEdit = { text, changed: false };
  for (const pattern of patterns) {
    const next = edit(result.text, pattern);
    result = { text: next.text, changed: result.changed || next.changed };
  }
  return result;
}

/** A command that was killed may have written the file and not staged it. */
async function isStaged({ repository, writer }: Pick<PatternsToTrack, 'repository' | 'writer'>, path: string, change: Change): Promise<boolean> {
  const oid = (await writer.indexEntries(path)).get(0);
  const text = oid === undefined ? '' : decodeExactly(Buffer.from(await repository.git.blob(oid)));
  return !change(text).changed;
}

async function editAttributes(
  { repository }: Pick<PatternsToTrack, 'repository'>,
  { path, change, undo }: { readonly path: string; readonly change: Change; readonly undo: Undo },
): Promise<boolean> {
  const { place } = repository.git;
  const file = join(workTreeOf(repository), path);
  const before = await keepFile(file, { place, undo });
  const changed = await editAttributesFile(file, change, await stagingFolder(place, file));
  if (changed) await before.replaced();
  return changed;
}

/** Files of HEAD and of the work tree that the pattern is for and Git LFS keeps. */
async function lfsOverlap({ repository, writer, folder, signal }: PatternsToTrack, pattern: string): Promise<ReadonlyMap<string, LfsOverlap>> {
  const { git } = repository;
  const head = headCommit(await git.head());
  const committed = head === null ? [] : (await git.files(head, signal)).map(({ path }) => path);
  const local = (await writer.status(signal)).map(({ path }) => path);
  const glob = compileWildPattern(pattern.replace(/^\//, ''));
  const matches = (path: string) => {
    if (!path.startsWith(folder)) return false;
    return glob?.matches(pattern.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1)) === true;
  };
  const sample = samplePath(pattern);
  const paths = new Set([...committed, ...local].filter(matches));
  if (sample !== null) paths.add(`${pattern.includes('/') ? '' : folder}${sample}`);
  return overlapWithLfs(git, [...paths]);
}

function keptByLfs(pattern: string, overlap: ReadonlyMap<string, LfsOverlap>): CheckpointError {
  const [[path, { file, line }] = ['', { file: null, line: null }]] = [...overlap];
  const where = file === null ? 'the attributes' : line === null ? file : `line ${line} of ${file}`;
  return new CheckpointError('conflict', `Git LFS keeps files of “${pattern}”, by ${where}.`, {
    place: { file: path },
    hint: 'To have them go over from their next version on: theta track --convert-lfs. Versions that Git LFS keeps stay there.',
  });
}

export function workTreeOf({ git }: Pick<OpenedRepository, 'git'>): string {
  if (git.place.workTree !== null) return git.place.workTree;
  throw new CheckpointError('unsupported-repository', 'A bare repository has no files that could be tracked.');
}
