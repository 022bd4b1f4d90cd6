import type { HTMLAttributes, ReactNode } from 'react';
import { classNames } from './classNames';
import styles from './Grid.module.css';

interface GridRowProps extends HTMLAttributes<HTMLDivElement> {
  /** Pixels from the top of the first row. */
  readonly top: number;
  readonly isActive?: boolean;
}

/** A row of a `Grid`. The grid around it has the focus, so the row itself takes none. */
export function GridRow({ top, isActive = false, className, ...others }: GridRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above and gridRoles.ts
    <div {...others} role="row" className={classNames(styles.row, className, isActive && styles.active)} style={{ transform: `translateY(${top}px)` }} />
  );
}

/** The first row, with the names of the columns; stays in view. */
export function GridHead({ className, children }: { readonly className?: string | undefined; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above and gridRoles.ts
    <div role="row" aria-rowindex={1} className={classNames(styles.head, className)}>
      {children}
    </div>
  );
}
