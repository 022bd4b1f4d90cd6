import { BOX } from '../../shared/model/graphBoxes';

/** How much of a graph is drawn. `blocks`: boxes as plain colours; `titles`: their first line; `all`: every line, types on edges. */
export type GraphDetail = 'blocks' | 'titles' | 'all';

/** Letters below this many pixels cannot be read. */
const LEAST_LINE = 7;
/** Boxes, and lines, up to which lines are drawn where boxes are plain: more are a grey haze and cost the frame. */
export const MOST_HAIRLINES = 6000;

/** @param zoom pixels of a unit */
export function detailAt(zoom: number): GraphDetail {
  const line = BOX.line * zoom;
  if (line < LEAST_LINE) return 'blocks';
  return line < LEAST_LINE * 1.6 ? 'titles' : 'all';
}

/** Whether lines are left out, by what is in view. */
export function hidesEdges(zoom: number, boxes: number): boolean {
  return boxes > MOST_HAIRLINES && detailAt(zoom) === 'blocks';
}

/** From here on types are written on edges. */
export function showsTypes(zoom: number): boolean {
  return zoom >= 0.95;
}
