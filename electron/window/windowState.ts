import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';

const whole = v.pipe(v.number(), v.safeInteger());
const rectangle = v.object({ x: whole, y: whole, width: v.pipe(whole, v.minValue(1)), height: v.pipe(whole, v.minValue(1)) });
export type Rectangle = v.InferOutput<typeof rectangle>;

const stateSchema = v.object({ bounds: v.nullable(rectangle), maximized: v.boolean(), theme: v.picklist(['system', 'light', 'dark']) });
/** What the desktop remembers of its window between starts; lengths in device-independent pixels. */
export type WindowState = v.InferOutput<typeof stateSchema>;
export type Theme = WindowState['theme'];

export const DEFAULT_STATE: WindowState = { bounds: null, maximized: false, theme: 'system' };
export const DEFAULT_SIZE = { width: 1280, height: 800 } as const;
export const MINIMUM_SIZE = { width: 720, height: 480 } as const;

/** This much of the title bar must be on a display, so that the window can be taken hold of. */
const VISIBLE = { width: 120, height: 40 } as const;

/** Bounds that can be used now: those remembered, if they are on a display that is still there, at most as large as it. */
export function usableBounds(saved: Rectangle | null, workAreas: readonly Rectangle[]): Rectangle | null {
  if (saved === null) return null;
  const area = workAreas.find((candidate) => overlap(saved, candidate));
  if (area === undefined) return null;
  const width = Math.min(Math.max(saved.width, MINIMUM_SIZE.width), area.width);
  const height = Math.min(Math.max(saved.height, MINIMUM_SIZE.height), area.height);
  return { x: saved.x, y: Math.max(saved.y, area.y), width, height };
}

function overlap(bounds: Rectangle, area: Rectangle): boolean {
  const across = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  const down = Math.min(bounds.y + bounds.height, area.y + area.height) - Math.max(bounds.y, area.y);
  const titleBar = bounds.y + VISIBLE.height > area.y && bounds.y + VISIBLE.height <= area.y + area.height;
  return across >= VISIBLE.width && down >= VISIBLE.height && titleBar;
}

/** A file that is missing, unreadable or not ours counts as nothing remembered. */
export function readWindowState(file: string): WindowState {
  try {
    return v.parse(stateSchema, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return DEFAULT_STATE;
  }
}

/** Synchronous: the last one is written while the app quits. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.partial`, JSON.stringify(state));
    renameSync(`${file}.partial`, file);
  } catch {
    // A full disk must not keep the window from closing; then nothing is remembered.
  }
}
