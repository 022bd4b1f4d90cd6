import { formatBytes } from '../../../shared/base/formatBytes';

import { MiddleEllipsis } from '../../components/MiddleEllipsis';
import { UpdateGlyph } from '../../components/UpdateGlyph';
import type { CellDescription } from './describeCell';
import { formatMinute } from './formatMinute';
import styles from './HoverCard.module.css';

const WIDTH = 300;
const HEIGHT = 132;

interface HoverCardProps {
  readonly cell: CellDescription;
  /** The pointer, and the room around it, in pixels of the view. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What is under the pointer. The same is said of the cell with the keyboard, so readers of the screen need not hear it twice. */
export function HoverCard({ cell, x, y, width, height }: HoverCardProps) {
  const left = x + 16 + WIDTH > width ? Math.max(0, x - 12 - WIDTH) : x + 16;
  const top = y + 16 + HEIGHT > height ? Math.max(0, y - 12 - HEIGHT) : y + 16;
  return (
    <div className={styles.card} style={{ left, top, width: WIDTH }} aria-hidden="true">
      <MiddleEllipsis text={cell.name} className={styles.name ?? ''} />
      <p className={styles.title}>
        <code>{cell.column.commit.slice(0, 7)}</code> <bdi>{cell.column.title}</bdi>
      </p>
      <p className={styles.quiet}>
        <bdi>{cell.column.author}</bdi>, {formatMinute(cell.column.time)}
      </p>
      <p className={styles.what}>
        {cell.kinds.map((kind) => (
          <UpdateGlyph key={kind} kind={kind} />
        ))}
        <span>{cell.what}</span>
        {cell.storedBytes === null || cell.storedBytes === 0 ? null : <span className={styles.quiet}>{formatBytes(cell.storedBytes)} stored</span>}
      </p>
      {cell.number === null ? null : <p className={styles.number}>{cell.number}</p>}
    </div>
  );
}
