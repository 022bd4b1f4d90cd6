import { formatCount } from '../../shared/base/formatBytes';
import { formatShape } from '../../shared/model/shape';
import type { Histogram } from '../../shared/model/tensorStats';
import type { OpenedCheckpoint } from '../services/checkpoints/openedCheckpoint';
import type { GroupStats, StatsOptions } from './groupStats';
import { type Column, formatTable, terminalText } from './terminalText';

const BARS = '▁▂▃▄▅▆▇█';
/** A row stays a row: of a finer histogram neighbouring bins are shown as one. */
const WIDEST = 32;

/** Statistics for people: a line for each group, five digits; NaN and infinities only where there are any. */
export function statsTable(opened: OpenedCheckpoint, groups: readonly GroupStats[], { quantiles, bins }: StatsOptions): string {
  const { commit, path } = opened.version;
  const isOdd = groups.some(({ measured }) => measured !== null && measured.stats.finite < measured.stats.count);
  const columns: readonly Column[] = [
    { title: 'name' },
    { title: 'dtype' },
    { title: 'shape' },
    ...['min', 'max', 'mean', 'std', 'l1', 'l2', 'zeros', ...(isOdd ? ['nan', 'inf'] : []), 'distinct', ...quantiles.map((at) => `q${at}`)].map(
      (title) => ({ title, align: 'right' }) as const,
    ),
    ...(bins === null ? [] : [{ title: 'histogram' }]),
  ];
  const rows = groups.map(({ opened: { group }, measured, error }) => {
    if (measured === null) return [group.name, group.dtype, formatShape(group.shape), error === null ? '' : 'damaged'];
    const { stats } = measured;
    return [
      group.name,
      measured.dtype,
      formatShape(measured.shape),
      ...(stats.exact === null ? [stats.min, stats.max].map(short) : [stats.exact.min, stats.exact.max]),
      ...[stats.mean, stats.std, stats.l1, stats.norm].map(short),
      formatCount(stats.zeros),
      ...(isOdd ? [formatCount(stats.nan), formatCount(stats.positiveInfinity + stats.negativeInfinity)] : []),
      `${stats.distinct.exact ? '' : '~'}${formatCount(stats.distinct.count)}`,
      ...quantiles.map((_, index) => short(measured.quantiles[index]?.value ?? null)),
      ...(bins === null ? [] : [measured.histogram === null ? '' : sparkline(measured.histogram)]),
    ];
  });
  return `${terminalText(commit === null ? path : `${path} at ${commit}`)}\n\n${formatTable(columns, rows)}\n`;
}

function short(value: number | null): string {
  return value === null ? '–' : String(Number(value.toPrecision(5)));
}

function sparkline({ counts }: Histogram): string {
  const each = Math.ceil(counts.length / WIDEST);
  const shown = Array.from({ length: Math.ceil(counts.length / each) }, (_, bar) => counts.subarray(bar * each, (bar + 1) * each).reduce((a, b) => a + b, 0));
  const peak = Math.max(...shown);
  return shown.map((count) => (count === 0 ? ' ' : (BARS[Math.min(BARS.length - 1, Math.floor((count / peak) * BARS.length))] ?? ''))).join('');
}
