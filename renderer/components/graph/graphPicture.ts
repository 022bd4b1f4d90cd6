import type { GraphScene } from '../../charts/graphScene';
import type { GraphColours } from './graphColours';
import type { GraphLooks } from './graphLooks';
import { canvasPen, type GraphPen } from './graphPen';
import { paintGraph } from './paintGraph';
import { svgFile, svgPen } from './svgPen';

interface GraphDrawing {
  readonly scene: GraphScene;
  readonly looks: GraphLooks;
  readonly colours: GraphColours;
}

const MARGIN = 24;
/** What browsers still take as a canvas: a side, and all of it. */
const MOST_SIDE = 16_000;
const MOST_PIXELS = 64e6;
const NO_EDGES = new Uint32Array(0);

/** All of the drawing as it is folded now, as an SVG file. */
export function graphSvg(drawing: GraphDrawing): string {
  const { pen, nodes } = svgPen();
  paintAll(pen, drawing, 1);
  const { width, height } = drawing.scene.layout;
  return svgFile(nodes, { x: -MARGIN, y: -MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN }, drawing.colours.surface);
}

/** The same as a PNG file: twice as sharp as on the screen, smaller where it would be too large. @throws Error when it cannot be drawn */
export function graphPng(drawing: GraphDrawing): Promise<Blob> {
  const width = drawing.scene.layout.width + 2 * MARGIN;
  const height = drawing.scene.layout.height + 2 * MARGIN;
  const scale = Math.min(2, MOST_SIDE / width, MOST_SIDE / height, Math.sqrt(MOST_PIXELS / (width * height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  if (context === null) return Promise.reject(new Error('The picture is too large to be drawn.'));
  context.fillStyle = drawing.colours.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(scale, 0, 0, scale, MARGIN * scale, MARGIN * scale);
  paintAll(canvasPen(context), drawing, scale);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('The picture is too large to be drawn.')) : resolve(blob)), 'image/png');
  });
}

function paintAll(pen: GraphPen, { scene, looks, colours }: GraphDrawing, zoom: number): void {
  const { view, layout } = scene;
  const marks = { selected: -1, inputs: NO_EDGES, outputs: NO_EDGES, hits: new Set<number>(), hovered: -1 };
  const boxes = Uint32Array.from(layout.boxes.x, (_, box) => box);
  const edges = Uint32Array.from(layout.edges.from, (_, edge) => edge);
  const part = { left: 0, top: 0, right: layout.width, bottom: layout.height };
  paintGraph(pen, { view, layout, boxes, edges, part, zoom, looks, colours, marks });
}
