import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CheckpointError } from '../../shared/contract/errors';
import { CopyButton } from './CopyButton';
import { classNames } from './classNames';
import { describeError, placeParts } from './describeError';
import styles from './ErrorNotice.module.css';

interface ErrorNoticeProps {
  /** What could not be done: `The folder could not be opened`. */
  readonly title: string;
  readonly error: CheckpointError;
  /** Buttons for what to do next. */
  readonly action?: ReactNode;
  /** Without a frame, to stand inside one. */
  readonly bare?: boolean;
}

/** An error in full: what, where, why, what next; the detail folded away, all of it to be copied. */
export function ErrorNotice({ title, error, action, bare = false }: ErrorNoticeProps) {
  const place = placeParts(error.place);
  return (
    <div role="alert" className={classNames(styles.notice, !bare && styles.framed)}>
      <CircleAlert size={16} aria-hidden="true" className={styles.icon} />
      <div className={styles.body}>
        <p className={styles.title}>{title}</p>
        <p className={styles.text}>{error.message}</p>
        {place.length === 0 ? null : (
          <dl className={styles.place}>
            {place.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        )}
        {error.hint === undefined ? null : <p className={styles.text}>{error.hint}</p>}
        {error.detail === undefined ? null : (
          <details className={styles.detail}>
            <summary>Details</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
            <pre tabIndex={0}>{error.detail}</pre>
          </details>
        )}
        {action === undefined ? null : <div className={styles.action}>{action}</div>}
      </div>
      <CopyButton label="Copy error" text={() => describeError(title, error)} className={styles.copy ?? ''} />
    </div>
  );
}
