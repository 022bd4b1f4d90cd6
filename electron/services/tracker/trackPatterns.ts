import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { headCommit } from '../../../shared/model/commit';
import { editAttributesFile } from '../../git/attributes/attributesFile';
import { trackPattern, untrackPattern } from '../../git/attributes/editAttributes';
import { type LfsOverlap, overlapWithLfs } from '../../git/attributes/overlapWithLfs';
import { samplePath } from '../../git/attributes/samplePath';
import { compileWildPattern } from '../../git/attributes/wildmatch';
import type { GitWriter } from '../../git/gitWriter';
import type { OpenedRepository } from '../repositories/openedRepository';

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
 * Has git keep the files of patterns as checkpoints from their next add on, in the attributes file of a folder, which is staged.
 * @throws conflict when Git LFS keeps some of these files and they are not to go over; unsupported-repository; what writing throws
 */
export async function trackPatterns(request: PatternsToTrack): Promise<TrackedPatterns> {
  const { repository, writer, patterns, folder, signal } = request;
  const root = workTreeOf(repository);
  const changed = new Set<string>();
  const notes: string[] = [];
  const edit = async (path: string, change: Parameters<typeof editAttributesFile>[1]) => {
    if (await editAttributesFile(join(root, path), change)) changed.add(path);
  };
  for (const pattern of patterns) {
    const overlap = await lfsOverlap(request, pattern);
    if (overlap.size > 0 && !request.convertLfs) throw keptByLfs(pattern, overlap);
    await edit(`${folder}.gitattributes`, (text) => trackPattern(text, pattern, { folder }));
    if (overlap.size > 0) notes.push(`${pattern} was kept by Git LFS until now; versions from the next add on are kept group by group.`);
  }
  if (changed.size > 0) await writer.stagePlain([...changed], signal);
  return { changed: [...changed], notes };
}

/** Takes patterns out again. @returns the attributes files that were changed, and staged */
export async function untrackPatterns({ repository, writer, patterns, folder, signal }: Omit<PatternsToTrack, 'convertLfs'>): Promise<readonly string[]> {
  const path = `${folder}.gitattributes`;
  let changed = false;
  for (const pattern of patterns) {
    changed = (await editAttributesFile(join(workTreeOf(repository), path), (text) => untrackPattern(text, pattern, { folder }))) || changed;
  }
  if (changed) await writer.stagePlain([path], signal);
  return changed ? [path] : [];
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
