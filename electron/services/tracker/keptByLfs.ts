import { CheckpointError } from '../../../shared/contract/errors';
import { type AttributeLine, explainFilter, type FilterDecision, nameLine, ownAttributesFile } from '../../git/attributes/explainFilter';
import type { OpenedRepository } from '../repositories/openedRepository';
import { type MatchedFiles, pathsOf } from './planTracking';

const BY_HAND = 'That file is for this clone alone, stronger than every .gitattributes, and not edited by this program: change the line by hand.';

/** Why a pattern is not tracked: Git LFS keeps some of its files, and nobody said that they are to go over. */
export function keptByLfs({ git }: Pick<OpenedRepository, 'git'>, item: MatchedFiles, overlap: ReadonlyMap<string, AttributeLine>): CheckpointError {
  const path = pathsOf(item).find((one) => overlap.has(one)) ?? '';
  const line = overlap.get(path) ?? { file: null, line: null };
  return new CheckpointError('conflict', `Git LFS keeps files of “${item.pattern}”, by ${nameLine(line) ?? 'the attributes'}.`, {
    place: { file: path },
    hint:
      line.file === ownAttributesFile(git)
        ? BY_HAND
        : 'To have them go over from their next version on: theta track --convert-lfs. Versions that Git LFS keeps stay there.',
  });
}

/** What became of files that patterns are for, after the attributes were changed: as git itself reads them. */
export async function lookAfterwards(
  { git }: Pick<OpenedRepository, 'git'>,
  patterns: readonly MatchedFiles[],
  before: ReadonlyMap<string, AttributeLine>,
): Promise<{ readonly notes: readonly string[]; readonly left: readonly string[] }> {
  const now = await explainFilter(git, patterns.flatMap(pathsOf));
  const notes: string[] = [];
  const left: string[] = [];
  for (const item of patterns) {
    const were = pathsOf(item).filter((path) => before.has(path));
    const gone = were.filter((path) => now.get(path)?.filter === 'theta');
    if (gone.length > 0) {
      const what = gone.length === were.length ? item.pattern : `A part of ${item.pattern}`;
      notes.push(`${what} was kept by Git LFS until now; versions from the next add on are kept group by group.`);
    }
    for (const { decision, paths } of byLine(pathsOf(item), now)) {
      const { names, one } = nameFiles(paths, item);
      const by = `by ${nameLine(decision) ?? 'attributes that were not found'}.`;
      if (decision.filter !== 'lfs') notes.push(`${names} ${one ? 'is' : 'are'} not tracked, ${by}`);
      else left.push(`${names} ${one ? 'stays' : 'stay'} with Git LFS, ${by}${decision.file === ownAttributesFile(git) ? ` ${BY_HAND}` : ''}`);
    }
  }
  return { notes, left };
}

/** Those that are not tracked, by the line that says what they are. */
function byLine(paths: readonly string[], decisions: ReadonlyMap<string, FilterDecision>) {
  const lines = new Map<string, { readonly decision: FilterDecision; readonly paths: string[] }>();
  for (const path of paths) {
    const decision = decisions.get(path);
    if (decision === undefined || decision.filter === 'theta') continue;
    const key = `${decision.filter} ${decision.line} ${decision.file}`;
    const same = lines.get(key) ?? { decision, paths: [] };
    same.paths.push(path);
    lines.set(key, same);
  }
  return lines.values();
}

const NAMED = 3;

function nameFiles(paths: readonly string[], { pattern, files, sample }: MatchedFiles): { readonly names: string; readonly one: boolean } {
  const there = paths.filter((path) => path !== sample || files.includes(path));
  if (there.length === 0) return { names: `What “${pattern}” is for and is not there yet`, one: true };
  const more = there.length - NAMED;
  const named = there.slice(0, NAMED);
  if (more > 0) return { names: `${named.join(', ')} and ${more} more ${more === 1 ? 'file' : 'files'}`, one: false };
  const last = named.pop() ?? '';
  return named.length === 0 ? { names: last, one: true } : { names: `${named.join(', ')} and ${last}`, one: false };
}
