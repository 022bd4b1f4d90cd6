import type { Adjacency } from './assignLayers';
import type { LayeredGraph } from './orderLayers';

interface Blocks {
  /** Topmost point of the block that holds the point. */
  readonly root: Int32Array;
}

/** How far the centres of two neighbours must be apart, the left one first. */
type Apart = (left: number, right: number) => number;

interface Orientation {
  readonly graph: LayeredGraph;
  readonly layers: readonly Uint32Array[];
  readonly neighbours: Adjacency;
  readonly position: Int32Array;
}

/**
 * Horizontal centres of all points: Brandes and Köpf, "Fast and Simple Horizontal Coordinate Assignment" (2001), in the form for boxes of
 * different widths. Straight lines where it can, the median of the four alignments otherwise. Linear but for sorting neighbours.
 * @param left what a point needs on the left of its centre, `right` on the right
 * @param gap between two boxes in a layer; bends need a third of it
 */
export function assignCoordinates(
  graph: LayeredGraph,
  layers: readonly Uint32Array[],
  options: { left: Float64Array; right: Float64Array; gap: number },
): Float64Array {
  const { left, right, gap } = options;
  const half = (point: number) => (point < graph.boxes ? gap : gap / 3) / 2;
  const apart: Apart = (a, b) => (right[a] ?? 0) + half(a) + half(b) + (left[b] ?? 0);
  const conflicts = findConflicts(graph, layers);
  const results: Float64Array[] = [];
  for (const upwards of [false, true]) {
    for (const leftwards of [false, true]) {
      const ordered = (upwards ? [...layers].reverse() : layers).map((layer) => (leftwards ? layer.slice().reverse() : layer));
      const position = new Int32Array(graph.points);
      for (const layer of ordered) for (let i = 0; i < layer.length; i++) position[layer[i] ?? 0] = i;
      const orientation = { graph, layers: ordered, neighbours: upwards ? graph.down : graph.up, position };
      const xs = compact(orientation, align(orientation, conflicts), leftwards ? (a, b) => apart(b, a) : apart);
      results.push(leftwards ? xs.map((x) => -x) : xs);
    }
  }
  return separate(layers, median(results, left, right), apart);
}

/** Segments between boxes that cross a chain of bends give way to it. */
function findConflicts(graph: LayeredGraph, layers: readonly Uint32Array[]): ReadonlySet<number> {
  const conflicts = new Set<number>();
  const position = new Int32Array(graph.points);
  for (const layer of layers) for (let i = 0; i < layer.length; i++) position[layer[i] ?? 0] = i;
  for (let at = 1; at < layers.length; at++) {
    const layer = layers[at] ?? new Uint32Array();
    let scanned = 0;
    let left = 0;
    for (let i = 0; i < layer.length; i++) {
      const inner = innerNeighbour(graph, layer[i] ?? 0);
      if (inner < 0 && i < layer.length - 1) continue;
      const right = inner < 0 ? Number.MAX_SAFE_INTEGER : (position[inner] ?? 0);
      for (; scanned <= i; scanned++) {
        const point = layer[scanned] ?? 0;
        if (innerNeighbour(graph, point) >= 0) continue;
        for (let k = graph.up.starts[point] ?? 0; k < (graph.up.starts[point + 1] ?? 0); k++) {
          const above = graph.up.list[k] ?? 0;
          const place = position[above] ?? 0;
          if (place < left || place > right) conflicts.add(above * graph.points + point);
        }
      }
      left = right;
    }
  }
  return conflicts;
}

/** The bend above a bend; -1 for others. */
function innerNeighbour(graph: LayeredGraph, point: number): number {
  if (point < graph.boxes) return -1;
  const above = graph.up.list[graph.up.starts[point] ?? 0] ?? 0;
  return above < graph.boxes ? -1 : above;
}

function align({ graph, layers, neighbours, position }: Orientation, conflicts: ReadonlySet<number>): Blocks {
  const root = Int32Array.from({ length: graph.points }, (_, point) => point);
  const next = root.slice();
  for (const layer of layers) {
    let previous = -1;
    for (const point of layer) {
      const begin = neighbours.starts[point] ?? 0;
      const end = neighbours.starts[point + 1] ?? 0;
      if (end === begin) continue;
      const sorted = neighbours.list.slice(begin, end).sort((a, b) => (position[a] ?? 0) - (position[b] ?? 0));
      const middle = (sorted.length - 1) / 2;
      for (let i = Math.floor(middle); i <= Math.ceil(middle); i++) {
        const other = sorted[i] ?? 0;
        const place = position[other] ?? 0;
        const key = graph.layer[other] !== undefined && (graph.layer[other] ?? 0) < (graph.layer[point] ?? 0) ? [other, point] : [point, other];
        if (next[point] !== point || previous >= place || conflicts.has((key[0] ?? 0) * graph.points + (key[1] ?? 0))) continue;
        next[other] = point;
        root[point] = root[other] ?? other;
        next[point] = root[other] ?? other;
        previous = place;
      }
    }
  }
  return { root };
}

/** Blocks as far left as their left neighbours allow, then as far right as their right ones do. */
function compact({ graph, layers }: Orientation, { root }: Blocks, distance: Apart): Float64Array {
  const from: number[] = [];
  const to: number[] = [];
  const apart: number[] = [];
  for (const layer of layers) {
    for (let i = 1; i < layer.length; i++) {
      const left = layer[i - 1] ?? 0;
      const right = layer[i] ?? 0;
      from.push(root[left] ?? 0);
      to.push(root[right] ?? 0);
      apart.push(distance(left, right));
    }
  }
  const links = linksByEnd(graph.points, from);
  const order = topological(graph.points, { from, to, links });
  const xs = new Float64Array(graph.points);
  for (const block of order) {
    for (let k = links.starts[block] ?? 0; k < (links.starts[block + 1] ?? 0); k++) {
      const link = links.list[k] ?? 0;
      const right = to[link] ?? 0;
      xs[right] = Math.max(xs[right] ?? 0, (xs[block] ?? 0) + (apart[link] ?? 0));
    }
  }
  for (let at = order.length - 1; at >= 0; at--) {
    const block = order[at] ?? 0;
    let limit = Number.POSITIVE_INFINITY;
    for (let k = links.starts[block] ?? 0; k < (links.starts[block + 1] ?? 0); k++) {
      const link = links.list[k] ?? 0;
      limit = Math.min(limit, (xs[to[link] ?? 0] ?? 0) - (apart[link] ?? 0));
    }
    if (limit !== Number.POSITIVE_INFINITY) xs[block] = Math.max(xs[block] ?? 0, limit);
  }
  return xs.map((_, point) => xs[root[point] ?? 0] ?? 0);
}

function linksByEnd(points: number, ends: readonly number[]): Adjacency {
  const starts = new Uint32Array(points + 1);
  for (const end of ends) starts[end + 1] = (starts[end + 1] ?? 0) + 1;
  for (let point = 0; point < points; point++) starts[point + 1] = (starts[point + 1] ?? 0) + (starts[point] ?? 0);
  const next = starts.slice();
  const list = new Uint32Array(ends.length);
  for (const [link, end] of ends.entries()) {
    list[next[end] ?? 0] = link;
    next[end] = (next[end] ?? 0) + 1;
  }
  return { starts, list };
}

function topological(points: number, { from, to, links }: { from: readonly number[]; to: readonly number[]; links: Adjacency }): number[] {
  const waiting = new Int32Array(points);
  for (const end of to) waiting[end] = (waiting[end] ?? 0) + 1;
  const order: number[] = [];
  const inGraph = new Uint8Array(points);
  for (const end of from) inGraph[end] = 1;
  for (let point = 0; point < points; point++) if (waiting[point] === 0 && inGraph[point] === 1) order.push(point);
  // The list grows while it is walked.
  for (let at = 0; at < order.length; at++) {
    const point = order[at] ?? 0;
    for (let k = links.starts[point] ?? 0; k < (links.starts[point + 1] ?? 0); k++) {
      const end = to[links.list[k] ?? 0] ?? 0;
      waiting[end] = (waiting[end] ?? 0) - 1;
      if (waiting[end] === 0) order.push(end);
    }
  }
  return order;
}

/** All four are shifted onto the narrowest, the left ones by their left edge, the right ones by their right; then the mean of the two in the middle. */
function median(results: readonly Float64Array[], leftOf: Float64Array, rightOf: Float64Array): Float64Array {
  const bounds = results.map((xs) => {
    let left = Number.POSITIVE_INFINITY;
    let right = Number.NEGATIVE_INFINITY;
    for (let point = 0; point < xs.length; point++) {
      left = Math.min(left, (xs[point] ?? 0) - (leftOf[point] ?? 0));
      right = Math.max(right, (xs[point] ?? 0) + (rightOf[point] ?? 0));
    }
    return { left, right };
  });
  const narrowest = bounds.reduce((best, bound) => (bound.right - bound.left < best.right - best.left ? bound : best), bounds[0] ?? { left: 0, right: 0 });
  const shifted = results.map((xs, i) => {
    const bound = bounds[i] ?? narrowest;
    const shift = i % 2 === 0 ? narrowest.left - bound.left : narrowest.right - bound.right;
    return xs.map((x) => x + shift);
  });
  const four = new Float64Array(4);
  return new Float64Array(results[0]?.length ?? 0).map((_, point) => {
    for (let i = 0; i < 4; i++) four[i] = shifted[i]?.[point] ?? 0;
    four.sort();
    return ((four[1] ?? 0) + (four[2] ?? 0)) / 2;
  });
}

/** Rounding must not make boxes overlap. */
function separate(layers: readonly Uint32Array[], xs: Float64Array, apart: Apart): Float64Array {
  for (const layer of layers) {
    for (let i = 1; i < layer.length; i++) {
      const left = layer[i - 1] ?? 0;
      const right = layer[i] ?? 0;
      xs[right] = Math.max(xs[right] ?? 0, (xs[left] ?? 0) + apart(left, right));
    }
  }
  return xs;
}
