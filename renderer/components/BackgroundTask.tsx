import type { Progress } from '../../shared/contract/frames';
import styles from './BackgroundTask.module.css';
import { Button } from './Button';
import { classNames } from './classNames';
import { ProgressBar } from './ProgressBar';

interface BackgroundTaskProps {
  readonly name: string;
  /** What is being done. */
  readonly label: string;
  readonly progress: Progress | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Corner at the bottom of the window. */
  readonly side: 'left' | 'right';
  readonly onShow: () => void;
}

/** How far a task is whose dialog is closed. */
export function BackgroundTask({ name, label, progress, startedAt, side, onShow }: BackgroundTaskProps) {
  return (
    <section className={classNames(styles.strip, styles[side])} aria-label={name}>
      <div className={styles.bar}>
        <ProgressBar label={label} progress={progress} startedAt={startedAt} />
      </div>
      <Button look="quiet" onClick={onShow}>
        Show
      </Button>
    </section>
  );
}
