import type { ReactNode } from 'react';
import styles from './TwoLines.module.css';

/** What something is called, and facts about it in small print below. */
export function TwoLines({ facts, children }: { readonly facts: ReactNode; readonly children: ReactNode }) {
  return (
    <span className={styles.text}>
      {children}
      <span className={styles.facts}>{facts}</span>
    </span>
  );
}
