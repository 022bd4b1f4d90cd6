import { formatBytes, formatCount } from '../../shared/base/formatBytes';
import type { Progress } from '../../shared/contract/frames';
import { Button } from './Button';
import { formatDuration, secondsLeft } from './formatDuration';
import styles from './ProgressBar.module.css';

interface ProgressBarProps {
  /** `null` before the first report. */
  readonly progress: Progress | null;
  /** What runs, for the time before the first report. */
  readonly label: string;
  /** When it started, ms since 1970; gives the time left. */
  readonly startedAt?: number;
  readonly onCancel?: () => void;
}

/** How far a job is, in its own unit, with the time left and a way to cancel. */
export function ProgressBar({ progress, label, startedAt, onCancel }: ProgressBarProps) {
  const total = progress?.total ?? null;
  const share = progress === null || total === null || total <= 0 ? null : Math.min(1, progress.done / total);
  const value = share === null ? {} : { 'aria-valuenow': Math.floor(share * 100), 'aria-valuemin': 0, 'aria-valuemax': 100 };
  const phase = progress?.phase || label;
  const amount = progress === null ? '' : amountOf(progress);
  const left = progress === null || startedAt === undefined ? null : secondsLeft(progress.done, total, Date.now() - startedAt);
  return (
    <div className={styles.box}>
      <div className={styles.text}>
        <span className={styles.phase}>{phase}</span>
        <span className={styles.amount}>
          {amount}
          {left === null ? '' : ` · ${formatDuration(left)} left`}
        </span>
      </div>
      <div className={styles.line}>
        <div role="progressbar" aria-label={label} aria-valuetext={`${phase} ${amount}`} {...value} className={styles.track}>
          <div className={share === null ? styles.unknown : styles.done} style={share === null ? {} : { transform: `scaleX(${share})` }} />
        </div>
        {onCancel === undefined ? null : (
          <Button look="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </div>
  );
}

/** `1.2 GB of 3.4 GB`, `120 commits`. */
function amountOf({ done, total, unit }: Progress): string {
  const show = (value: number) => (unit === 'bytes' ? formatBytes(value) : formatCount(value));
  const noun = unit === 'bytes' ? '' : unit === 'commits' ? ' commits' : ' groups';
  return total === null ? `${show(done)}${noun}` : `${show(done)} of ${show(total)}${noun}`;
}
