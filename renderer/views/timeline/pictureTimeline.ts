import { HEAT_PALETTES } from '../../charts/heatCells';
import { chooseLabels, labelStride } from '../../charts/timelineZoom';
import { drawCells } from './drawCells';
import type { Shading } from './shadeCodes';
import { readColours } from './timelineColours';
import type { ShownTimeline } from './useTimeline';

/** Browsers refuse larger canvases. */
const MOST_PIXELS = 16_000;
const NAMES = 260;
const HASHES = 64;
const SHARPNESS = 2;
const LABEL = 16;
const INSIDE = 100;

interface Picture {
  readonly shown: ShownTimeline;
  readonly shading: Shading | null;
  readonly isDark: boolean;
}

/** Paints the whole grid with its names and hashes; in smaller cells than on the screen where a picture could not be that large. */
export function pictureTimeline(canvas: HTMLCanvasElement, { shown, shading, isDark }: Picture): void {
  const { places, columns, options } = shown;
  const room = Math.floor((MOST_PIXELS / SHARPNESS - NAMES) / Math.max(1, places.length, columns.length));
  const cell = Math.max(1, Math.min(options.cell, room));
  const shownRows = places.subarray(0, Math.floor((MOST_PIXELS / SHARPNESS - HASHES) / cell));
  const shownColumns = columns.subarray(Math.max(0, columns.length - Math.floor((MOST_PIXELS / SHARPNESS - NAMES) / cell)));
  const [width, height] = [NAMES + shownColumns.length * cell, HASHES + shownRows.length * cell];
  canvas.width = width * SHARPNESS;
  canvas.height = height * SHARPNESS;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  if (context === null) return;
  const palette = isDark ? HEAT_PALETTES.dark : HEAT_PALETTES.light;
  const colours = readColours(document.documentElement, palette, shading?.scale.kind === 'diverging' ? 'diverging' : 'sequential');
  drawCells(context, {
    shown,
    shading,
    colours,
    places: shownRows,
    columns: shownColumns,
    cell: cell * SHARPNESS,
    left: NAMES * SHARPNESS,
    top: HASHES * SHARPNESS,
    ratio: SHARPNESS,
  });
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = colours.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.globalCompositeOperation = 'source-over';
  context.scale(SHARPNESS, SHARPNESS);
  paintNames(context, { shown, places: shownRows, cell });
  paintHashes(context, { shown, columns: shownColumns, cell });
}

function paintNames(
  context: CanvasRenderingContext2D,
  { shown, places, cell }: { readonly shown: ShownTimeline; readonly places: Int32Array; readonly cell: number },
): void {
  const { tree } = shown.rows;
  const style = getComputedStyle(document.documentElement);
  context.fillStyle = style.getPropertyValue('--text');
  context.textBaseline = 'middle';
  const depths = Array.from(places, (place) => (tree[place]?.kind === 'module' ? (tree[place]?.depth ?? 0) : INSIDE));
  for (const at of chooseLabels(depths, { cell, label: LABEL })) {
    const row = tree[places[at] ?? -1];
    if (row === undefined) continue;
    context.font = `${row.kind === 'module' ? 600 : 400} 11px ${style.getPropertyValue('--font-mono')}`;
    const indent = 8 + Math.min(8, row.depth) * 12;
    context.fillText(row.label, indent, HASHES + (at + 0.5) * cell, NAMES - indent - 8);
  }
}

function paintHashes(
  context: CanvasRenderingContext2D,
  { shown, columns, cell }: { readonly shown: ShownTimeline; readonly columns: Int32Array; readonly cell: number },
): void {
  const style = getComputedStyle(document.documentElement);
  context.font = `400 11px ${style.getPropertyValue('--font-mono')}`;
  const stride = labelStride(cell, LABEL);
  for (let at = columns.length - 1; at >= 0; at -= stride) {
    context.save();
    context.translate(NAMES + (at + 0.5) * cell, HASHES - 6);
    context.rotate(-Math.PI / 2);
    context.fillText(shown.states.index.columns[columns[at] ?? -1]?.commit.slice(0, 7) ?? '', 0, 0);
    context.restore();
  }
}
