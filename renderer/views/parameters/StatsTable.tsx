import { TriangleAlert } from 'lucide-react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { TensorStats } from '../../../shared/model/tensorStats';
import { formatExactNumber, formatNumber, formatShare } from '../../charts/formatNumber';
import { CopyButton } from '../../components/CopyButton';
import { classNames } from '../../components/classNames';
import { describeAlarm, listStats, type StatEntry } from './listStats';
import styles from './StatsTable.module.css';

interface StatsTableProps {
  readonly stats: TensorStats;
}

/** Statistics of a tensor, to be read at a glance; every digit on hover, all of them to be copied. */
export function StatsTable({ stats }: StatsTableProps) {
  const entries = listStats(stats);
  const alarm = describeAlarm(stats);
  return (
    <div className={styles.box}>
      {alarm === null ? null : (
        <p className={styles.alarm}>
          <TriangleAlert size={14} aria-hidden="true" />
          {alarm} among the values. The figures below are those of the finite elements.
        </p>
      )}
      <div className={styles.head}>
        <h3>Statistics</h3>
        <CopyButton label="Copy statistics" text={() => entries.map((entry) => `${entry.label}\t${exactText(entry)}`).join('\n')} />
      </div>
      <dl className={styles.table}>
        {entries.map((entry) => (
          <div key={entry.label} className={classNames(entry.isAlarm && styles.bad)}>
            <dt>{entry.label}</dt>
            <dd title={exactText(entry)}>
              {entry.value === null ? '–' : entry.kind === 'count' ? formatCount(entry.value) : formatNumber(entry.value)}
              {entry.kind === 'count' && entry.share !== undefined && entry.value !== null && entry.value > 0 ? (
                <span className={styles.share}> {formatShare(entry.share)}</span>
              ) : null}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function exactText(entry: StatEntry): string {
  return entry.value === null ? '' : formatExactNumber(entry.value);
}
