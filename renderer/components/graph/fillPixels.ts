import { packed } from '../../charts/heatCells';
import type { ColouredBlocks } from './colouredBlocks';

interface Raster {
  readonly canvas: OffscreenCanvas;
  readonly context: OffscreenCanvasRenderingContext2D;
  readonly image: ImageData;
  readonly pixels: Uint32Array;
}

let raster: Raster | null = null;
const colours = new Map<string, number>();

/** Rectangles in whole pixels, over what is on the canvas already; the canvas's transform holds for them (a scale and a shift). */
export function fillPixels(context: CanvasRenderingContext2D, blocks: readonly ColouredBlocks[]): void {
  const { width, height } = context.canvas;
  const { a: scale, e: left, f: top } = context.getTransform();
  const { canvas, context: target, image, pixels } = rasterOf(width, height);
  pixels.fill(0);
  for (const { colour, rects } of blocks) {
    const pixel = pixelOf(target, colour);
    for (let at = 0; at < rects.length; at += 4) {
      const x = (rects[at] ?? 0) * scale + left;
      const y = (rects[at + 1] ?? 0) * scale + top;
      const from = Math.max(0, Math.round(x));
      const end = Math.min(width, Math.max(Math.round(x) + 1, Math.round(x + (rects[at + 2] ?? 0) * scale)));
      const bottom = Math.min(height, Math.max(Math.round(y) + 1, Math.round(y + (rects[at + 3] ?? 0) * scale)));
      for (let row = Math.max(0, Math.round(y)); row < bottom; row++) if (end > from) pixels.fill(pixel, row * width + from, row * width + end);
    }
  }
  target.putImageData(image, 0, 0);
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(canvas, 0, 0);
  context.restore();
}

/** One for all canvases: it is filled and used within a call. */
function rasterOf(width: number, height: number): Raster {
  if (raster !== null && raster.canvas.width === width && raster.canvas.height === height) return raster;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('The picture is too large to be drawn.');
  const image = new ImageData(width, height);
  raster = { canvas, context, image, pixels: new Uint32Array(image.data.buffer) };
  colours.clear();
  return raster;
}

/** A colour in any notation, as a canvas paints it. */
function pixelOf(context: OffscreenCanvasRenderingContext2D, colour: string): number {
  const known = colours.get(colour);
  if (known !== undefined) return known;
  context.fillStyle = '#808080';
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  const pixel = packed((red << 16) | (green << 8) | blue);
  colours.set(colour, pixel);
  return pixel;
}
