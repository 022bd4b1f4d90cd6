import type { LaneEdge, LaneRow } from '../../charts/commitLanes';
import { ROW_HEIGHT } from '../../components/gridRows';
import styles from './LaneGraphic.module.css';

const MIDDLE = ROW_HEIGHT / 2;
const LANE = 12;
const MARGIN = 10;
/** Lanes further right are cut off; a commit there gets a mark at the edge. */
const MOST_LANES = 14;

export function graphWidth(lanes: number): number {
  return MARGIN * 2 + LANE * (Math.min(MOST_LANES, Math.max(1, lanes)) - 1);
}

const laneX = (lane: number) => MARGIN + lane * LANE;

interface LaneGraphicProps {
  readonly row: LaneRow;
  readonly width: number;
  readonly isMerge: boolean;
  readonly isHead: boolean;
}

/** The lanes of one row. What they say is in the row's text, so the picture is hidden from screen readers. */
export function LaneGraphic({ row, width, isMerge, isHead }: LaneGraphicProps) {
  const isCut = row.lane >= MOST_LANES;
  const x = isCut ? width - 6 : laneX(row.lane);
  const colour = laneClass(row.colour);
  return (
    <svg className={styles.graph} width={width} height={ROW_HEIGHT} aria-hidden="true">
      {row.edges.map((edge) =>
        Math.min(edge.from, edge.to) >= MOST_LANES ? null : (
          <path key={`${edge.kind}${edge.from}-${edge.to}`} d={edgePath(edge)} className={laneClass(edge.colour)} />
        ),
      )}
      {row.parentsAbove > 0 ? <path d={`M${x} ${MIDDLE}V4M${x - 3} 7L${x} 3L${x + 3} 7`} className={colour} /> : null}
      {isCut ? (
        <path d={`M${x - 3} ${MIDDLE - 4}l4 4l-4 4`} className={colour} />
      ) : (
        <>
          {isHead ? <circle cx={x} cy={MIDDLE} r={7} className={`${colour} ${styles.halo}`} /> : null}
          <circle cx={x} cy={MIDDLE} r={isMerge ? 3.5 : 4} className={`${colour} ${isMerge ? styles.hollow : styles.dot}`} />
        </>
      )}
    </svg>
  );
}

function edgePath({ kind, from, to }: LaneEdge): string {
  const [start, end] = [laneX(from), laneX(to)];
  switch (kind) {
    case 'through':
      return `M${start} 0V${ROW_HEIGHT}`;
    case 'in':
      return start === end ? `M${start} 0V${MIDDLE}` : `M${start} 0Q${start} ${MIDDLE} ${end} ${MIDDLE}`;
    case 'out':
      return start === end ? `M${start} ${MIDDLE}V${ROW_HEIGHT}` : `M${start} ${MIDDLE}Q${end} ${MIDDLE} ${end} ${ROW_HEIGHT}`;
  }
}

function laneClass(colour: number): string {
  return styles[`lane${colour}`] ?? '';
}
