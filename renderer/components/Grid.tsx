import type { HTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from './classNames';
import styles from './Grid.module.css';
import { gridRows } from './gridRoles';

interface GridProps extends HTMLAttributes<HTMLDivElement> {
  readonly label: string;
  /** Without the head; `null` while nobody knows. */
  readonly rowCount: number | null;
  /** Id of the active row; `null` while it is out of view and so not drawn. */
  readonly activeId: string | null;
  readonly head: ReactNode;
  /** Pixels that all rows take, those that are not drawn included. */
  readonly bodyHeight: number;
  readonly ref: Ref<HTMLDivElement>;
}

/** A treegrid that draws only the rows in view, each at its own place. It has the focus, handles the keys and names its active row. */
export function Grid({ label, rowCount, activeId, head, bodyHeight, ref, className, children, ...others }: GridProps) {
  return (
    <div
      {...others}
      ref={ref}
      role="treegrid"
      aria-label={label}
      aria-rowcount={rowCount === null ? -1 : rowCount + 1}
      {...(activeId === null ? {} : { 'aria-activedescendant': activeId })}
      tabIndex={0}
      className={classNames(styles.grid, className)}
    >
      {head}
      <div {...gridRows} className={styles.body} style={{ height: bodyHeight }}>
        {children}
      </div>
    </div>
  );
}
