import * as v from 'valibot';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { pairNumbers } from '../../../shared/contract/compareRequests';
import { CheckpointError, type ErrorData, isCheckpointError } from '../../../shared/contract/errors';
import { histogram, tensorStats } from '../../../shared/contract/schemas';
import type { PairNumbers } from '../../../shared/model/pairNumbers';
import type { Histogram, TensorStats } from '../../../shared/model/tensorStats';
import { mapLimited } from '../mapLimited';
import { openResultCache } from '../results/resultCache';
import { type Cell, type CellContext, type CellValue, isOpen, type OpenedCell, openCells } from './openCells';

/** Another number whenever the definition of what is measured changes. */
const STATISTICS_KIND = 'cell statistics 1';
const DIFFERENCE_KIND = 'cell difference 1';
/** As numpy.isclose. */
const RTOL = 1e-5;
const ATOL = 1e-8;

export interface HistogramWanted {
  readonly bins: number;
  /** `null`: from the least to the largest finite element. */
  readonly range: { readonly min: number; readonly max: number } | null;
}

export interface MeasuredCell {
  readonly stats: TensorStats | null;
  readonly histogram: Histogram | null;
  readonly error: ErrorData | null;
}

export interface ComparedCell {
  readonly numbers: PairNumbers | null;
  readonly error: ErrorData | null;
}

const measured = v.object({ stats: tensorStats, histogram: v.nullable(histogram) });

/**
 * Statistics of some cells in their order, equal values once. What is known by content (`results/`) is not read. A cell that fails has its error,
 * the others their numbers. @throws CheckpointError `cancelled`
 */
export async function measureCells(context: CellContext, cells: readonly Cell[], wanted: HistogramWanted | null): Promise<readonly MeasuredCell[]> {
  const cache = openResultCache(context.repository);
  const spec = wanted === null ? 'none' : JSON.stringify([wanted.bins, wanted.range?.min ?? null, wanted.range?.max ?? null]);
  const opened = await openCells(context, cells);
  const values = await onceEach(opened, context, async ({ plan, id }) => {
    const known = await cache.get(STATISTICS_KIND, [id, spec], measured);
    if (known !== null) return known;
    const asked = wanted === null ? null : { ...wanted, scale: 'linear' as const };
    const { stats, histogram: bins } = await context.pool.run('statistics', { plan, histogram: asked, quantiles: [] }, { signal: context.signal });
    const found = { stats, histogram: bins };
    void cache.set(STATISTICS_KIND, [id, spec], found);
    return found;
  });
  return values.map((value) => ('error' in value ? { stats: null, histogram: null, error: value.error } : { ...value, error: null }));
}

/**
 * Each cell against the same group in the first parent of its commit; `null` numbers where the parent has no such group. As `measureCells` otherwise.
 */
export async function compareCells(context: CellContext, cells: readonly Cell[]): Promise<readonly ComparedCell[]> {
  const parents = await Promise.all(cells.map(async ({ commit }) => (await context.repository.git.commit(commit)).parents[0]));
  return comparePairs(
    context,
    cells.map((after, index) => {
      const parent = parents[index];
      return { after, before: parent === undefined ? null : { commit: parent, group: after.group } };
    }),
  );
}

/** The same against a commit that is given. */
export async function comparePairs(
  context: CellContext,
  pairs: readonly { readonly before: Cell | null; readonly after: Cell }[],
): Promise<readonly ComparedCell[]> {
  const cache = openResultCache(context.repository);
  const sides = pairs.flatMap(({ before, after }) => [after, ...(before === null ? [] : [before])]);
  const opened = await openCells(context, sides);
  let next = 0;
  const both = pairs.map(({ before }): readonly [OpenedCell | undefined, OpenedCell | undefined] => [
    opened[next++],
    before === null ? undefined : opened[next++],
  ]);
  return mapOnce(both, context, async ([after, before]) => {
    if (after === undefined || before === undefined || isAbsent(before) || isAbsent(after)) return { numbers: null, error: null };
    if (!isOpen(after)) return { numbers: null, error: after.error };
    if (!isOpen(before)) return { numbers: null, error: before.error };
    const ids = [before.id, after.id, `${RTOL} ${ATOL}`];
    const known = await cache.get(DIFFERENCE_KIND, ids, pairNumbers);
    if (known !== null) return { numbers: known, error: null };
    const options = { rtol: RTOL, atol: ATOL, largest: 0, bins: 0, structure: false, closeness: false };
    const { numbers } = await context.pool.run('measurePair', { before: before.plan, after: after.plan, ...options }, { signal: context.signal });
    void cache.set(DIFFERENCE_KIND, ids, numbers);
    return { numbers, error: null };
  });
}

function isAbsent(cell: OpenedCell): boolean {
  return !isOpen(cell) && cell.error.code === 'not-found';
}

/** `work` on each value, equal ones once. */
async function onceEach<R extends object>(cells: readonly OpenedCell[], context: CellContext, work: (value: CellValue) => Promise<R>) {
  const running = new Map<string, Promise<R | { error: ErrorData }>>();
  return mapLimited(
    cells,
    async (cell): Promise<R | { error: ErrorData }> => {
      if (!isOpen(cell)) return { error: cell.error };
      const known = cell.id === null ? undefined : running.get(cell.id);
      if (known !== undefined) return known;
      const started = settled(context, () => work(cell));
      if (cell.id !== null) running.set(cell.id, started);
      return started;
    },
    { limit: limitOf(context) },
  );
}

type Pair = readonly [OpenedCell | undefined, OpenedCell | undefined];

async function mapOnce(pairs: readonly Pair[], context: CellContext, work: (pair: Pair) => Promise<ComparedCell>): Promise<readonly ComparedCell[]> {
  const running = new Map<string, Promise<ComparedCell>>();
  return mapLimited(
    pairs,
    (pair) => {
      const [a, b] = pair.map((cell) => (cell !== undefined && isOpen(cell) ? cell.id : null));
      const key = a == null || b == null ? null : `${a}\n${b}`;
      const known = key === null ? undefined : running.get(key);
      if (known !== undefined) return known;
      const started = settled(context, () => work(pair)).then((found) => ('numbers' in found ? found : { numbers: null, error: found.error }));
      if (key !== null) running.set(key, started);
      return started;
    },
    { limit: limitOf(context) },
  );
}

/** A failure as a result, unless everything was cancelled. */
async function settled<R>({ path, signal }: CellContext, work: () => Promise<R>): Promise<R | { error: ErrorData }> {
  try {
    throwIfCancelled(signal);
    return await work();
  } catch (thrown) {
    if (signal.aborted || isCheckpointError(thrown, 'cancelled')) throw thrown;
    return { error: CheckpointError.from(thrown).at({ file: path }).toData() };
  }
}

/** Enough to keep all workers busy while results are looked up. */
function limitOf({ pool }: CellContext): number {
  return pool.size + 2;
}
