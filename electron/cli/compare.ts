import { CheckpointError } from '../../shared/contract/errors';
import type { ComparedGroup } from '../../shared/model/comparison';
import { comparedName } from '../../shared/model/comparison';
import { elementCount, sameShape } from '../../shared/model/shape';
import { summariseComparison } from '../../shared/model/summariseComparison';
import { fileIdentity } from '../bytes/fileIdentity';
import type { ComparedCheckpoint, ComparedSides } from '../services/comparer/comparedCheckpoint';
import { compareSides, type SideComparison } from '../services/comparer/compareSides';
import { measureRows } from '../services/comparer/measureRows';
import { settleRow } from '../services/comparer/settleRow';
import type { Tolerance } from '../services/comparer/tolerance';
import { createValueDigests } from '../services/comparer/valueDigests';
import { comparisonJson } from './comparisonJson';
import type { ComparisonRow } from './comparisonRow';
import { formatComparison } from './formatComparison';
import { formatError } from './formatError';
import { openTarget } from './openTarget';
import { createProgressLine } from './progressLine';
import type { Session } from './session';

/** With `--exit-code`: 1 says that they differ, so that a failure must be something else. */
const DIFFERENT = 1;
const FAILED = 3;

export interface CompareOptions {
  /** `null`: every group. */
  readonly isWanted: ((name: string) => boolean) | null;
  /** `null`: every bit counts. */
  readonly tolerance: Tolerance | null;
  readonly json: boolean;
  readonly exitCode: boolean;
}

/**
 * `theta compare`: two versions or files, group by group. Returns the exit code: 0 done, 1 when a group could not be compared; with `exitCode` 0
 * equal, 1 different, 3 when something went wrong, also when a group could not be compared and all others are equal. Metadata is listed, and
 * makes no difference.
 */
export async function compare(session: Session, targets: { readonly a: string; readonly b: string }, options: CompareOptions): Promise<number> {
  try {
    return await run(session, targets, options);
  } catch (error) {
    const failed = CheckpointError.from(error);
    if (!options.exitCode || failed.code === 'cancelled') throw failed;
    session.terminal.err(formatError(failed));
    return FAILED;
  }
}

async function run(session: Session, targets: { readonly a: string; readonly b: string }, options: CompareOptions): Promise<number> {
  const sides = { a: await openComparedTarget(session, targets.a), b: await openComparedTarget(session, targets.b) };
  const comparison = await compareSides(sides, { pool: session.pool, signal: session.signal });
  const rows = await measure(session, sides, { comparison, options });
  const summary = summariseComparison(rows.map(({ group, change, changed }) => ({ name: comparedName(group), change, changed, elements: elementsOf(group) })));
  const { terminal } = session;
  if (options.json) terminal.out(`${JSON.stringify(comparisonJson(rows, comparison), null, 2)}\n`);
  else terminal.out(formatComparison(rows, comparison, { ...targets, summary }));
  const failed = rows.flatMap(({ error }) => (error === null ? [] : [error]));
  for (const error of failed) terminal.err(formatError(CheckpointError.fromData(error)));
  if (!options.exitCode) return failed.length > 0 ? 1 : 0;
  const differ = rows.some(({ change }) => change !== 'unchanged' && change !== 'unknown');
  return differ ? DIFFERENT : failed.length > 0 ? FAILED : 0;
}

/** A version of the repository around the folder, or a file anywhere. */
async function openComparedTarget(session: Session, target: string): Promise<ComparedCheckpoint> {
  const opened = await openTarget(session, target);
  if (opened.version.commit !== null) return { opened, repository: await session.repository(), identity: null };
  return { opened, repository: null, identity: (await fileIdentity(session.path(target))).identity };
}

function elementsOf({ a, b }: ComparedGroup): number {
  return elementCount(b?.shape ?? a?.shape ?? []);
}

async function measure(
  session: Session,
  sides: ComparedSides,
  { comparison, options }: { readonly comparison: SideComparison; readonly options: CompareOptions },
): Promise<ComparisonRow[]> {
  const { isWanted, tolerance } = options;
  const wanted = comparison.groups.filter(({ a, b }) => isWanted === null || [a, b].some((side) => side !== null && isWanted(side.name)));
  const names = wanted.flatMap((group) => pairToMeasure(group));
  const line = createProgressLine(session.terminal, 'Comparing');
  try {
    const results = await measureRows(sides, names, {
      pool: session.pool,
      digests: createValueDigests(session.pool),
      tolerance: tolerance ?? { rtol: 0, atol: 0 },
      closeness: false,
      signal: session.signal,
      onProgress: (done, total) => line.update({ phase: 'Comparing', done, total, unit: 'bytes' }),
    });
    const found = new Map(names.map(({ group }, index) => [group, results[index]]));
    return wanted.map((group) => {
      const { row, error } = found.get(group) ?? { row: null, error: null };
      return { group, measured: row, error, ...settleRow(group, row?.numbers ?? null, { tolerant: tolerance !== null }) };
    });
  } finally {
    line.clear();
  }
}

/** Elements of different shapes have no counterparts; equal values need no numbers. */
function pairToMeasure(group: ComparedGroup) {
  const { a, b, change, renamedBy } = group;
  return a === null || b === null || change === 'unchanged' || renamedBy === 'content' || !sameShape(a.shape, b.shape) ? [] : [{ group, a: a.name, b: b.name }];
}
