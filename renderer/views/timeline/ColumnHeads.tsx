import { useMemo } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { RefInfo } from '../../../shared/model/commit';
import { labelStride, placeLabels } from '../../charts/timelineZoom';
import { classNames } from '../../components/classNames';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { formatMinute } from './formatMinute';
import { gridPlace } from './gridPlace';
import styles from './TimelineGrid.module.css';
import type { ShownTimeline } from './useTimeline';

/** Pixels that a hash takes across its column. */
const HASH_WIDTH = 14;
const MOST_LABEL = 140;

interface ColumnHeadsProps {
  readonly shown: ShownTimeline;
  readonly headWidth: number;
  readonly cell: number;
  readonly scroll: number;
  readonly width: number;
  readonly window: readonly [number, number];
  readonly chosen: number | null;
  readonly active: number | null;
}

/** Hashes above the columns where they have room, branches and tags above those. */
export function ColumnHeads({ shown, headWidth, cell, scroll, width, window, chosen, active }: ColumnHeadsProps) {
  const { states, columns, places } = shown;
  const stride = labelStride(cell, HASH_WIDTH);
  const heads: number[] = [];
  for (let place = window[0]; place < window[1]; place++) {
    // Counted from the newest one, so that labels stay with their columns while the view scrolls.
    const isRegular = (columns.length - 1 - place) % stride === 0;
    const isNearMarked = [chosen, active].some((marked) => marked !== null && Math.abs(marked - place) < stride);
    if (place === chosen || place === active || (isRegular && !isNearMarked)) heads.push(place);
  }
  return (
    <>
      <div className={styles.corner} style={{ width: headWidth }}>
        <span>
          {formatCount(places.length)} {places.length === 1 ? 'row' : 'rows'} × {formatCount(columns.length)} {columns.length === 1 ? 'version' : 'versions'}
        </span>
      </div>
      <div className={styles.columnHeads} style={{ left: headWidth, width }}>
        {shown.range === null ? null : (
          <span className={styles.headRange} style={{ left: shown.range[0] * cell - scroll, width: (shown.range[1] - shown.range[0] + 1) * cell }} />
        )}
        <RefLine shown={shown} cell={cell} scroll={scroll} width={width} />
        {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the grid itself has the focus */}
        <div role="row" aria-rowindex={1}>
          <div {...gridPlace('columnheader', 1)} className="visually-hidden">
            Parameter group
          </div>
          {heads.map((place) => {
            const column = states.index.columns[columns[place] ?? -1];
            if (column === undefined) return null;
            return (
              <div
                key={column.commit}
                {...gridPlace('columnheader', place + 2)}
                data-column={place}
                title={`${column.title}\n${column.author}, ${formatMinute(column.time)}${column.error === null ? '' : `\n${column.error.message}`}`}
                className={classNames(
                  styles.columnHead,
                  place === chosen && styles.isChosen,
                  place === active && styles.isActive,
                  column.error !== null && styles.isBroken,
                )}
                style={{ left: Math.min(place * cell + cell / 2 - scroll - HASH_WIDTH / 2, width - HASH_WIDTH), width: HASH_WIDTH }}
              >
                <span className={styles.hash}>{column.commit.slice(0, 7)}</span>
                <span className="visually-hidden">{column.title}</span>
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

interface RefLineProps {
  readonly shown: ShownTimeline;
  readonly cell: number;
  readonly scroll: number;
  readonly width: number;
}

const NO_REFS: readonly RefInfo[] = [];

/** Branches and tags above their commits; those that have no room are told by the history. */
function RefLine({ shown, cell, scroll, width }: RefLineProps) {
  const { workspace } = useStores();
  const refs = useStore(workspace, (state) => latest(state.repository)?.refs ?? NO_REFS);
  const head = useStore(workspace, (state) => latest(state.repository)?.head);
  const { columnOf } = shown;
  const known = useMemo(() => {
    const rank = (ref: RefInfo) =>
      head?.kind === 'branch' && ref.kind === 'branch' && ref.name === head.name ? 0 : ref.kind === 'branch' ? 1 : ref.kind === 'tag' ? 2 : 3;
    return refs
      .flatMap((ref) => {
        const place = columnOf.get(ref.commit);
        return place === undefined ? [] : [{ ref, place, rank: rank(ref) }];
      })
      .sort((a, b) => a.rank - b.rank);
  }, [refs, head, columnOf]);
  const labels = known.map(({ ref, place, rank }) => ({ at: place * cell - scroll, width: Math.min(MOST_LABEL, labelWidth(ref.name, rank === 0)) }));
  return placeLabels(labels, { length: width, cell, gap: 2 }).map(({ index, left, width: shownWidth }) => {
    const item = known[index];
    if (item === undefined) return null;
    return (
      <span
        key={`${item.ref.kind} ${item.ref.name}`}
        className={classNames(styles.ref, item.rank === 0 && styles.headRef)}
        style={{ left, width: shownWidth }}
        title={item.ref.name}
        aria-hidden="true"
      >
        <bdi>{item.ref.name}</bdi>
      </span>
    );
  });
}

/** Padding and line at both sides of a label. */
const LABEL_SIDES = 10;
let measuring: CanvasRenderingContext2D | null | undefined;

/** Pixels that a label takes in the font of the window. */
function labelWidth(text: string, isBold: boolean): number {
  measuring ??= document.createElement('canvas').getContext('2d');
  if (measuring === null || measuring === undefined) return MOST_LABEL;
  measuring.font = `${isBold ? 600 : 400} 11px ${getComputedStyle(document.body).fontFamily}`;
  // A longer text is cut off anyway.
  return Math.ceil(measuring.measureText(text.slice(0, 60)).width) + LABEL_SIDES;
}
