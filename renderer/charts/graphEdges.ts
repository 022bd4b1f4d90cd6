import type { Point } from './graphCamera';

/** What draws a line: a canvas, a `Path2D`, or text of a path. */
export interface LineSink {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  quadraticCurveTo(controlX: number, controlY: number, x: number, y: number): void;
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void;
}

/** Points of all edges as in a layout: edge i has the pairs from `points[2 * starts[i]]` up to those of the next. */
export interface EdgePoints {
  readonly pointStarts: Uint32Array;
  readonly points: Float32Array;
}

/** A smooth line through the points of an edge: bends are rounded, two points are joined by a curve that leaves and arrives downwards. */
export function traceEdge({ pointStarts, points }: EdgePoints, edge: number, sink: LineSink): void {
  const from = pointStarts[edge] ?? 0;
  const end = pointStarts[edge + 1] ?? from;
  const x = (at: number) => points[2 * at] ?? 0;
  const y = (at: number) => points[2 * at + 1] ?? 0;
  if (end - from < 2) return;
  sink.moveTo(x(from), y(from));
  if (end - from === 2) {
    const middle = (y(from) + y(from + 1)) / 2;
    if (x(from) === x(from + 1)) sink.lineTo(x(from + 1), y(from + 1));
    else sink.bezierCurveTo(x(from), middle, x(from + 1), middle, x(from + 1), y(from + 1));
    return;
  }
  for (let at = from + 1; at < end - 1; at++) {
    const isLast = at === end - 2;
    sink.quadraticCurveTo(x(at), y(at), isLast ? x(at + 1) : (x(at) + x(at + 1)) / 2, isLast ? y(at + 1) : (y(at) + y(at + 1)) / 2);
  }
}

/** The same line as the `d` of an SVG path. */
export function edgePath(edges: EdgePoints, edge: number): string {
  const parts: string[] = [];
  const round = (value: number) => String(Math.round(value * 10) / 10);
  const add = (letter: string, ...values: number[]) => void parts.push(letter + values.map(round).join(' '));
  traceEdge(edges, edge, {
    moveTo: (x, y) => add('M', x, y),
    lineTo: (x, y) => add('L', x, y),
    quadraticCurveTo: (cx, cy, x, y) => add('Q', cx, cy, x, y),
    bezierCurveTo: (ax, ay, bx, by, x, y) => add('C', ax, ay, bx, by, x, y),
  });
  return parts.join('');
}

/** Tip and both barbs of the arrow at the end of an edge; `null` for an edge without length. */
export function arrowHead({ pointStarts, points }: EdgePoints, edge: number, size: number): readonly [Point, Point, Point] | null {
  const from = pointStarts[edge] ?? 0;
  const last = (pointStarts[edge + 1] ?? from) - 1;
  if (last <= from) return null;
  const tip = { x: points[2 * last] ?? 0, y: points[2 * last + 1] ?? 0 };
  // Two points are joined by a curve that arrives straight from above or below.
  const before = last - 1 === from ? { x: tip.x, y: points[2 * from + 1] ?? 0 } : { x: points[2 * last - 2] ?? 0, y: points[2 * last - 1] ?? 0 };
  const [dx, dy] = [tip.x - before.x, tip.y - before.y];
  const length = Math.hypot(dx, dy);
  if (length === 0) return null;
  const [ux, uy] = [(dx / length) * size, (dy / length) * size];
  return [tip, { x: tip.x - ux - uy * 0.5, y: tip.y - uy + ux * 0.5 }, { x: tip.x - ux + uy * 0.5, y: tip.y - uy - ux * 0.5 }];
}

/** Where a word about an edge stands: the middle of its length. */
export function edgeMiddle({ pointStarts, points }: EdgePoints, edge: number): Point {
  const from = pointStarts[edge] ?? 0;
  const end = pointStarts[edge + 1] ?? from;
  let length = 0;
  for (let at = from + 1; at < end; at++) length += distance(points, at);
  let left = length / 2;
  for (let at = from + 1; at < end; at++) {
    const part = distance(points, at);
    if (part >= left && part > 0) {
      const share = left / part;
      return {
        x: (points[2 * at - 2] ?? 0) * (1 - share) + (points[2 * at] ?? 0) * share,
        y: (points[2 * at - 1] ?? 0) * (1 - share) + (points[2 * at + 1] ?? 0) * share,
      };
    }
    left -= part;
  }
  return { x: points[2 * from] ?? 0, y: points[2 * from + 1] ?? 0 };
}

/** How far a point is from the points of an edge joined by straight lines. */
export function edgeDistance({ pointStarts, points }: EdgePoints, edge: number, { x, y }: Point): number {
  const from = pointStarts[edge] ?? 0;
  const end = pointStarts[edge + 1] ?? from;
  let least = Number.POSITIVE_INFINITY;
  for (let at = from + 1; at < end; at++) {
    const [ax, ay] = [points[2 * at - 2] ?? 0, points[2 * at - 1] ?? 0];
    const [bx, by] = [points[2 * at] ?? 0, points[2 * at + 1] ?? 0];
    const square = (bx - ax) ** 2 + (by - ay) ** 2;
    const share = square === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square));
    least = Math.min(least, Math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay)));
  }
  return least;
}

function distance(points: Float32Array, at: number): number {
  return Math.hypot((points[2 * at] ?? 0) - (points[2 * at - 2] ?? 0), (points[2 * at + 1] ?? 0) - (points[2 * at - 1] ?? 0));
}
