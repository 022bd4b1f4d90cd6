import { ChevronRight } from 'lucide-react';
import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import type { CellPlace } from '../../charts/timelineMoves';
import { chooseLabels } from '../../charts/timelineZoom';
import { classNames } from '../../components/classNames';
import { MiddleEllipsis } from '../../components/MiddleEllipsis';
import { gridPlace } from './gridPlace';
import styles from './TimelineGrid.module.css';
import type { ShownTimeline } from './useTimeline';

/** Pixels that a label takes, when cells are smaller. */
const LABEL = 18;
const GROUP_DEPTH = 100;
const MOST_INDENT = 8;
/** A group has no arrow; its name stands where the names of modules of its depth do. */
const ARROW = 16;

interface RowHeadsProps {
  readonly shown: ShownTimeline;
  readonly width: number;
  readonly cell: number;
  readonly scroll: number;
  readonly height: number;
  readonly window: readonly [number, number];
  /** Name of the chosen group. */
  readonly chosen: string | null;
  readonly active: CellPlace | null;
  readonly activeText: string;
}

/** Names of modules and groups; when the cells are small only of as many as have room, modules first. */
export function RowHeads({ shown, width, cell, scroll, height, window, chosen, active, activeText }: RowHeadsProps) {
  const { rows, places } = shown;
  const depths: number[] = [];
  for (let at = window[0]; at < window[1]; at++) {
    const row = rows.tree[places[at] ?? -1];
    depths.push(row === undefined ? GROUP_DEPTH : row.kind === 'module' ? row.depth : GROUP_DEPTH);
  }
  const labels = chooseLabels(depths, { cell, label: LABEL }).map((place) => place + window[0]);
  const isActiveLabelled = active === null || labels.includes(active.row);
  const box = Math.max(cell, LABEL);
  return (
    <div className={styles.rowHeads} style={{ width, height }}>
      {[...labels, ...(isActiveLabelled || active === null ? [] : [active.row])].map((at) => {
        const row = rows.tree[places[at] ?? -1];
        if (row === undefined) return null;
        const isActive = active?.row === at;
        const isOpen = row.kind === 'module' && !shown.closed.has(row.id);
        const isShown = isActiveLabelled || at !== active?.row;
        return (
          // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the grid itself has the focus
          <div
            key={row.id}
            role="row"
            aria-rowindex={at + 2}
            aria-level={row.depth + 1}
            {...(row.kind === 'module' ? { 'aria-expanded': isOpen } : {})}
            data-row={at}
            className={classNames(
              isShown ? styles.rowHead : 'visually-hidden',
              row.kind === 'module' && styles.module,
              isActive && styles.isActive,
              row.kind === 'group' && row.entry.group.name === chosen && styles.isChosen,
            )}
            style={
              isShown
                ? {
                    top: at * cell - scroll + (cell < LABEL ? (cell - LABEL) / 2 : 0),
                    height: box,
                    paddingLeft: 8 + Math.min(row.depth, MOST_INDENT) * 12 + (row.kind === 'module' ? 0 : ARROW),
                  }
                : undefined
            }
          >
            {/* biome-ignore lint/a11y/useSemanticElements: see above */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: see above */}
            <div role="rowheader" aria-colindex={1} className={styles.rowName}>
              {row.kind === 'module' ? <ChevronRight size={12} aria-hidden="true" className={classNames(styles.chevron, isOpen && styles.open)} /> : null}
              <MiddleEllipsis
                text={row.label === '' ? '(no name)' : row.label}
                title={row.kind === 'group' ? row.entry.group.name : row.label}
                className={styles.rowLabel ?? ''}
              />
              <span className={styles.size}>
                {row.kind === 'module' ? `${formatCount(row.totals.groups)} · ${formatBytes(row.totals.bytes)}` : formatBytes(row.entry.group.bytes)}
              </span>
            </div>
            {isActive && active !== null ? (
              <div {...gridPlace('gridcell', active.column + 2)} id="timeline-cell" className="visually-hidden">
                {activeText}
              </div>
            ) : null}
          </div>
        );
      })}
    </div>
  );
}
