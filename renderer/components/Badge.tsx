import type { ReactNode } from 'react';
import styles from './Badge.module.css';
import { classNames } from './classNames';

interface BadgeProps {
  readonly tone?: 'neutral' | 'accent' | 'success' | 'warning' | 'danger';
  readonly title?: string;
  readonly children: ReactNode;
}

/** A word or number that belongs to what stands beside it. */
export function Badge({ tone = 'neutral', title, children }: BadgeProps) {
  return (
    <span className={classNames(styles.badge, styles[tone])} title={title}>
      {children}
    </span>
  );
}
