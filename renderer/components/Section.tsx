import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './Section.module.css';

interface SectionProps {
  readonly title: string;
  readonly count?: number;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly children: ReactNode;
}

/** A part of a pane that folds away under its title. */
export function Section({ title, count, open, onOpenChange, children }: SectionProps) {
  return (
    <Collapsible.Root open={open} onOpenChange={onOpenChange} className={styles.section}>
      <h2>
        <Collapsible.Trigger className={styles.trigger}>
          <ChevronRight size={14} aria-hidden="true" className={styles.arrow} />
          <span className={styles.title}>{title}</span>
          {count === undefined ? null : <span className={styles.count}>{count}</span>}
        </Collapsible.Trigger>
      </h2>
      <Collapsible.Content>{children}</Collapsible.Content>
    </Collapsible.Root>
  );
}
