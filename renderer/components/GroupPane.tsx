import { X } from 'lucide-react';
import type { HTMLAttributes, ReactNode, Ref } from 'react';
import { CopyButton } from './CopyButton';
import { classNames } from './classNames';
import styles from './GroupPane.module.css';
import { IconButton } from './IconButton';

interface GroupPaneProps {
  /** What the pane is, for assistive technology. */
  readonly label: string;
  /** Name of the parameter group, as in the file. */
  readonly name: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A pane about one parameter group: its name on top, then what the view says about it. */
export function GroupPane({ label, name, onClose, children }: GroupPaneProps) {
  return (
    <section className={styles.pane} aria-label={label} data-region>
      <header className={styles.header}>
        <h2 className={styles.name} dir="auto" tabIndex={-1} data-region-start>
          {name === '' ? '(no name)' : name}
        </h2>
        <CopyButton label="Copy name" text={name} />
        <IconButton label="Close the group" icon={<X size={16} />} onClick={onClose} />
      </header>
      {children}
    </section>
  );
}

/** Short facts in a row below the name. */
export function GroupFacts({ children }: { readonly children: ReactNode }) {
  return <p className={styles.facts}>{children}</p>;
}

/** A glyph with its word. */
export function GroupFact({ children }: { readonly children: ReactNode }) {
  return <span className={styles.fact}>{children}</span>;
}

/** What scrolls below the facts: charts and tables, one below the other. */
export function GroupContent({ className, ...rest }: HTMLAttributes<HTMLDivElement> & { readonly ref?: Ref<HTMLDivElement> }) {
  return <div {...rest} className={classNames(styles.content, className)} />;
}
