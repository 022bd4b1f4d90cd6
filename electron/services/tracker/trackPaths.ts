import { CheckpointError } from '../../../shared/contract/errors';
import { explainFilter, nameLine } from '../../git/attributes/explainFilter';
import type { GitWriter } from '../../git/gitWriter';
import type { OpenedRepository } from '../repositories/openedRepository';
import { attributesToCommit } from './attributesToCommit';
import { type TrackedPatterns, trackAsPart } from './trackPatterns';
import type { Undo } from './undo';

export interface PathsToTrack {
  readonly repository: OpenedRepository;
  readonly writer: GitWriter;
  readonly paths: readonly string[];
  readonly convertLfs: boolean;
  readonly undo: Undo;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Tracks single files in the attributes file at the root, each by a line of its own, where no line does so yet; and stages attributes files that
 * a commit of these files needs, so that they are filtered in a clone too.
 * @returns attributes files that are to be committed with the files
 * @throws conflict when a file of a folder further down says otherwise; what tracking patterns throws
 */
export async function trackPaths({ repository, writer, paths, convertLfs, undo, signal }: PathsToTrack): Promise<TrackedPatterns> {
  const before = await repository.git.attributes(paths, ['filter']);
  const untracked = paths.filter((path) => before.get(path)?.filter !== 'theta');
  const request = { repository, writer, patterns: untracked.map(literalPattern), folder: '', convertLfs, only: untracked, signal };
  const tracked = untracked.length === 0 ? { changed: [], notes: [], left: [] } : await trackAsPart(request, undo);
  const after = await explainFilter(repository.git, untracked);
  const refused = [...after].find(([, { filter }]) => filter !== 'theta');
  if (refused === undefined) {
    const others = (await attributesToCommit(repository, paths)).filter((file) => !tracked.changed.includes(file));
    if (others.length > 0) await writer.stagePlain(others, signal);
    return { ...tracked, changed: [...tracked.changed, ...others] };
  }
  const [path, decision] = refused;
  const line = nameLine(decision) ?? 'the attributes file of a folder further down, or of this repository alone,';
  throw new CheckpointError('conflict', `${path} cannot be tracked: ${line} says otherwise.`, {
    place: { file: path },
    hint: `Look at it with “git check-attr -a”, and change ${decision.line === null ? 'the line that settles it' : 'that line'}.`,
  });
}

/** A pattern that matches this path and no other of the root; git-theta compares it with the path as it stands, so without a leading slash. */
function literalPattern(path: string): string {
  return path.replace(/[\\*?[]/g, '\\$&');
}
