import { throwIfCancelled } from '../../shared/contract/cancelled';
import { CheckpointError } from '../../shared/contract/errors';
import type { Histogram } from '../../shared/model/tensorStats';
import { isPlan, type OpenedCheckpoint, type OpenedGroup } from '../services/checkpoints/openedCheckpoint';
import { mapLimited } from '../services/mapLimited';
import { type MeasuredTensor, measureTensor } from '../services/statistics/measureTensor';
import { formatError } from './formatError';
import type { GroupStats, StatsOptions } from './groupStats';
import { openTarget } from './openTarget';
import { createProgressLine } from './progressLine';
import type { Session } from './session';
import { statsTable } from './statsTable';

/** `theta stats`: statistics of the parameter groups of a version or file. Returns the exit code: 1 when a group is damaged. */
export async function stats(session: Session, target: string, options: StatsOptions): Promise<number> {
  const opened = await openTarget(session, target);
  const wanted = [...opened.groups.values()].filter(({ group }) => options.isWanted?.(group.name) ?? true);
  const groups = await measureAll(session, { opened, wanted, options });
  session.terminal.out(options.json ? `${JSON.stringify(toJson(opened, groups), null, 2)}\n` : statsTable(opened, groups, options));
  const damaged = groups.filter(({ error }) => error !== null);
  for (const { error } of damaged) if (error !== null) session.terminal.err(formatError(CheckpointError.fromData(error)));
  return damaged.length > 0 ? 1 : 0;
}

async function measureAll(
  session: Session,
  { opened, wanted, options }: { readonly opened: OpenedCheckpoint; readonly wanted: readonly OpenedGroup[]; readonly options: StatsOptions },
): Promise<GroupStats[]> {
  const line = createProgressLine(session.terminal, 'Reading');
  const total = wanted.reduce((sum, { group }) => sum + group.bytes, 0);
  const { commit, path } = opened.version;
  let done = 0;
  try {
    return await mapLimited(
      wanted,
      async (group) => {
        if (!isPlan(group.plan)) return { opened: group, measured: null, error: group.plan };
        try {
          return { opened: group, measured: await measure(session, group.plan, options), error: null };
        } catch (error) {
          throwIfCancelled(session.signal);
          const place = { file: path, group: group.group.name, ...(commit === null ? {} : { commit }) };
          return { opened: group, measured: null, error: CheckpointError.from(error).at(place).toData() };
        } finally {
          done += group.group.bytes;
          line.update({ phase: 'Reading', done, total, unit: 'bytes' });
        }
      },
      { limit: session.pool.size * 2 },
    );
  } finally {
    line.clear();
  }
}

/** The usual histogram of a large tensor has edges of its own; here it is asked for again over exactly what is there, as NumPy would. */
async function measure(session: Session, plan: Parameters<typeof measureTensor>[0], { quantiles, bins }: StatsOptions): Promise<MeasuredTensor> {
  const options = { pool: session.pool, signal: session.signal };
  const histogram = bins === null ? null : ({ bins, range: null, scale: 'linear' } as const);
  const measured = await measureTensor(plan, { histogram, quantiles }, options);
  const { min, max } = measured.stats;
  if (histogram === null || min === null || max === null || (measured.histogram?.min === min && measured.histogram.max === max)) return measured;
  const again = await measureTensor(plan, { histogram: { ...histogram, range: { min, max } }, quantiles: [] }, options);
  return { ...measured, histogram: again.histogram };
}

function toJson(opened: OpenedCheckpoint, groups: readonly GroupStats[]) {
  return {
    path: opened.version.path,
    commit: opened.version.commit,
    groups: groups.map(({ opened: { group }, measured, error }) => {
      const dtype = measured?.dtype ?? group.dtype;
      const shape = measured?.shape ?? group.shape;
      return measured === null ? { name: group.name, dtype, shape, error } : { name: group.name, dtype, shape, ...numbersOf(measured) };
    }),
  };
}

/** JSON has neither NaN nor infinities: `null` stands for them, and for what a tensor without finite elements does not have. */
function numbersOf({ stats, quantiles, histogram }: MeasuredTensor) {
  const number = (value: number | null) => (value !== null && Number.isFinite(value) ? value : null);
  return {
    count: stats.count,
    nan: stats.nan,
    pos_inf: stats.positiveInfinity,
    neg_inf: stats.negativeInfinity,
    zeros: stats.zeros,
    subnormal: stats.subnormals,
    // A double may not hold a 64-bit integer: digits do.
    min: stats.exact?.min ?? number(stats.min),
    max: stats.exact?.max ?? number(stats.max),
    mean: number(stats.mean),
    std: number(stats.std),
    l1: number(stats.l1),
    l2: number(stats.norm),
    distinct: stats.distinct.count,
    distinct_exact: stats.distinct.exact,
    quantiles: Object.fromEntries(quantiles.map(({ at, value }) => [String(at), number(value)])),
    histogram: histogram === null ? null : histogramJson(histogram),
  };
}

function histogramJson({ min, max, counts }: Histogram) {
  return { min, max, counts: [...counts] };
}
