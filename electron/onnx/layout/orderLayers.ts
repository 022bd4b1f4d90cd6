import { type Adjacency, adjacency } from './assignLayers';

/** A layered graph whose links run from one layer to the next: long links are chains of bends. */
export interface LayeredGraph {
  /** Points of the layered graph: the boxes first, with their numbers, then the bends. */
  readonly points: number;
  readonly boxes: number;
  readonly layer: Int32Array;
  readonly layers: number;
  readonly down: Adjacency;
  readonly up: Adjacency;
  /** The bends of link i, from its upper end: `bends[i]` first, `bendCounts[i]` of them, in one run. */
  readonly bends: Int32Array;
  readonly bendCounts: Int32Array;
}

/** Puts a bend into every layer that a link passes. `upper` and `lower` are the ends of the links in the direction of the layers. */
export function withBends(input: { boxes: number; layer: Int32Array; layers: number; upper: Uint32Array; lower: Uint32Array }): LayeredGraph {
  const { boxes, upper, lower } = input;
  const bends = new Int32Array(upper.length);
  const bendCounts = new Int32Array(upper.length);
  let points = boxes;
  let segments = 0;
  for (let link = 0; link < upper.length; link++) {
    const span = (input.layer[lower[link] ?? 0] ?? 0) - (input.layer[upper[link] ?? 0] ?? 0);
    bends[link] = points;
    bendCounts[link] = Math.max(0, span - 1);
    points += Math.max(0, span - 1);
    segments += Math.max(1, span);
  }
  const layer = new Int32Array(points);
  layer.set(input.layer);
  const from = new Uint32Array(segments);
  const to = new Uint32Array(segments);
  let at = 0;
  for (let link = 0; link < upper.length; link++) {
    let previous = upper[link] ?? 0;
    for (let bend = 0; bend < (bendCounts[link] ?? 0); bend++) {
      const point = (bends[link] ?? 0) + bend;
      layer[point] = (layer[previous] ?? 0) + 1;
      from[at] = previous;
      to[at++] = point;
      previous = point;
    }
    from[at] = previous;
    to[at++] = lower[link] ?? 0;
  }
  return { points, boxes, layer, layers: input.layers, down: adjacency(points, from, to), up: adjacency(points, to, from), bends, bendCounts };
}

const SWEEPS = 8;
/** Points times sweeps: large layouts get fewer. */
const EFFORT = 60_000;

/**
 * The order of points in each layer: depth first from the top, then barycentres downwards and upwards in turn; the order with the fewest
 * crossings stays. Deterministic.
 */
export function orderLayers(graph: LayeredGraph): Uint32Array[] {
  let layers = depthFirst(graph);
  const position = new Float64Array(graph.points);
  number(layers, position);
  let best = layers.map((layer) => layer.slice());
  let fewest = countCrossings(graph, layers, position);
  const sweeps = Math.max(2, Math.min(SWEEPS, Math.floor(EFFORT / Math.max(1, graph.points))));
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    layers = layers.map((layer) => layer.slice());
    const downwards = sweep % 2 === 0;
    for (let step = 1; step < layers.length; step++) {
      const layer = layers[downwards ? step : layers.length - 1 - step];
      if (layer === undefined) continue;
      byBarycentre(layer, downwards ? graph.up : graph.down, position);
    }
    const crossings = countCrossings(graph, layers, position);
    if (crossings < fewest) {
      fewest = crossings;
      best = layers.map((layer) => layer.slice());
    }
  }
  return best;
}

function depthFirst(graph: LayeredGraph): Uint32Array[] {
  const layers: number[][] = Array.from({ length: graph.layers }, () => []);
  const seen = new Uint8Array(graph.points);
  const stack: number[] = [];
  const roots: number[] = [];
  for (let point = 0; point < graph.boxes; point++) if (graph.up.starts[point] === graph.up.starts[point + 1]) roots.push(point);
  roots.sort((a, b) => (graph.layer[a] ?? 0) - (graph.layer[b] ?? 0) || a - b);
  for (const root of roots) {
    stack.push(root);
    while (stack.length > 0) {
      const point = stack.pop() ?? 0;
      if (seen[point] !== 0) continue;
      seen[point] = 1;
      layers[graph.layer[point] ?? 0]?.push(point);
      for (let i = (graph.down.starts[point + 1] ?? 0) - 1; i >= (graph.down.starts[point] ?? 0); i--) {
        const below = graph.down.list[i] ?? 0;
        if (seen[below] === 0) stack.push(below);
      }
    }
  }
  return layers.map((layer) => Uint32Array.from(layer));
}

function number(layers: readonly Uint32Array[], position: Float64Array): void {
  for (const layer of layers) for (let i = 0; i < layer.length; i++) position[layer[i] ?? 0] = i;
}

function byBarycentre(layer: Uint32Array, next: Adjacency, position: Float64Array): void {
  const centre = new Map<number, number>();
  for (const point of layer) {
    const begin = next.starts[point] ?? 0;
    const end = next.starts[point + 1] ?? 0;
    let sum = 0;
    for (let i = begin; i < end; i++) sum += position[next.list[i] ?? 0] ?? 0;
    if (end > begin) centre.set(point, sum / (end - begin));
  }
  // Points without neighbours on that side keep their places; the others share out theirs.
  const moving = layer.filter((point) => centre.has(point));
  const before = new Map<number, number>();
  for (let i = 0; i < layer.length; i++) before.set(layer[i] ?? 0, i);
  moving.sort((a, b) => (centre.get(a) ?? 0) - (centre.get(b) ?? 0) || (before.get(a) ?? 0) - (before.get(b) ?? 0));
  let at = 0;
  for (let i = 0; i < layer.length; i++) {
    if (centre.has(layer[i] ?? 0)) layer[i] = moving[at++] ?? 0;
    position[layer[i] ?? 0] = i;
  }
}

/** Crossings of the segments between neighbouring layers, by a tree of sums (Barth, Jünger, Mutzel, "Simple and Efficient Bilayer Cross Counting", 2002). */
function countCrossings(graph: LayeredGraph, layers: readonly Uint32Array[], position: Float64Array): number {
  let crossings = 0;
  for (let at = 0; at + 1 < layers.length; at++) {
    const width = layers[at + 1]?.length ?? 0;
    const sums = new Float64Array(width + 1);
    let total = 0;
    for (const point of layers[at] ?? []) {
      const ends = graph.down.list.slice(graph.down.starts[point] ?? 0, graph.down.starts[point + 1] ?? 0).map((below) => position[below] ?? 0);
      for (const end of ends) {
        let before = 0;
        for (let i = end + 1; i > 0; i -= i & -i) before += sums[i] ?? 0;
        crossings += total - before;
      }
      for (const end of ends) {
        total++;
        for (let i = end + 1; i <= width; i += i & -i) sums[i] = (sums[i] ?? 0) + 1;
      }
    }
  }
  return crossings;
}
