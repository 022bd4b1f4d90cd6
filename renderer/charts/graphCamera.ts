import type { Edges } from './rectTree';

/** Where a drawing is looked at from: the point of it in the upper left corner of the view, and pixels for each of its units. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Point, Size {}

const LEAST_ZOOM = 0.002;
export const MOST_ZOOM = 4;
/** Space around what is fitted, in pixels. */
const MARGIN = 24;
/** Part of the drawing that stays in view, in pixels. */
const KEPT = 120;

export function toView(camera: Camera, point: Point): Point {
  return { x: (point.x - camera.x) * camera.zoom, y: (point.y - camera.y) * camera.zoom };
}

export function toDrawing(camera: Camera, point: Point): Point {
  return { x: point.x / camera.zoom + camera.x, y: point.y / camera.zoom + camera.y };
}

/** Part of the drawing that a view of this size shows. */
export function shownEdges(camera: Camera, { width, height }: Size): Edges {
  return { left: camera.x, top: camera.y, right: camera.x + width / camera.zoom, bottom: camera.y + height / camera.zoom };
}

/** @param by pixels of the view */
export function panBy(camera: Camera, by: Point): Camera {
  return { ...camera, x: camera.x + by.x / camera.zoom, y: camera.y + by.y / camera.zoom };
}

/** Zooms so that what is at a point of the view stays there. */
export function zoomAt(camera: Camera, at: Point, zoom: number): Camera {
  const next = clampZoom(zoom);
  const fixed = toDrawing(camera, at);
  return { x: fixed.x - at.x / next, y: fixed.y - at.y / next, zoom: next };
}

export function clampZoom(zoom: number): number {
  return Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, zoom));
}

/** Shows all of a rectangle, in the middle; never larger than `most`. */
export function fitRect(rect: Rect, view: Size, most = 1): Camera {
  const room = { width: Math.max(1, view.width - 2 * MARGIN), height: Math.max(1, view.height - 2 * MARGIN) };
  const zoom = clampZoom(Math.min(most, room.width / Math.max(1, rect.width), room.height / Math.max(1, rect.height)));
  return centreOn(rect, view, zoom);
}

export function centreOn(rect: Rect, view: Size, zoom: number): Camera {
  return { x: rect.x + rect.width / 2 - view.width / zoom / 2, y: rect.y + rect.height / 2 - view.height / zoom / 2, zoom };
}

/** Moves as little as it takes to show a rectangle; of one larger than the view, its upper left part. */
export function revealRect(camera: Camera, rect: Rect, view: Size): Camera {
  const margin = MARGIN / camera.zoom;
  const along = (start: number, length: number, from: number, room: number) => {
    if (length + 2 * margin >= room || start - margin < from) return start - margin;
    return start + length + margin > from + room ? start + length + margin - room : from;
  };
  return {
    ...camera,
    x: along(rect.x, rect.width, camera.x, view.width / camera.zoom),
    y: along(rect.y, rect.height, camera.y, view.height / camera.zoom),
  };
}

/** Keeps a strip of the drawing in view, so that nobody gets lost. */
export function keepInView(camera: Camera, drawing: Size, view: Size): Camera {
  const kept = KEPT / camera.zoom;
  const limit = (at: number, length: number, room: number) => Math.max(Math.min(kept, length) - room, Math.min(Math.max(0, length - kept), at));
  return { ...camera, x: limit(camera.x, drawing.width, view.width / camera.zoom), y: limit(camera.y, drawing.height, view.height / camera.zoom) };
}

/** Between two cameras: the zoom by its logarithm, so that it feels even. @param share 0 to 1 */
export function blendCameras(from: Camera, to: Camera, share: number): Camera {
  const zoom = from.zoom * (to.zoom / from.zoom) ** share;
  const blend = (a: number, b: number) => a + (b - a) * share;
  return { x: blend(from.x, to.x), y: blend(from.y, to.y), zoom };
}

/** Slower towards the end. */
export function easeOut(share: number): number {
  return 1 - (1 - share) ** 3;
}
