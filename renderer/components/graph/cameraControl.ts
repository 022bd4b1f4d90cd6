import { useState } from 'react';
import {
  blendCameras,
  type Camera,
  centreOn,
  clampZoom,
  easeOut,
  fitRect,
  keepInView,
  type Point,
  panBy,
  type Rect,
  revealRect,
  type Size,
  toDrawing,
  zoomAt,
} from '../../charts/graphCamera';

const GLIDE_MS = 140;

/**
 * Where a graph is looked at from, outside of React: it changes with every frame. Several canvases may share one; they then show the same part.
 */
export class CameraControl {
  #camera: Camera = { x: 0, y: 0, zoom: 1 };
  /** Of the canvas, in CSS pixels. */
  #view: Size = { width: 0, height: 0 };
  #drawing: Size = { width: 0, height: 0 };
  readonly #listeners = new Set<() => void>();
  #frame = 0;
  #waiting: (() => void) | null = null;

  /** Where the pointer opened or closed something, in pixels of the view; taken once. */
  pressed: Point | null = null;

  get camera(): Camera {
    return this.#camera;
  }

  get view(): Size {
    return this.#view;
  }

  /** The canvas tells how large it is, and of what size the drawing is. */
  setSizes(view: Size, drawing: Size): void {
    this.#view = view;
    this.#drawing = drawing;
    if (view.width === 0) return;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.();
  }

  /** Runs now, or as soon as there is a canvas of some size; a later call takes the place of one that still waits. */
  whenSized(action: () => void): void {
    if (this.#view.width > 0) action();
    else this.#waiting = action;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  set(camera: Camera): void {
    cancelAnimationFrame(this.#frame);
    this.#move(camera);
  }

  /** Moves there within a moment, or at once where motion is not wanted. */
  glide(to: Camera): void {
    cancelAnimationFrame(this.#frame);
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.#move(to);
      return;
    }
    const from = this.#camera;
    const started = performance.now();
    const step = (now: number) => {
      const share = Math.min(1, Math.max(0, (now - started) / GLIDE_MS));
      this.#move(blendCameras(from, to, easeOut(share)));
      if (share < 1) this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  /** @param by pixels of the view */
  pan(by: Point): void {
    this.set(panBy(this.#camera, by));
  }

  /** @param at stays where it is; the middle of the view when left out */
  zoomBy(factor: number, at: Point = { x: this.#view.width / 2, y: this.#view.height / 2 }): void {
    this.set(zoomAt(this.#camera, at, this.#camera.zoom * factor));
  }

  fit(rect: Rect = { x: 0, y: 0, ...this.#drawing }, most = 1): void {
    if (this.#view.width > 0) this.glide(fitRect(rect, this.#view, most));
  }

  /** Shows all of the drawing, or where that would be too small to read, its beginning. */
  fitStart(least: number, start: Rect): void {
    if (this.#view.width === 0) return;
    const whole = fitRect({ x: 0, y: 0, ...this.#drawing }, this.#view);
    if (whole.zoom >= least) this.set(whole);
    else {
      const zoom = clampZoom(Math.max(least, Math.min(1, this.#view.width / Math.max(1, this.#drawing.width + 48))));
      // A drawing wider than the view is shown around where it begins, not around its middle, where nothing may be.
      const isWide = this.#drawing.width * zoom > this.#view.width;
      const { x } = centreOn(isWide ? start : { x: 0, y: 0, ...this.#drawing }, this.#view, zoom);
      this.set({ x, y: -24 / zoom, zoom });
    }
  }

  reveal(rect: Rect): void {
    if (this.#view.width === 0) return;
    const next = revealRect(this.#camera, rect, this.#view);
    if (next.x !== this.#camera.x || next.y !== this.#camera.y) this.glide(next);
  }

  /** Into the middle, large enough to read. */
  centre(rect: Rect): void {
    if (this.#view.width === 0) return;
    const fits = fitRect(rect, this.#view).zoom;
    this.glide(centreOn(rect, this.#view, Math.min(fits, Math.max(0.8, this.#camera.zoom))));
  }

  toDrawing(point: Point): Point {
    return toDrawing(this.#camera, point);
  }

  #move(camera: Camera): void {
    this.#camera = this.#drawing.width > 0 && this.#view.width > 0 ? keepInView(camera, this.#drawing, this.#view) : camera;
    for (const listener of this.#listeners) listener();
  }
}

/** A camera that lives as long as the component. */
export function useCamera(): CameraControl {
  return useState(() => new CameraControl())[0];
}
