import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './ActionRow.module.css';
import { classNames } from './classNames';

interface ActionRowProps {
  readonly className?: string | undefined;
  /** At the end: what else can be done with it. */
  readonly action: ReactNode;
  /** A `RowMain`. */
  readonly children: ReactNode;
}

/** A row of a list that is more than one thing to press. */
export function ActionRow({ className, action, children }: ActionRowProps) {
  return (
    <div className={classNames(styles.row, className)}>
      {children}
      {action}
    </div>
  );
}

/** What the row is about, over all of its width. */
export function RowMain({ className, ...others }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button {...others} type="button" className={classNames(styles.main, className)} />;
}

/** The same where there is nothing to press. */
export function RowLabel({ className, children }: { readonly className?: string | undefined; readonly children: ReactNode }) {
  return <div className={classNames(styles.main, className)}>{children}</div>;
}
