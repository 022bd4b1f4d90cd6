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
    tally('Zeros', stats.zeros, false),
    tally('NaN', stats.nan, stats.nan > 0),
    tally('+∞', stats.positiveInfinity, stats.positiveInfinity > 0),
    tally('−∞', stats.negativeInfinity, stats.negativeInfinity > 0),
  ];
}
