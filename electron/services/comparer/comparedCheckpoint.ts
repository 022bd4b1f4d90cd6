import type { OpenedCheckpoint, OpenedGroup } from '../checkpoints/openedCheckpoint';
import { isPlan } from '../checkpoints/openedCheckpoint';
import type { OpenedRepository } from '../repositories/openedRepository';
import { contentId } from '../results/contentId';
import { createMemoryResults, openResultCache, type ResultCache } from '../results/resultCache';

/** One side of a comparison, opened by its headers. */
export interface ComparedCheckpoint {
  readonly opened: OpenedCheckpoint;
  /** Where the version is kept; `null` for a file outside of any repository. */
  readonly repository: OpenedRepository | null;
  /** `fileIdentity` of a file on disk; `null` for a version in git. */
  readonly identity: string | null;
}

export interface ComparedSides {
  readonly a: ComparedCheckpoint;
  readonly b: ComparedCheckpoint;
}

/** What a value is, and whether that holds for ever (content in git) or only as long as nobody writes to a file. */
export interface ValueId {
  readonly id: string;
  readonly lasts: boolean;
}

/** `null` where nothing says what the value is: it cannot be read, or lies in another file than the checkpoint's own. */
export function valueId({ identity }: Pick<ComparedCheckpoint, 'identity'>, group: OpenedGroup): ValueId | null {
  const content = contentId(group);
  if (content !== null) return { id: content, lasts: true };
  const { plan, original } = group;
  if (identity === null || original === null || !isPlan(plan) || plan.kind !== 'ref') return null;
  const { source, offset, dtype, shape, strides, bigEndian } = plan.ref;
  if (source.kind !== 'file' || source.path !== original.path) return null;
  const place = JSON.stringify([(source.range?.offset ?? 0) + offset, dtype, shape, strides, bigEndian]);
  return { id: `disk ${identity} ${place}`, lasts: false };
}

const memory = createMemoryResults();

/** Where results about these values are kept: with a repository when all of them are in git, else in memory only. */
export function resultsFor(sides: readonly ComparedCheckpoint[], ids: readonly (ValueId | null)[]): ResultCache {
  const repository = sides.findLast((side) => side.repository !== null)?.repository ?? null;
  return repository !== null && ids.every((id) => id?.lasts === true) ? openResultCache(repository) : memory;
}
