import { formatCount } from '../../../shared/base/formatBytes';
import type { TensorStats } from '../../../shared/model/tensorStats';

export interface StatEntry {
  readonly label: string;
  readonly kind: 'count' | 'number';
  readonly value: number | null;
  /** Of all elements. */
  readonly share?: number;
  readonly isAlarm?: boolean;
}

/** The statistics in the order in which they are shown. */
export function listStats(stats: TensorStats): readonly StatEntry[] {
  const share = (part: number) => (stats.count === 0 ? 0 : part / stats.count);
  const tally = (label: string, value: number, isAlarm: boolean): StatEntry => ({ label, kind: 'count', value, share: share(value), isAlarm });
  return [
    { label: 'Elements', kind: 'count', value: stats.count },
    { label: 'Min', kind: 'number', value: stats.min },
    { label: 'Max', kind: 'number', value: stats.max },
    { label: 'Mean', kind: 'number', value: stats.mean },
    { label: 'Std', kind: 'number', value: stats.std },
    { label: 'Norm', kind: 'number', value: stats.norm },
    { label: 'L1', kind: 'number', value: stats.l1 },
    tally('Zeros', stats.zeros, false),
    tally('NaN', stats.nan, stats.nan > 0),
    tally('Infinite', stats.positiveInfinity + stats.negativeInfinity, stats.positiveInfinity + stats.negativeInfinity > 0),
    tally('Subnormal', stats.subnormals, false),
    { label: stats.distinct.exact ? 'Distinct' : 'Distinct, about', kind: 'count', value: stats.distinct.count },
  ];
}

/** What is wrong with the values, `32 NaN, 1 +∞ and 1 −∞`; `null` when all are finite. */
export function describeAlarm({ nan, positiveInfinity, negativeInfinity }: TensorStats): string | null {
  const parts: string[] = [];
  if (nan > 0) parts.push(`${formatCount(nan)} NaN`);
  if (positiveInfinity > 0) parts.push(`${formatCount(positiveInfinity)} +∞`);
  if (negativeInfinity > 0) parts.push(`${formatCount(negativeInfinity)} −∞`);
  const last = parts.pop();
  if (last === undefined) return null;
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}
