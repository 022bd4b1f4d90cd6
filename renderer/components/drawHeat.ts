import type { TensorPreview } from '../../shared/model/tensorStats';
import { findHeatMarks, type HeatPalette, type HeatScale, paintHeatCells } from '../charts/heatCells';

/** Hatching more cells than this takes longer than a frame; the plain colour of NaN still tells. */
const MOST_MARKS = 20_000;

interface HeatDrawing {
  readonly preview: TensorPreview;
  readonly scale: HeatScale;
  readonly palette: HeatPalette;
  /** Size in CSS pixels. */
  readonly layout: { readonly width: number; readonly height: number };
  /** Device pixels of a CSS pixel. */
  readonly ratio: number;
}

/** Paints the cells in device pixels, without blurring; hatches NaN and puts a sign on infinities where the cells are large enough. */
export function drawHeat(canvas: HTMLCanvasElement, { preview, scale, palette, layout, ratio }: HeatDrawing): void {
  canvas.width = Math.max(1, Math.round(layout.width * ratio));
  canvas.height = Math.max(1, Math.round(layout.height * ratio));
  const context = canvas.getContext('2d');
  if (context === null || preview.rows === 0 || preview.columns === 0) return;
  const cells = document.createElement('canvas');
  cells.width = preview.columns;
  cells.height = preview.rows;
  cells.getContext('2d')?.putImageData(new ImageData(paintHeatCells(preview.values, scale, palette), preview.columns, preview.rows), 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(cells, 0, 0, canvas.width, canvas.height);

  const [width, height] = [canvas.width / preview.columns, canvas.height / preview.rows];
  const marks = findHeatMarks(preview.values, MOST_MARKS);
  const cellOf = (index: number) => ({ x: (index % preview.columns) * width, y: Math.floor(index / preview.columns) * height });
  hatch(context, { places: marks.filter((mark) => mark.kind === 'nan').map((mark) => cellOf(mark.index)), width, height, ratio });
  if (Math.min(width, height) < 8 * ratio) return;
  for (const mark of marks) {
    if (mark.kind === 'nan') continue;
    const { x, y } = cellOf(mark.index);
    sign(context, { x: x + width / 2, y: y + height / 2, size: Math.min(width, height) / 4, isPositive: mark.kind === 'positive-infinity' });
  }
}

interface Hatching {
  readonly places: readonly { readonly x: number; readonly y: number }[];
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
}

/** Diagonal lines that run on from cell to cell. */
function hatch(context: CanvasRenderingContext2D, { places, width, height, ratio }: Hatching): void {
  if (places.length === 0) return;
  context.save();
  context.beginPath();
  for (const { x, y } of places) context.rect(x, y, width, height);
  context.clip();
  context.beginPath();
  const { canvas } = context;
  for (let start = -canvas.height; start < canvas.width; start += 4 * ratio) {
    context.moveTo(start, canvas.height);
    context.lineTo(start + canvas.height, 0);
  }
  context.lineWidth = ratio;
  context.strokeStyle = 'rgb(128 0 96 / 80%)';
  context.stroke();
  context.restore();
}

function sign(context: CanvasRenderingContext2D, { x, y, size, isPositive }: { x: number; y: number; size: number; isPositive: boolean }): void {
  context.save();
  // Readable on the very dark and the very bright colour of infinities.
  context.globalCompositeOperation = 'difference';
  context.strokeStyle = '#ffffff';
  context.lineWidth = Math.max(1, size / 3);
  context.beginPath();
  context.moveTo(x - size, y);
  context.lineTo(x + size, y);
  if (isPositive) {
    context.moveTo(x, y - size);
    context.lineTo(x, y + size);
  }
  context.stroke();
  context.restore();
}
