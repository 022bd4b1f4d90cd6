import { TIMELINE_KINDS } from '../../../shared/model/timeline';
import { CELL_FAILED, CELL_NO_NUMBER, CELL_UNCHANGED, MODULE_KINDS } from '../../charts/timelineCodes';
import { GLYPH_SIZE } from '../../charts/timelineZoom';
import { updateLook } from '../../components/updateLook';
import type { TimelineColours } from './timelineColours';

/** From here on lines part the cells. */
const LINE_SIZE = 6;
/** Outlines of the signs, made once. */
const PATHS = new Map<string, Path2D>();

export interface TimelinePainting {
  readonly codes: Uint16Array;
  readonly rows: number;
  readonly columns: number;
  /** Side of a cell in device pixels, whole. */
  readonly cell: number;
  /** Where the first cell begins, in device pixels; at most 0. */
  readonly left: number;
  readonly top: number;
  readonly ratio: number;
  readonly colours: TimelineColours;
  /** Share of a module's groups that changed, 0 to 1. */
  readonly shareOf: (row: number, column: number) => number;
}

/** Paints the cells in view: one pixel each, enlarged without blurring; then lines and signs where they have room. */
export function paintTimeline(context: CanvasRenderingContext2D, painting: TimelinePainting): void {
  const { codes, rows, columns, cell, left, top, colours } = painting;
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  if (rows === 0 || columns === 0) return;
  const pixels = new Uint32Array(codes.length);
  const table = cell >= GLYPH_SIZE * painting.ratio ? colours.pixels : colours.smallPixels;
  for (let at = 0; at < codes.length; at++) pixels[at] = table[codes[at] ?? 0] ?? 0;
  const small = new OffscreenCanvas(columns, rows);
  small.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), columns, rows), 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, left, top, columns * cell, rows * cell);
  if (cell >= LINE_SIZE * painting.ratio) paintLines(context, painting);
  if (cell >= GLYPH_SIZE * painting.ratio) paintSigns(context, painting);
  else if (cell >= 4) paintMarks(context, painting);
}

function paintLines(context: CanvasRenderingContext2D, { rows, columns, cell, left, top, ratio, colours }: TimelinePainting): void {
  const line = Math.max(1, Math.round(cell >= GLYPH_SIZE * ratio ? ratio * 1.5 : ratio));
  context.fillStyle = colours.surface;
  for (let row = 0; row <= rows; row++) context.fillRect(left, top + row * cell - line, columns * cell, line);
  for (let column = 0; column <= columns; column++) context.fillRect(left + column * cell - line, top, line, rows * cell);
}

function paintSigns(context: CanvasRenderingContext2D, painting: TimelinePainting): void {
  const { codes, rows, columns, cell, left, top, ratio, colours } = painting;
  const size = Math.min(cell * 0.5, 12 * ratio);
  const line = Math.max(1, Math.round(ratio * 1.5));
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const code = codes[row * columns + column] ?? 0;
      const [x, y] = [left + column * cell, top + row * cell];
      const box = { x: x + (cell - line - size) / 2, y: y + (cell - line - size) / 2, size };
      if (code < TIMELINE_KINDS.length) sign(context, { ...box, kind: TIMELINE_KINDS[code] ?? 'other', colour: colours.onKind });
      else if (code >= MODULE_KINDS && code < MODULE_KINDS + TIMELINE_KINDS.length) {
        const kind = code - MODULE_KINDS;
        const bar = Math.max(2, Math.round(3 * ratio));
        sign(context, { ...box, y: box.y - bar / 2, kind: TIMELINE_KINDS[kind] ?? 'other', colour: colours.moduleSigns[kind] ?? colours.quiet });
        context.fillStyle = colours.moduleBars[kind] ?? colours.quiet;
        const full = cell - line;
        context.fillRect(x, y + full - bar, Math.max(bar, Math.round(full * painting.shareOf(row, column))), bar);
      } else if (code === CELL_UNCHANGED) {
        context.fillStyle = colours.quiet;
        const dot = Math.max(1, Math.round(1.5 * ratio));
        context.fillRect(Math.round(x + (cell - line - dot) / 2), Math.round(y + (cell - line - dot) / 2), dot, dot);
      } else if (code === CELL_FAILED) sign(context, { ...box, kind: 'conflict', colour: colours.failed });
      else if (code === CELL_NO_NUMBER) hatch(context, { x, y, size: cell - line, ratio, colour: colours.surface });
    }
  }
}

/** Cells too small for signs: what is no number is crossed all the same. */
function paintMarks(context: CanvasRenderingContext2D, { codes, columns, cell, left, top, colours, ratio }: TimelinePainting): void {
  context.strokeStyle = colours.failed;
  context.lineWidth = ratio;
  context.beginPath();
  codes.forEach((code, at) => {
    if (code !== CELL_FAILED) return;
    const [x, y] = [left + (at % columns) * cell, top + Math.floor(at / columns) * cell];
    context.moveTo(x, y + cell - 1);
    context.lineTo(x + cell - 1, y);
  });
  context.stroke();
}

interface Sign {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly kind: string;
  readonly colour: string;
}

function sign(context: CanvasRenderingContext2D, { x, y, size, kind, colour }: Sign): void {
  let path = PATHS.get(kind);
  if (path === undefined) {
    path = new Path2D(updateLook(kind).path);
    PATHS.set(kind, path);
  }
  context.setTransform(size / 12, 0, 0, size / 12, x, y);
  context.fillStyle = colour;
  context.fill(path, 'evenodd');
  context.setTransform(1, 0, 0, 1, 0, 0);
}

function hatch(
  context: CanvasRenderingContext2D,
  { x, y, size, ratio, colour }: { readonly colour: string; readonly x: number; readonly y: number; readonly size: number; readonly ratio: number },
): void {
  context.save();
  context.beginPath();
  context.rect(x, y, size, size);
  context.clip();
  context.beginPath();
  for (let start = -size; start < size; start += 5 * ratio) {
    context.moveTo(x + start, y + size);
    context.lineTo(x + start + size, y);
  }
  context.lineWidth = ratio;
  context.strokeStyle = colour;
  context.stroke();
  context.restore();
}
