import { type ReactNode, useId } from 'react';
import styles from './Fold.module.css';

/** Something to unfold below the groups; closed at first. */
export function Fold({ title, count, children }: { readonly title: string; readonly count: number; readonly children: ReactNode }) {
  const id = useId();
  return (
    <details className={styles.fold}>
      <summary id={id}>
        {title} <span className={styles.count}>{count}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section aria-labelledby={id} tabIndex={0} className={styles.folded}>
        {children}
      </section>
    </details>
  );
}
