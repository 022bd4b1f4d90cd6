import { Check } from 'lucide-react';
import { useMemo } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { summariseComparison } from '../../../shared/model/summariseComparison';
import { isBits } from '../../charts/closenessBounds';
import { Button } from '../../components/Button';
import { ErrorNotice } from '../../components/ErrorNotice';
import { summarisedRow } from '../../state/comparedNumbers';
import type { Comparison } from '../../state/compareStore';
import { useStore, useStores } from '../../state/storesContext';
import styles from './ComparisonSummary.module.css';
import type { JudgedRow } from './comparedRows';
import { ToleranceControl } from './ToleranceControl';

interface ComparisonSummaryProps {
  readonly comparison: Comparison;
  readonly rows: readonly JudgedRow[];
}

/** What differs, in a sentence; what does not count as a difference. */
export function ComparisonSummary({ comparison, rows }: ComparisonSummaryProps) {
  const { compare } = useStores();
  const tolerance = useStore(compare, (state) => state.tolerance);
  const sentence = useMemo(() => sentenceOf(rows, comparison, isBits(tolerance)), [rows, comparison, tolerance]);
  const isSame = rows.every((row) => row.change === 'unchanged') && comparison.metadata.length === 0;
  const hasMissing = rows.some((row) => row.group.a?.error != null || row.group.b?.error != null || row.numbers?.error != null);
  return (
    <div className={styles.summary}>
      <div className={styles.words}>
        <p className={styles.sentence} role="status">
          {isSame ? <Check size={16} aria-hidden="true" className={styles.same} /> : null}
          <bdi>{sentence}</bdi>
        </p>
        {hasMissing ? <p className={styles.note}>Some groups cannot be compared; the table says why.</p> : null}
      </div>
      <ToleranceControl />
    </div>
  );
}

function sentenceOf(rows: readonly JudgedRow[], { metadata }: Comparison, areBits: boolean): string {
  const all = formatCount(rows.length);
  const isSame = rows.length > 0 && rows.every((row) => row.change === 'unchanged');
  const meta =
    metadata.length === 0
      ? ''
      : ` ${formatCount(metadata.length)} ${metadata.length === 1 ? 'entry' : 'entries'} of the metadata differ${metadata.length === 1 ? 's' : ''}.`;
  if (isSame && rows.length > 1) return `${meta === '' ? 'No differences' : 'The values are equal'}: all ${all} groups are bit for bit equal.${meta}`;
  const sentence = summariseComparison(rows.map((row) => summarisedRow(row.group, row)));
  const within = rows.filter((row) => row.change === 'within').length;
  const about = rows.some((row) => row.beyond !== null && row.beyond.least !== row.beyond.most) ? '≈ ' : '';
  const tolerated = areBits || within === 0 ? '' : ` ${formatCount(within)} changed only within the tolerance.`;
  return `${about}${sentence}${tolerated}${meta}`;
}

/** How many rows are measured, while that goes on; how to stop it and to go on. Over the rest: what is shown does not move. */
export function Measuring() {
  const { compare } = useStores();
  const { status, done, total, error } = useStore(compare, (state) => state.progress);
  if (status === 'idle' || total === 0) return null;
  const amount = `${formatCount(done)} of ${formatCount(total)} groups measured`;
  if (status === 'failed' && error !== null) {
    return (
      <div className={styles.measuring}>
        <ErrorNotice bare title="Measuring ended early" error={error} action={<Button onClick={() => compare.getState().resumeNumbers()}>Go on</Button>} />
      </div>
    );
  }
  return (
    <div className={styles.measuring}>
      <div
        className={styles.track}
        role="progressbar"
        aria-label="Measuring the groups"
        aria-valuenow={Math.floor((done / total) * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={amount}
      >
        <div className={styles.done} style={{ transform: `scaleX(${done / total})` }} />
      </div>
      <span className={styles.amount}>{amount}</span>
      {status === 'stopped' ? (
        <Button look="quiet" onClick={() => compare.getState().resumeNumbers()}>
          Go on
        </Button>
      ) : (
        <Button look="quiet" onClick={() => compare.getState().stopNumbers()}>
          Cancel
        </Button>
      )}
    </div>
  );
}
