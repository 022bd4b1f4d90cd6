import { Fragment, type ReactNode } from 'react';
import { Group, type Layout, Panel, Separator } from 'react-resizable-panels';
import { classNames } from './classNames';
import styles from './SplitPanes.module.css';

export interface Pane {
  readonly id: string;
  /** Names the line after it: `Resize sidebar`. */
  readonly label: string;
  /** `240px`, `30%`. */
  readonly defaultSize?: string;
  readonly minSize?: string;
  readonly maxSize?: string;
  /** Keeps its pixels when the window is resized; at least one pane must not. */
  readonly fixed?: boolean;
  readonly content: ReactNode;
}

interface SplitPanesProps {
  readonly id: string;
  readonly panes: readonly Pane[];
  readonly orientation?: 'horizontal' | 'vertical';
  /** Sizes as they were reported; used when the panes are the same ones. */
  readonly sizes?: Layout | undefined;
  readonly onSizes: (sizes: Layout) => void;
}

/** Panes side by side (or on top of each other) with lines between them that the mouse and the arrow keys move. */
export function SplitPanes({ id, panes, orientation = 'horizontal', sizes, onSizes }: SplitPanesProps) {
  const remembered = sizes !== undefined && panes.length === Object.keys(sizes).length && panes.every((pane) => Object.hasOwn(sizes, pane.id));
  return (
    <Group
      // Other panes are another group: the library keeps the layout of the ones it was mounted with.
      key={panes.map((pane) => pane.id).join()}
      id={id}
      orientation={orientation}
      className={styles.group}
      {...(remembered ? { defaultLayout: sizes } : {})}
      onLayoutChanged={(layout, meta) => {
        if (meta.isUserInteraction) onSizes(layout);
      }}
    >
      {panes.map((pane, index) => (
        <Fragment key={pane.id}>
          <Panel
            id={pane.id}
            className={styles.panel}
            defaultSize={pane.defaultSize}
            minSize={pane.minSize}
            maxSize={pane.maxSize}
            groupResizeBehavior={pane.fixed === true ? 'preserve-pixel-size' : 'preserve-relative-size'}
          >
            {pane.content}
          </Panel>
          {index === panes.length - 1 ? null : (
            <Separator aria-label={pane.label} className={classNames(styles.line, orientation === 'horizontal' ? styles.vertical : styles.horizontal)} />
          )}
        </Fragment>
      ))}
    </Group>
  );
}
