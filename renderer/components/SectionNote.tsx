import type { ReactNode } from 'react';
import styles from './SectionNote.module.css';

/** A sentence in a section, where there is nothing to list or not everything is listed. */
export function SectionNote({ children }: { readonly children: ReactNode }) {
  return <p className={styles.note}>{children}</p>;
}
