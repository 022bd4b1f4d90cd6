import { describe, expect, it } from 'vitest';
import { blendCameras, centreOn, fitRect, keepInView, MOST_ZOOM, panBy, revealRect, shownEdges, toDrawing, toView, zoomAt } from './graphCamera';

const camera = { x: 100, y: 50, zoom: 2 };

describe('camera', () => {
  it('goes from the drawing to the view and back', () => {
    expect(toView(camera, { x: 110, y: 60 })).toEqual({ x: 20, y: 20 });
    expect(toDrawing(camera, { x: 20, y: 20 })).toEqual({ x: 110, y: 60 });
    expect(shownEdges(camera, { width: 200, height: 100 })).toEqual({ left: 100, top: 50, right: 200, bottom: 100 });
  });

  it('pans by pixels of the view', () => {
    expect(panBy(camera, { x: 10, y: -4 })).toEqual({ x: 105, y: 48, zoom: 2 });
  });

  it('keeps what is under the pointer where it is while it zooms', () => {
    const at = { x: 33, y: 77 };
    const next = zoomAt(camera, at, 0.37);
    const [before, after] = [toDrawing(camera, at), toDrawing(next, at)];
    expect(after.x).toBeCloseTo(before.x, 9);
    expect(after.y).toBeCloseTo(before.y, 9);
    expect(next.zoom).toBe(0.37);
    expect(zoomAt(camera, at, 1e9).zoom).toBe(MOST_ZOOM);
    expect(zoomAt(camera, at, 0).zoom).toBeGreaterThan(0);
  });

  it('fits a rectangle into the view, and does not enlarge it', () => {
    const view = { width: 448, height: 248 };
    const tall = fitRect({ x: 0, y: 0, width: 100, height: 1000 }, view);
    expect(tall.zoom).toBeCloseTo(0.2, 9);
    expect(toView(tall, { x: 50, y: 500 })).toEqual({ x: 224, y: 124 });
    expect(fitRect({ x: 5, y: 5, width: 10, height: 10 }, view).zoom).toBe(1);
    expect(fitRect({ x: 0, y: 0, width: 0, height: 0 }, { width: 0, height: 0 }).zoom).toBeGreaterThan(0);
    expect(centreOn({ x: 0, y: 0, width: 10, height: 10 }, { width: 100, height: 100 }, 1)).toEqual({ x: -45, y: -45, zoom: 1 });
  });

  it('moves only as far as needed to show a box', () => {
    const view = { width: 400, height: 400 };
    const at = { x: 0, y: 0, zoom: 1 };
    expect(revealRect(at, { x: 100, y: 100, width: 50, height: 50 }, view)).toEqual(at);
    expect(revealRect(at, { x: 380, y: 100, width: 50, height: 50 }, view)).toEqual({ x: 54, y: 0, zoom: 1 });
    expect(revealRect(at, { x: -10, y: -10, width: 5, height: 5 }, view)).toEqual({ x: -34, y: -34, zoom: 1 });
    expect(revealRect(at, { x: 10, y: 500, width: 50, height: 4000 }, view).y).toBe(476);
  });

  it('never loses the drawing', () => {
    const [drawing, view] = [
      { width: 1000, height: 1000 },
      { width: 200, height: 200 },
    ];
    expect(keepInView({ x: 1e9, y: -1e9, zoom: 1 }, drawing, view)).toEqual({ x: 880, y: -80, zoom: 1 });
    expect(keepInView({ x: 400, y: 300, zoom: 1 }, drawing, view)).toEqual({ x: 400, y: 300, zoom: 1 });
    expect(keepInView({ x: 70, y: 0, zoom: 1 }, { width: 10, height: 10 }, view)).toEqual({ x: 0, y: 0, zoom: 1 });
  });

  it('blends from one camera to another', () => {
    const other = { x: 0, y: 0, zoom: 8 };
    expect(blendCameras(camera, other, 0)).toEqual(camera);
    expect(blendCameras(camera, other, 1)).toEqual(other);
    expect(blendCameras(camera, other, 0.5).zoom).toBeCloseTo(4, 9);
  });
});
