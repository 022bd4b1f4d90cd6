import { type Ref, useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { CellPlace } from '../../charts/timelineMoves';
import { cellsInView, scrollToCell, snapCell, stepZoom } from '../../charts/timelineZoom';
import { usePixelRatio } from '../../components/useCanvasLook';
import { useElementSize } from '../../components/useElementSize';
import { useStore, useStores } from '../../state/storesContext';
import { ColumnHeads } from './ColumnHeads';
import { cellSentence, describeCell } from './describeCell';
import { GridMarks } from './GridMarks';
import { HEAD_HEIGHT, namesWidth } from './gridSize';
import { HoverCard } from './HoverCard';
import type { ModuleNumbers } from './moduleNumbers';
import { RowHeads } from './RowHeads';
import type { Shading } from './shadeCodes';
import styles from './TimelineGrid.module.css';
import { useActiveCell } from './useActiveCell';
import { useGridChoices } from './useGridChoices';
import { USUAL_CELL, useGridKeys } from './useGridKeys';
import { useGridPaint } from './useGridPaint';
import { useGridPointer } from './useGridPointer';
import { useGridZoom } from './useGridZoom';
import type { ShownTimeline } from './useTimeline';
import type { CellWindow } from './wantedCells';

export interface TimelineGridHandle {
  focus(): void;
  /** @param direction 0: back to the usual size */
  zoom(direction: 1 | -1 | 0): void;
}

interface TimelineGridProps {
  readonly shown: ShownTimeline;
  readonly shading: Shading | null;
  readonly modules: ModuleNumbers;
  /** Grows when numbers have come: the cells are painted again. */
  readonly turn: number;
  readonly onWindow: (window: CellWindow) => void;
  readonly onActive: (cell: CellPlace | null) => void;
  /** Enter on a group: on to its detail. */
  readonly onOpenGroup: () => void;
  readonly ref: Ref<TimelineGridHandle>;
}

/** The cells of all groups at all commits: painted on a canvas, only those in view; the heads stay in view, one cell has the keyboard. */
export function TimelineGrid({ shown, shading, modules, turn, onWindow, onActive, onOpenGroup, ref }: TimelineGridProps) {
  const { workspace } = useStores();
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useElementSize(scroller);
  const ratio = usePixelRatio();
  const [scroll, setScroll] = useState({ left: 0, top: 0 });
  const commit = useStore(workspace, (state) => state.commit);
  const group = useStore(workspace, (state) => state.group);
  const path = useStore(workspace, (state) => state.path);

  const { places, columns, options } = shown;
  const cell = snapCell(options.cell, ratio);
  const headWidth = namesWidth(size.width);
  const area = { width: Math.max(0, size.width - headWidth), height: Math.max(0, size.height - HEAD_HEIGHT) };
  const inView: CellWindow = {
    rows: cellsInView(scroll.top, area.height, { cell, count: places.length }),
    columns: cellsInView(scroll.left, area.width, { cell, count: columns.length }),
  };
  const show = useCallback(
    (place: CellPlace) => {
      const element = scroller.current;
      if (element === null) return;
      const [width, height] = [element.clientWidth - headWidth, element.clientHeight - HEAD_HEIGHT];
      if (width <= 0 || height <= 0) return;
      element.scrollLeft = scrollToCell(place.column, element.scrollLeft, { cell, length: width });
      element.scrollTop = scrollToCell(place.row, element.scrollTop, { cell, length: height });
    },
    [cell, headWidth],
  );
  useStartAtNewest(scroller, { isMeasured: size.width > 0, place: `${path ?? ''}\0${options.scope}` });
  const cursor = useActiveCell(shown, { show, isReady: size.width > 0 });
  const { active } = cursor;
  useEffect(() => onActive(active), [active, onActive]);
  const [firstRow, endRow] = inView.rows;
  const [firstColumn, endColumn] = inView.columns;
  useEffect(() => onWindow({ rows: [firstRow, endRow], columns: [firstColumn, endColumn] }), [onWindow, firstRow, endRow, firstColumn, endColumn]);

  const zoomAt = useGridZoom(scroller, { size: options.cell, ratio, headWidth });
  // The cell with the keyboard keeps its place while it is in view.
  const zoom = (next: number) => {
    const at = active === null ? null : { x: (active.column + 0.5) * cell - scroll.left, y: (active.row + 0.5) * cell - scroll.top };
    if (at === null || at.x < 0 || at.y < 0 || at.x > area.width || at.y > area.height) zoomAt(next);
    else zoomAt(next, at);
  };
  useGridPaint(canvas, { shown, shading, turn, window: inView, scroll, ...area, cell, ratio });
  useImperativeHandle(ref, () => ({
    focus: () => scroller.current?.focus(),
    zoom: (direction) => zoom(direction === 0 ? USUAL_CELL : stepZoom(options.cell, direction)),
  }));

  const text = useMemo(() => {
    void turn;
    const description = active === null ? null : describeCell(shown, active, modules);
    return description === null ? '' : cellSentence(description);
  }, [shown, active, modules, turn]);
  const choices = useGridChoices(shown);
  const { hover, leave, handleMove, handleClick } = useGridPointer(scroller, {
    rows: places.length,
    columns: columns.length,
    cell,
    headWidth,
    cursor,
    choices,
  });
  const page = Math.floor(area.height / cell);
  const handleKey = useGridKeys({ shown, cursor, choices, zoom, show, page, text, isHovered: hover !== null, leave, onOpenGroup });

  const hovered = hover === null ? null : describeCell(shown, hover, modules);
  const chosen = (commit === null ? undefined : shown.columnOf.get(commit)) ?? null;
  const snapped = { width: Math.round(area.width * ratio) / ratio, height: Math.round(area.height * ratio) / ratio };
  return (
    <div
      ref={scroller}
      role="treegrid"
      aria-label="Parameter groups by version"
      aria-rowcount={places.length + 1}
      aria-colcount={columns.length + 1}
      tabIndex={0}
      data-region-start
      {...(active === null ? {} : { 'aria-activedescendant': 'timeline-cell' })}
      className={styles.scroller}
      onScroll={(event) => {
        const { scrollLeft: left, scrollTop: top } = event.currentTarget;
        setScroll({ left, top });
        leave();
      }}
      onKeyDown={handleKey}
      onClick={handleClick}
      onPointerMove={handleMove}
      onPointerLeave={leave}
    >
      <div className={styles.stage} style={{ width: headWidth + columns.length * cell, height: HEAD_HEIGHT + places.length * cell }}>
        <div className={styles.view} style={{ width: size.width, height: size.height }}>
          <canvas ref={canvas} className={styles.canvas} style={{ left: headWidth, top: HEAD_HEIGHT, ...snapped }} />
          <GridMarks
            left={headWidth}
            top={HEAD_HEIGHT}
            {...area}
            scroll={scroll}
            cell={cell}
            rows={places.length}
            range={shown.range}
            anchor={cursor.anchor}
            chosen={chosen}
            active={active}
          />
          <ColumnHeads
            shown={shown}
            headWidth={headWidth}
            cell={cell}
            scroll={scroll.left}
            width={area.width}
            window={inView.columns}
            chosen={chosen}
            active={active?.column ?? null}
          />
          <RowHeads
            shown={shown}
            width={headWidth}
            height={area.height}
            cell={cell}
            scroll={scroll.top}
            window={inView.rows}
            chosen={group}
            active={active}
            activeText={text}
          />
          {hover === null || hovered === null ? null : <HoverCard cell={hovered} x={hover.x} y={hover.y} width={size.width} height={size.height} />}
        </div>
      </div>
    </div>
  );
}

/** The newest commits stand at the right: there the grid begins, again for each checkpoint and scope. */
function useStartAtNewest(
  scroller: { readonly current: HTMLElement | null },
  { isMeasured, place }: { readonly isMeasured: boolean; readonly place: string },
): void {
  useLayoutEffect(() => {
    void place;
    if (isMeasured && scroller.current !== null) scroller.current.scrollLeft = scroller.current.scrollWidth;
  }, [scroller, isMeasured, place]);
}
