import type { Point, Rect } from '../../charts/graphCamera';
import type { LineSink } from '../../charts/graphEdges';
import type { ColouredBlocks } from './colouredBlocks';
import { fillPixels } from './fillPixels';

export interface BoxStyle {
  readonly fill?: string;
  readonly stroke?: string;
  readonly lineWidth?: number;
  readonly radius?: number;
  readonly dash?: readonly number[];
}

export interface LineStyle {
  readonly stroke: string;
  readonly lineWidth: number;
  readonly dash?: readonly number[];
}

export interface TextStyle {
  readonly fill: string;
  readonly size: number;
  readonly weight?: 400 | 600;
  readonly isMono?: boolean;
  readonly align?: 'start' | 'center' | 'end';
  /** Longer text is squeezed. */
  readonly maxWidth?: number;
  /** Painted around the letters, so that they can be read on lines. */
  readonly halo?: string;
}

/** What a graph is drawn with: a canvas on the screen, SVG for a file. Lengths are units of the drawing. */
export interface GraphPen {
  /** Many plain rectangles by their colours. */
  blocks(blocks: readonly ColouredBlocks[]): void;
  box(rect: Rect, style: BoxStyle): void;
  lines(trace: (sink: LineSink) => void, style: LineStyle): void;
  shapes(polygons: readonly (readonly Point[])[], fill: string): void;
  /** @param at where the first line's middle stands */
  text(text: string, at: Point, style: TextStyle): void;
}

export const GRAPH_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
export const GRAPH_MONO = 'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace';

/** More rectangles are faster as pixels: each call of a canvas without a graphics card costs some microseconds. */
const MOST_RECTS = 4000;

/** Draws on a canvas whose transform is set to the drawing's units. */
export function canvasPen(context: CanvasRenderingContext2D): GraphPen {
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  return {
    blocks(blocks) {
      if (blocks.reduce((sum, { rects }) => sum + rects.length / 4, 0) > MOST_RECTS) {
        fillPixels(context, blocks);
        return;
      }
      for (const { colour, rects } of blocks) {
        context.fillStyle = colour;
        for (let at = 0; at < rects.length; at += 4) context.fillRect(rects[at] ?? 0, rects[at + 1] ?? 0, rects[at + 2] ?? 0, rects[at + 3] ?? 0);
      }
    },
    box({ x, y, width, height }, { fill, stroke, lineWidth = 1, radius = 0, dash }) {
      context.beginPath();
      if (radius > 0) context.roundRect(x, y, width, height, radius);
      else context.rect(x, y, width, height);
      if (fill !== undefined) {
        context.fillStyle = fill;
        context.fill();
      }
      if (stroke === undefined) return;
      context.strokeStyle = stroke;
      context.lineWidth = lineWidth;
      context.setLineDash(dash === undefined ? [] : [...dash]);
      context.stroke();
    },
    lines(trace, { stroke, lineWidth, dash }) {
      context.beginPath();
      trace(context);
      context.strokeStyle = stroke;
      context.lineWidth = lineWidth;
      context.setLineDash(dash === undefined ? [] : [...dash]);
      context.stroke();
    },
    shapes(polygons, fill) {
      context.beginPath();
      for (const points of polygons) {
        points.forEach(({ x, y }, at) => {
          if (at === 0) context.moveTo(x, y);
          else context.lineTo(x, y);
        });
        context.closePath();
      }
      context.fillStyle = fill;
      context.fill();
    },
    text(text, { x, y }, { fill, size, weight = 400, isMono = false, align = 'start', maxWidth, halo }) {
      context.font = `${weight} ${size}px ${isMono ? GRAPH_MONO : GRAPH_FONT}`;
      context.textAlign = align;
      if (halo !== undefined) {
        context.strokeStyle = halo;
        context.lineWidth = size / 3;
        context.setLineDash([]);
        context.strokeText(text, x, y, maxWidth);
      }
      context.fillStyle = fill;
      context.fillText(text, x, y, maxWidth);
    },
  };
}
