import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react';
import type { SliceView, TensorPreview } from '../../../shared/model/tensorStats';
import { formatExactNumber, formatNumber } from '../../charts/formatNumber';
import { HEAT_PALETTES, type HeatScale, legendColours } from '../../charts/heatCells';
import chartStyles from '../../components/chart.module.css';
import { drawHeat } from '../../components/drawHeat';
import { useIsDark, usePixelRatio } from '../../components/useCanvasLook';
import styles from './SliceMaps.module.css';

export interface Cell {
  readonly row: number;
  readonly column: number;
}

interface SliceMapProps {
  readonly letter: string;
  readonly label: string;
  readonly preview: TensorPreview;
  readonly scale: HeatScale;
  /** CSS pixels that it may take. */
  readonly width: number;
  /** Window that the picture is of, and the one that it will be of. */
  readonly shown: SliceView;
  readonly wanted: SliceView;
  readonly cell: Cell | null;
  /** What is read at the cell. */
  readonly text: string;
  /** Whether this one takes the focus; the others follow. */
  readonly isReader: boolean;
  readonly onCell: (cell: Cell | null) => void;
  /** A step of the wheel, at a place (shares of height and width). @returns whether it did anything */
  readonly onZoom: (out: boolean, at: { readonly row: number; readonly column: number }) => boolean;
  readonly onPan: (by: { readonly rows: number; readonly columns: number }) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly menu: (canvas: () => HTMLCanvasElement | null) => ReactNode;
}

const [TALLEST, LOWEST] = [300, 24];

/** One picture with its legend. The pointer reads a cell, the wheel zooms, dragging moves. */
export function SliceMap(props: SliceMapProps) {
  const { preview, scale, shown, wanted, cell, onZoom } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; y: number } | null>(null);
  const palette = HEAT_PALETTES[useIsDark() ? 'dark' : 'light'];
  const ratio = usePixelRatio();
  const layout = sizeOf(wanted, props.width);
  const { width, height } = layout;
  useEffect(() => {
    if (canvas.current !== null) drawHeat(canvas.current, { preview, scale, palette, layout: { width, height }, ratio });
  }, [preview, scale, palette, width, height, ratio]);

  // React listens to wheels passively: the page would scroll as well.
  useEffect(() => {
    const element = surface.current;
    if (element === null) return;
    const turn = (event: WheelEvent) => {
      if (event.deltaY === 0 || event.ctrlKey) return;
      const { left, top } = element.getBoundingClientRect();
      if (onZoom(event.deltaY > 0, { row: (event.clientY - top) / height, column: (event.clientX - left) / width })) event.preventDefault();
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [onZoom, width, height]);

  const move = (event: PointerEvent<HTMLDivElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    if (drag.current !== null && event.buttons === 1) {
      const by = {
        rows: Math.trunc(((drag.current.y - event.clientY) / height) * (wanted.rows[1] - wanted.rows[0])),
        columns: Math.trunc(((drag.current.x - event.clientX) / width) * (wanted.columns[1] - wanted.columns[0])),
      };
      if (by.rows === 0 && by.columns === 0) return;
      drag.current = { x: event.clientX, y: event.clientY };
      props.onPan(by);
      return;
    }
    const place = (at: number, size: number, count: number) => Math.max(0, Math.min(count - 1, Math.floor((at / size) * count)));
    props.onCell({ row: place(event.clientY - top, height, preview.rows), column: place(event.clientX - left, width, preview.columns) });
  };
  const handlers = {
    onPointerMove: move,
    onPointerLeave: () => props.onCell(null),
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      drag.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerUp: () => {
      drag.current = null;
    },
  };
  return (
    <figure className={styles.map}>
      <div className={styles.mapHead}>
        <span className={styles.letter}>{props.letter}</span>
        <span className={chartStyles.space} />
        {props.menu(() => canvas.current)}
      </div>
      <div className={styles.cells} style={{ width, height }}>
        <canvas ref={canvas} role="img" aria-label={props.label} className={styles.canvas} style={{ transform: transformOf(shown, wanted, layout) }} />
        {cell === null || shown !== wanted ? null : (
          <span
            className={chartStyles.cell}
            style={{
              left: (cell.column / preview.columns) * width,
              top: (cell.row / preview.rows) * height,
              width: width / preview.columns,
              height: height / preview.rows,
            }}
          />
        )}
        {props.isReader ? (
          <div
            ref={surface}
            role="slider"
            aria-label="Cells of the heat maps"
            aria-valuemin={0}
            aria-valuemax={Math.max(0, preview.rows * preview.columns - 1)}
            aria-valuenow={cell === null ? 0 : cell.row * preview.columns + cell.column}
            aria-valuetext={props.text}
            tabIndex={0}
            className={styles.surface}
            onKeyDown={props.onKey}
            onBlur={() => props.onCell(null)}
            {...handlers}
          />
        ) : (
          <div ref={surface} className={styles.surface} {...handlers} />
        )}
      </div>
      <Legend scale={scale} colours={legendColours(scale, palette)} />
    </figure>
  );
}

function Legend({ scale, colours }: { readonly scale: HeatScale; readonly colours: readonly string[] }) {
  return (
    <div className={styles.legend}>
      <span title={formatExactNumber(scale.low)}>
        {scale.clipped && scale.kind === 'diverging' ? '≤ ' : ''}
        {formatNumber(scale.low, 3)}
      </span>
      <span className={styles.ramp} style={{ backgroundImage: `linear-gradient(to right, ${colours.join(', ')})` }} aria-hidden="true" />
      <span title={formatExactNumber(scale.high)}>
        {scale.clipped ? '≥ ' : ''}
        {formatNumber(scale.high, 3)}
      </span>
    </div>
  );
}

/** Square cells where they fit; a single row is still thick enough to be seen, a tall matrix no taller than the pane. */
function sizeOf({ rows, columns }: SliceView, available: number): { readonly width: number; readonly height: number } {
  const [down, right] = [Math.max(1, rows[1] - rows[0]), Math.max(1, columns[1] - columns[0])];
  const height = Math.max(LOWEST, Math.min(TALLEST, Math.round((available * down) / right)));
  const narrow = Math.round((height * right) / down);
  return { width: Math.max(Math.min(available, 48), Math.min(available, narrow < available ? Math.max(narrow, available / 3) : available)), height };
}

/** The old picture stands where it belongs in the new window until the new one is there. */
function transformOf(shown: SliceView, wanted: SliceView, { width, height }: { readonly width: number; readonly height: number }): string {
  if (shown === wanted) return 'none';
  const along = (from: readonly [number, number], to: readonly [number, number]) => {
    const length = Math.max(1, to[1] - to[0]);
    return { scale: (from[1] - from[0]) / length, shift: (from[0] - to[0]) / length };
  };
  const [down, right] = [along(shown.rows, wanted.rows), along(shown.columns, wanted.columns)];
  return `translate(${right.shift * width}px, ${down.shift * height}px) scale(${right.scale}, ${down.scale})`;
}
