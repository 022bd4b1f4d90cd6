import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyButton } from '../../components/CopyButton';
import { classNames } from '../../components/classNames';
import { IconButton } from '../../components/IconButton';
import styles from './GraphPanel.module.css';

interface PanelFrameProps {
  readonly label: string;
  readonly title: string;
  /** Whole name or path; empty for none. */
  readonly name: string;
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

/** A pane about something of the graph: what it is on top, then what is known of it. */
export function PanelFrame({ label, title, name, onClose, children }: PanelFrameProps) {
  return (
    <section className={styles.pane} aria-label={label} data-region>
      <header className={styles.header}>
        <h2 className={styles.title} tabIndex={-1} data-region-start>
          <bdi className={styles.operator}>{title}</bdi>
          {name === '' || name === title ? null : <bdi className={styles.name}>{name}</bdi>}
        </h2>
        <CopyButton label="Copy name" text={name === '' ? title : name} />
        {onClose === undefined ? null : <IconButton label="Close the details" icon={<X size={16} />} onClick={onClose} />}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <div className={styles.content} tabIndex={0}>
        {children}
      </div>
    </section>
  );
}

interface PanelSectionProps {
  readonly title: string;
  readonly count?: string | undefined;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function PanelSection({ title, count, action, children }: PanelSectionProps) {
  return (
    <div className={styles.section}>
      <div className={styles.sectionHead}>
        <h3>{title}</h3>
        {count === undefined ? null : <span className={styles.count}>{count}</span>}
        {action}
      </div>
      {children}
    </div>
  );
}

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
  readonly isMono?: boolean;
}

/** Names and values; those without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly (Fact | null)[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map((fact) =>
        fact === null || fact.value === '' ? null : (
          <div key={fact.name} style={{ display: 'contents' }}>
            <dt>
              <bdi>{fact.name}</bdi>
            </dt>
            <dd className={classNames(fact.isMono === true && styles.mono)}>{typeof fact.value === 'string' ? <bdi>{fact.value}</bdi> : fact.value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
