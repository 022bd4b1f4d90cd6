import type { CellPlace } from '../../charts/timelineMoves';
import styles from './TimelineGrid.module.css';

interface GridMarksProps {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly scroll: { readonly left: number; readonly top: number };
  readonly cell: number;
  readonly rows: number;
  readonly range: readonly [number, number] | null;
  /** First end of a range whose other end is still to be chosen. */
  readonly anchor: number | null;
  readonly chosen: number | null;
  readonly active: CellPlace | null;
}

/** Over the cells: the chosen versions, the chosen commit, and the cell with the keyboard. */
export function GridMarks({ left, top, width, height, scroll, cell, rows, range, anchor, chosen, active }: GridMarksProps) {
  const bottom = Math.min(height, rows * cell - scroll.top);
  const column = (at: number, count = 1) => ({ left: at * cell - scroll.left, width: count * cell, height: bottom });
  const marked = range ?? (anchor === null ? null : ([anchor, anchor] as const));
  const side = Math.max(cell - 1, 3);
  return (
    <div className={styles.marks} style={{ left, top, width, height }} aria-hidden="true">
      {marked === null ? null : <span className={styles.range} style={column(marked[0], marked[1] - marked[0] + 1)} />}
      {chosen === null ? null : <span className={styles.chosen} style={column(chosen)} />}
      {active === null ? null : (
        <span className={styles.cursor} style={{ left: active.column * cell - scroll.left, top: active.row * cell - scroll.top, width: side, height: side }} />
      )}
    </div>
  );
}
