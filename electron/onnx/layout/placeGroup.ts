import type { GraphView } from '../../../shared/model/graph';
import { BOX, type BoxSize, boxSize, groupBoxText, nodeBoxSize, stubBoxText, valueBoxText } from '../../../shared/model/graphBoxes';
import { assignCoordinates } from './assignCoordinates';
import type { ContentBox } from './groupContent';
import type { GroupPlan, PlannedLink } from './planGroup';

export interface PlacedEdge {
  /** Boxes of the content; -1 is the frame around it. */
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly count: number;
  /** x, y pairs from the top left of the content. */
  readonly points: readonly number[];
}

/** A group with everything inside it, in coordinates of its content. */
export interface PlacedGroup {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly ContentBox[];
  /** Left, top, width, height of each box. */
  readonly bounds: Float64Array;
  readonly edges: readonly PlacedEdge[];
  /** Horizontal places of the values that enter and leave. */
  readonly inPorts: ReadonlyMap<number, number>;
  readonly outPorts: ReadonlyMap<number, number>;
  /** Those of its groups that are open. */
  readonly open: ReadonlyMap<number, PlacedGroup>;
}

const GAP_X = 26;
const GAP_Y = 30;
/** Next to a layer of ports, which have no height. */
const PORT_GAP = 8;
/** Between a box and the stubs beside it. */
const STUB_GAP = 18;
const BEND_WIDTH = 6;
/** Edges to or from a frame are drawn for each value, up to so many. */
const MAX_PARALLEL = 8;

/** Top of the content inside its frame. */
export const CONTENT_Y = BOX.header + BOX.framePadding;

/** Left of the content inside its frame: in the middle where the title is wider. */
export function contentX(frameWidth: number, { width }: PlacedGroup): number {
  return (frameWidth - width) / 2;
}

/** Size of the frame around a group that is open. */
export function frameSize({ width, height }: PlacedGroup): { readonly width: number; readonly height: number } {
  return { width: width + 2 * BOX.framePadding, height: height + BOX.header + 2 * BOX.framePadding };
}

/** Coordinates for a plan. Only sizes come from the groups that are open, so opening one moves the others but never changes their order. */
export function placeGroup(view: GraphView, plan: GroupPlan, open: ReadonlyMap<number, PlacedGroup>): PlacedGroup {
  const { boxes, graph, layers } = plan;
  const sizes = boxes.map((box) => sizeOf(view, box, open));
  const columns = stubColumns(view, plan, open);
  const left = new Float64Array(graph.points).fill(BEND_WIDTH / 2);
  const right = new Float64Array(graph.points).fill(BEND_WIDTH / 2);
  const height = new Float64Array(graph.points);
  for (const [box, size] of sizes.entries()) {
    const { in: ins, out: outs } = columns.get(box) ?? NO_STUBS;
    left[box] = size.width / 2 + ins.space;
    right[box] = size.width / 2 + outs.space;
    height[box] = Math.max(size.height, ins.height, outs.height);
  }
  const xs = assignCoordinates(graph, layers, { left, right, gap: GAP_X });
  const { tops, bottoms } = layerHeights(layers, height);
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (let point = 0; point < graph.points; point++) {
    first = Math.min(first, (xs[point] ?? 0) - (left[point] ?? 0));
    last = Math.max(last, (xs[point] ?? 0) + (right[point] ?? 0));
  }
  for (let point = 0; point < graph.points; point++) xs[point] = (xs[point] ?? 0) - first;
  const bounds: number[] = [];
  for (const [box, { kind }] of boxes.entries()) {
    const layer = graph.layer[box] ?? 0;
    const size = sizes[box] ?? { width: 0, height: 0 };
    const space = (bottoms[layer] ?? 0) - (tops[layer] ?? 0) - size.height;
    // An input stands close to who uses it.
    const sinks = graph.up.starts[box] === graph.up.starts[box + 1] && kind === 'value';
    bounds.push((xs[box] ?? 0) - size.width / 2, (tops[layer] ?? 0) + space * (sinks ? 1 : 0.5), size.width, size.height);
  }
  const routing = { plan, xs, tops, bottoms, bounds, open };
  const edges = plan.links.flatMap((link, at) => routeLink(link, { ...routing, at }));
  const stubs = placeStubs(columns, routing);
  const ports = (kind: 'in' | 'out') => new Map(boxes.flatMap((box, at) => (box.kind === kind ? [[box.ref, xs[at] ?? 0] as const] : [])));
  return {
    width: graph.points === 0 ? 0 : last - first,
    height: Math.max(0, bottoms.at(-1) ?? 0),
    boxes: [...boxes, ...stubs.boxes],
    bounds: Float64Array.from([...bounds, ...stubs.bounds]),
    edges: [...edges, ...stubs.edges],
    inPorts: ports('in'),
    outPorts: ports('out'),
    open,
  };
}

interface StubColumn {
  readonly values: readonly number[];
  readonly sizes: readonly BoxSize[];
  /** What the column takes beside its box, gap included. */
  readonly space: number;
  readonly height: number;
}

const EMPTY_COLUMN: StubColumn = { values: [], sizes: [], space: 0, height: 0 };
const NO_STUBS: Readonly<Record<'in' | 'out', StubColumn>> = { in: EMPTY_COLUMN, out: EMPTY_COLUMN };

/** Stubs of each box, one below the other. An open frame has none for the values whose stubs are inside it. */
function stubColumns(view: GraphView, { boxes, stubs }: GroupPlan, open: ReadonlyMap<number, PlacedGroup>): ReadonlyMap<number, typeof NO_STUBS> {
  const values = new Map<number, { in: number[]; out: number[] }>();
  for (const { value, box, side } of stubs) {
    const content = boxes[box];
    const frame = content?.kind === 'group' ? open.get(content.ref) : undefined;
    if (side === 'in' && frame?.inPorts.has(value) === false) continue;
    const known = values.get(box) ?? { in: [], out: [] };
    known[side].push(value);
    values.set(box, known);
  }
  const column = (list: readonly number[]): StubColumn => {
    if (list.length === 0) return EMPTY_COLUMN;
    const sizes = list.map((value) => boxSize(stubBoxText(view, value)));
    const width = Math.max(...sizes.map((size) => size.width));
    return { values: list, sizes, space: width + STUB_GAP, height: sizes.reduce((sum, size) => sum + size.height + STUB_GAP / 3, -STUB_GAP / 3) };
  };
  return new Map([...values].map(([box, sides]) => [box, { in: column(sides.in), out: column(sides.out) }]));
}

function placeStubs(columns: ReadonlyMap<number, typeof NO_STUBS>, { plan, bounds, open }: Omit<Routing, 'at'>) {
  const boxes: ContentBox[] = [];
  const placed: number[] = [];
  const edges: PlacedEdge[] = [];
  for (const [box, sides] of columns) {
    const [x = 0, y = 0, width = 0, height = 0] = bounds.slice(4 * box, 4 * box + 4);
    for (const side of ['in', 'out'] as const) {
      const { values, sizes, height: whole } = sides[side];
      let top = y + (height - whole) / 2;
      for (const [at, value] of values.entries()) {
        const size = sizes[at] ?? { width: 0, height: 0 };
        const left = side === 'in' ? x - STUB_GAP - size.width : x + width + STUB_GAP;
        const index = plan.boxes.length + boxes.push({ kind: 'stub', ref: value }) - 1;
        placed.push(left, top, size.width, size.height);
        const middle = top + size.height / 2;
        const edgeY = Math.min(y + height, Math.max(y, middle));
        const content = plan.boxes[box];
        const frame = content?.kind === 'group' ? open.get(content.ref) : undefined;
        const port = frame?.inPorts.get(value);
        if (side === 'out') edges.push({ from: box, to: index, value, count: 1, points: [x + width, edgeY, left, middle] });
        else if (frame === undefined || port === undefined)
          edges.push({ from: index, to: box, value, count: 1, points: [left + size.width, middle, x, edgeY] });
        else {
          // Round the corner of the frame to the place where the value goes on inside.
          const turn = x - STUB_GAP / 2;
          const above = y - STUB_GAP / 2;
          const portX = x + contentX(width, frame) + port;
          edges.push({ from: index, to: box, value, count: 1, points: [left + size.width, middle, turn, middle, turn, above, portX, above, portX, y] });
        }
        top += size.height + STUB_GAP / 3;
      }
    }
  }
  return { boxes, bounds: placed, edges };
}

function sizeOf(view: GraphView, { kind, ref }: ContentBox, open: ReadonlyMap<number, PlacedGroup>): { readonly width: number; readonly height: number } {
  switch (kind) {
    case 'node':
      return nodeBoxSize(view, ref);
    case 'group': {
      const placed = open.get(ref);
      const group = view.groups[ref] ?? { label: '', nodes: 0, parameters: 0 };
      if (placed === undefined) return boxSize(groupBoxText(group));
      const frame = frameSize(placed);
      // The title must fit above an empty or narrow content.
      return { width: Math.max(frame.width, boxSize({ title: groupBoxText(group).title, subtitle: '', lines: [] }).width + BOX.header), height: frame.height };
    }
    case 'value':
      return boxSize(valueBoxText(view, ref));
    default:
      return { width: 2, height: 0 };
  }
}

function layerHeights(layers: readonly Uint32Array[], height: Float64Array): { readonly tops: Float64Array; readonly bottoms: Float64Array } {
  const tops = new Float64Array(layers.length);
  const bottoms = new Float64Array(layers.length);
  let y = 0;
  let above = 0;
  for (const [at, layer] of layers.entries()) {
    let tallest = 0;
    for (const point of layer) tallest = Math.max(tallest, height[point] ?? 0);
    if (at > 0) y += tallest === 0 || above === 0 ? PORT_GAP : GAP_Y;
    tops[at] = y;
    bottoms[at] = y + tallest;
    y += tallest;
    above = tallest;
  }
  return { tops, bottoms };
}

interface Routing {
  readonly at: number;
  readonly plan: GroupPlan;
  readonly xs: Float64Array;
  readonly tops: Float64Array;
  readonly bottoms: Float64Array;
  readonly bounds: readonly number[];
  readonly open: ReadonlyMap<number, PlacedGroup>;
}

/** One edge for all values, or one for each where an open frame has ports for them. */
function routeLink(link: PlannedLink, routing: Routing): PlacedEdge[] {
  const { plan, open } = routing;
  const from = plan.boxes[link.from];
  const to = plan.boxes[link.to];
  if (from === undefined || to === undefined) return [];
  const ends = { from: from.kind === 'in' ? -1 : link.from, to: to.kind === 'out' ? -1 : link.to };
  const isFrame = (box: ContentBox) => box.kind === 'group' && open.has(box.ref);
  const single = link.values.length === 1 || (!isFrame(from) && !isFrame(to)) || link.values.length > MAX_PARALLEL;
  const groups = single ? [link.values] : link.values.map((value) => [value]);
  return groups.map((values) => ({ ...ends, value: values[0] ?? 0, count: values.length, points: points(link, values[0] ?? 0, routing) }));
}

function points(link: PlannedLink, value: number, { at, plan, xs, tops, bottoms, bounds, open }: Routing): number[] {
  const { graph } = plan;
  const upper = link.reversed ? link.to : link.from;
  const lower = link.reversed ? link.from : link.to;
  const list = [portX(upper, 'outPorts'), (bounds[4 * upper + 1] ?? 0) + (bounds[4 * upper + 3] ?? 0)];
  // An edge goes straight down beside what is taller in the layers that it passes.
  for (let bend = 0; bend < (graph.bendCounts[at] ?? 0); bend++) {
    const point = (graph.bends[at] ?? 0) + bend;
    const layer = graph.layer[point] ?? 0;
    list.push(xs[point] ?? 0, tops[layer] ?? 0, xs[point] ?? 0, bottoms[layer] ?? 0);
  }
  // Ports lie on the frame itself: above the content, behind the title.
  const fromPort = plan.boxes[upper]?.kind === 'in';
  const toPort = plan.boxes[lower]?.kind === 'out';
  list.push(portX(lower, 'inPorts'), bounds[4 * lower + 1] ?? 0);
  if (fromPort) list[1] = -BOX.framePadding;
  if (toPort) list[list.length - 1] = (bounds[4 * lower + 1] ?? 0) + BOX.framePadding;
  return link.reversed ? reversePairs(list) : list;

  function portX(box: number, side: 'inPorts' | 'outPorts'): number {
    const content = plan.boxes[box];
    const placed = content?.kind === 'group' ? open.get(content.ref) : undefined;
    const port = placed?.[side].get(value);
    if (placed === undefined || port === undefined || link.reversed) return xs[box] ?? 0;
    return (bounds[4 * box] ?? 0) + contentX(bounds[4 * box + 2] ?? 0, placed) + port;
  }
}

function reversePairs(list: readonly number[]): number[] {
  const reversed: number[] = [];
  for (let i = list.length - 2; i >= 0; i -= 2) reversed.push(list[i] ?? 0, list[i + 1] ?? 0);
  return reversed;
}
