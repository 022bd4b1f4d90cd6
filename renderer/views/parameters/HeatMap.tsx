import { useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { TensorPreview } from '../../../shared/model/tensorStats';
import { formatExactNumber, formatNumber } from '../../charts/formatNumber';
import { chooseHeatScale, HEAT_PALETTES, legendColours } from '../../charts/heatCells';
import { CopyButton } from '../../components/CopyButton';
import chartStyles from '../../components/chart.module.css';
import { drawHeat } from '../../components/drawHeat';
import { ReadingSurface } from '../../components/ReadingSurface';
import { useIsDark, usePixelRatio } from '../../components/useCanvasLook';
import { useElementSize } from '../../components/useElementSize';
import styles from './HeatMap.module.css';
import { cellAt, type HeatCell, heatCsv, layoutHeat, sourceIndex } from './heatLayout';

interface HeatMapProps {
  readonly name: string;
  readonly preview: TensorPreview;
}

/** A tensor as a matrix of colours. The pointer, or the arrow keys, read a cell. */
export function HeatMap({ name, preview }: HeatMapProps) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width: available } = useElementSize(box);
  const isDark = useIsDark();
  const ratio = usePixelRatio();
  const [cell, setCell] = useState<HeatCell | null>(null);

  const palette = isDark ? HEAT_PALETTES.dark : HEAT_PALETTES.light;
  const scale = useMemo(() => chooseHeatScale(preview.values), [preview]);
  const layout = useMemo(() => layoutHeat(preview, available), [preview, available]);
  useEffect(() => {
    if (canvas.current !== null) drawHeat(canvas.current, { preview, scale, palette, layout, ratio });
  }, [preview, scale, palette, layout, ratio]);

  if (preview.rows === 0 || preview.columns === 0) return null;
  const caption = cell === null ? (scale.kind === 'diverging' ? 'Blue below zero, orange above' : 'Stronger blue for larger values') : cellText(cell, preview);
  const isReduced = preview.rows < preview.sourceRows || preview.columns < preview.sourceColumns;
  return (
    <figure className={chartStyles.figure}>
      <div className={chartStyles.head}>
        <h3>Heat map</h3>
        <span className={styles.size} title={isReduced ? `Shown as ${preview.rows} × ${preview.columns} cells, each the mean of its elements` : undefined}>
          {formatCount(preview.sourceRows)} × {formatCount(preview.sourceColumns)}
          {isReduced ? ', averaged' : ''}
        </span>
        <span className={chartStyles.space} />
        <CopyButton label="Copy heat map as CSV" text={() => heatCsv(preview)} />
      </div>
      <div ref={box} className={styles.box}>
        <div className={styles.cells} style={{ width: layout.width, height: layout.height }}>
          <canvas ref={canvas} role="img" aria-label={`Heat map of ${name}`} className={styles.canvas} />
          {cell === null ? null : (
            <span
              className={chartStyles.cell}
              style={{ left: cell.column * layout.cellWidth, top: cell.row * layout.cellHeight, width: layout.cellWidth, height: layout.cellHeight }}
            />
          )}
          <ReadingSurface
            label="Cells of the heat map"
            place={cell === null ? null : cell.row * preview.columns + cell.column}
            last={preview.rows * preview.columns - 1}
            text={caption}
            onPoint={(point) => setCell(point === null ? null : cellAt(layout, preview, point))}
            onKey={(key) => stepCell(key, cell, preview)}
            onPlace={(place) => setCell({ row: Math.floor(place / preview.columns), column: place % preview.columns })}
          />
        </div>
      </div>
      <div className={styles.legend}>
        <span className={styles.number} title={formatExactNumber(scale.low)}>
          {scale.clipped && scale.kind === 'diverging' ? '≤ ' : ''}
          {formatNumber(scale.low)}
        </span>
        <span
          className={styles.ramp}
          style={{ backgroundImage: `linear-gradient(to right, ${legendColours(scale, palette).join(', ')})` }}
          aria-hidden="true"
        />
        <span className={styles.number} title={formatExactNumber(scale.high)}>
          {scale.clipped ? '≥ ' : ''}
          {formatNumber(scale.high)}
        </span>
      </div>
      <figcaption className={chartStyles.caption}>{caption}</figcaption>
    </figure>
  );
}

/** Place that an arrow key leads to. */
function stepCell(key: string, cell: HeatCell | null, { rows, columns }: Pick<TensorPreview, 'rows' | 'columns'>): number | null {
  const steps = new Map([
    ['ArrowUp', [-1, 0]],
    ['ArrowDown', [1, 0]],
    ['ArrowLeft', [0, -1]],
    ['ArrowRight', [0, 1]],
  ]);
  const [down, right] = steps.get(key) ?? [];
  if (down === undefined || right === undefined) return null;
  if (cell === null) return 0;
  const row = Math.max(0, Math.min(rows - 1, cell.row + down));
  return row * columns + Math.max(0, Math.min(columns - 1, cell.column + right));
}

function cellText(cell: HeatCell, preview: TensorPreview): string {
  const value = preview.values[cell.row * preview.columns + cell.column] ?? Number.NaN;
  const what = Number.isNaN(value) ? 'NaN' : Number.isFinite(value) ? formatExactNumber(Number(value.toPrecision(7))) : formatNumber(value);
  return `${sourceIndex(cell, preview)}: ${what}`;
}
