import { BOX_KINDS, type GraphLayout, type GraphView, NO_VALUE } from '../../shared/model/graph';
import { BOX } from '../../shared/model/graphBoxes';
import type { Point, Rect } from './graphCamera';
import { edgeDistance } from './graphEdges';
import { type Edges, RectTree } from './rectTree';

/** Something in a graph that can be chosen: an operator, a group of them, a value (an input, an output, the end of an edge that is not drawn). */
export interface GraphItem {
  readonly kind: 'node' | 'group' | 'value';
  readonly ref: number;
}

export const [NODE_BOX, FOLDED_BOX, OPEN_BOX, STUB_BOX, VALUE_BOX] = [0, 1, 2, 3, 4] as const;

/** A layout that can be asked what stands where and what is joined to what. */
export class GraphScene {
  readonly view: GraphView;
  readonly layout: GraphLayout;
  readonly #boxes: RectTree;
  readonly #edges: RectTree;
  readonly #nodeBox = new Map<number, number>();
  readonly #groupBox = new Map<number, number>();
  readonly #valueBoxes = new Map<number, number[]>();
  #all: Uint32Array | null = null;
  #links: { readonly in: Linked; readonly out: Linked } | null = null;

  constructor(view: GraphView, layout: GraphLayout) {
    this.view = view;
    this.layout = layout;
    const { boxes, edges } = layout;
    this.#boxes = new RectTree(boxes.x.length, (box, out, at) => {
      const [x, y] = [boxes.x[box] ?? 0, boxes.y[box] ?? 0];
      out[at] = x;
      out[at + 1] = y;
      out[at + 2] = x + (boxes.width[box] ?? 0);
      out[at + 3] = y + (boxes.height[box] ?? 0);
    });
    this.#edges = new RectTree(edges.from.length, (edge, out, at) => boundEdge(layout, edge, { out, at }));
    for (let box = 0; box < boxes.x.length; box++) this.#remember(box);
  }

  /** Boxes that touch the part; frames before what is in them. */
  boxesIn(part: Edges): Uint32Array {
    const { width, height, boxes } = this.layout;
    if (part.left > 0 || part.top > 0 || part.right < width || part.bottom < height) return this.#boxes.search(part);
    // All are in view: nothing has to be looked for.
    this.#all ??= Uint32Array.from(boxes.x, (_, box) => box);
    return this.#all;
  }

  edgesIn(part: Edges): Uint32Array {
    return this.#edges.search(part);
  }

  /** Where the flow begins: the uppermost box that is in no frame, the first of several. */
  start(): Rect {
    const { parent, y } = this.layout.boxes;
    let best = -1;
    for (let box = 0; box < y.length; box++) if (parent[box] === -1 && (best < 0 || (y[box] ?? 0) < (y[best] ?? 0))) best = box;
    return best < 0 ? { x: 0, y: 0, width: 0, height: 0 } : this.rectOf(best);
  }

  rectOf(box: number): Rect {
    const { x, y, width, height } = this.layout.boxes;
    return { x: x[box] ?? 0, y: y[box] ?? 0, width: width[box] ?? 0, height: height[box] ?? 0 };
  }

  /** The innermost box at a point; -1 for none. An open frame counts only by its title and its border. */
  boxAt(point: Point, border = BOX.framePadding / 2): number {
    const found = this.#boxes.search({ left: point.x, right: point.x, top: point.y, bottom: point.y });
    for (let at = found.length - 1; at >= 0; at--) {
      const box = found[at] ?? 0;
      if (this.layout.boxes.kind[box] !== OPEN_BOX || this.#isOnFrame(box, point, border)) return box;
    }
    return -1;
  }

  /** The innermost open group around a point; -1 for none. */
  frameAt(point: Point): number {
    const found = this.#boxes.search({ left: point.x, right: point.x, top: point.y, bottom: point.y });
    return found.findLast((box) => this.layout.boxes.kind[box] === OPEN_BOX) ?? -1;
  }

  /** The nearest edge within `reach` units; -1 for none. */
  edgeAt(point: Point, reach: number): number {
    let best = -1;
    let least = reach;
    for (const edge of this.#edges.search({ left: point.x - reach, right: point.x + reach, top: point.y - reach, bottom: point.y + reach })) {
      const distance = edgeDistance(this.layout.edges, edge, point);
      if (distance > least) continue;
      best = edge;
      least = distance;
    }
    return best;
  }

  itemOf(box: number): GraphItem | null {
    const ref = this.layout.boxes.ref[box];
    const kind = BOX_KINDS[this.layout.boxes.kind[box] ?? -1];
    if (ref === undefined || kind === undefined) return null;
    return { kind: kind === 'node' ? 'node' : kind === 'folded' || kind === 'open' ? 'group' : 'value', ref };
  }

  /** The box that stands for an item: its own, or that of the closed group around it; -1 when neither is drawn. */
  boxOf(item: GraphItem): number {
    if (item.kind === 'value') return this.valueBox(item.ref);
    const own = item.kind === 'node' ? this.#nodeBox.get(item.ref) : undefined;
    if (own !== undefined) return own;
    const start = item.kind === 'node' ? (this.view.nodes.group[item.ref] ?? -1) : item.ref;
    for (let group = start; group >= 0; group = this.view.groups[group]?.parent ?? -1) {
      const box = this.#groupBox.get(group);
      // A node that is not drawn although its group is open stands nowhere.
      if (box !== undefined) return item.kind === 'group' && group === item.ref ? box : this.layout.boxes.kind[box] === FOLDED_BOX ? box : -1;
    }
    return -1;
  }

  /** The value's own box, else the first stub of it; -1 for none. */
  valueBox(value: number): number {
    const boxes = this.#valueBoxes.get(value) ?? [];
    return boxes.find((box) => this.layout.boxes.kind[box] === VALUE_BOX) ?? boxes[0] ?? -1;
  }

  stubsOf(value: number): readonly number[] {
    return (this.#valueBoxes.get(value) ?? []).filter((box) => this.layout.boxes.kind[box] === STUB_BOX);
  }

  /** Edges that end at (`in`) or leave (`out`) a box. */
  edgesOf(box: number, direction: 'in' | 'out'): Uint32Array {
    const { edges, boxes } = this.layout;
    this.#links ??= { in: linkBy(edges.to, boxes.x.length), out: linkBy(edges.from, boxes.x.length) };
    const { starts, list } = this.#links[direction];
    return list.subarray(starts[box], starts[box + 1]);
  }

  /** The same without those of an open group that lead to what is in it. */
  outerEdges(box: number, direction: 'in' | 'out'): Uint32Array {
    const edges = this.edgesOf(box, direction);
    if (this.layout.boxes.kind[box] !== OPEN_BOX) return edges;
    const others = direction === 'in' ? this.layout.edges.from : this.layout.edges.to;
    return edges.filter((edge) => this.layout.boxes.parent[others[edge] ?? 0] !== box);
  }

  /** Edges of a box, followed through the borders of the open groups around it to where the value comes from or goes. */
  tracedEdges(box: number, direction: 'in' | 'out'): Uint32Array {
    const { boxes, edges } = this.layout;
    const others = direction === 'in' ? edges.from : edges.to;
    const traced = [...this.outerEdges(box, direction)];
    // The list grows while it is walked; a frame that has been passed is not passed again.
    const passed = new Set<number>();
    for (let at = 0; at < traced.length; at++) {
      const edge = traced[at] ?? 0;
      const place = others[edge] ?? 0;
      if (boxes.kind[place] !== OPEN_BOX || boxes.parent[(direction === 'in' ? edges.to[edge] : edges.from[edge]) ?? 0] !== place) continue;
      const key = place * edges.from.length + (edges.value[edge] ?? 0);
      if (passed.has(key)) continue;
      passed.add(key);
      for (const next of this.outerEdges(place, direction)) if (edges.value[next] === edges.value[edge]) traced.push(next);
    }
    return Uint32Array.from(traced);
  }

  #remember(box: number): void {
    const ref = this.layout.boxes.ref[box] ?? 0;
    const kind = this.layout.boxes.kind[box];
    if (kind === NODE_BOX) this.#nodeBox.set(ref, box);
    else if (kind === FOLDED_BOX || kind === OPEN_BOX) this.#groupBox.set(ref, box);
    else {
      const boxes = this.#valueBoxes.get(ref);
      if (boxes === undefined) this.#valueBoxes.set(ref, [box]);
      else boxes.push(box);
    }
  }

  #isOnFrame(box: number, { x, y }: Point, border: number): boolean {
    const rect = this.rectOf(box);
    if (y <= rect.y + BOX.header) return true;
    return x - rect.x <= border || rect.x + rect.width - x <= border || rect.y + rect.height - y <= border;
  }
}

interface Linked {
  readonly starts: Uint32Array;
  readonly list: Uint32Array;
}

function linkBy(ends: Uint32Array, count: number): Linked {
  const starts = new Uint32Array(count + 1);
  for (const end of ends) starts[end + 1] = (starts[end + 1] ?? 0) + 1;
  for (let at = 0; at < count; at++) starts[at + 1] = (starts[at + 1] ?? 0) + (starts[at] ?? 0);
  const next = starts.slice();
  const list = new Uint32Array(ends.length);
  ends.forEach((end, link) => {
    const at = next[end] ?? 0;
    list[at] = link;
    next[end] = at + 1;
  });
  return { starts, list };
}

function boundEdge({ edges }: GraphLayout, edge: number, { out, at }: { readonly out: Float32Array; readonly at: number }): void {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let point = edges.pointStarts[edge] ?? 0; point < (edges.pointStarts[edge + 1] ?? 0); point++) {
    const [x, y] = [edges.points[2 * point] ?? 0, edges.points[2 * point + 1] ?? 0];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  out[at] = left;
  out[at + 1] = top;
  out[at + 2] = right;
  out[at + 3] = bottom;
}

/** Nodes that read each value, as columns. */
export class ValueReaders {
  readonly #starts: Uint32Array;
  readonly #nodes: Uint32Array;

  constructor({ nodes, values }: GraphView) {
    const count = values.names.length;
    const starts = new Uint32Array(count + 1);
    for (const value of nodes.inputs) if (value !== NO_VALUE) starts[value + 1] = (starts[value + 1] ?? 0) + 1;
    for (let at = 0; at < count; at++) starts[at + 1] = (starts[at + 1] ?? 0) + (starts[at] ?? 0);
    const next = starts.slice();
    this.#nodes = new Uint32Array(starts[count] ?? 0);
    this.#starts = starts;
    for (let node = 0; node < nodes.names.length; node++) {
      for (let at = nodes.inputStarts[node] ?? 0; at < (nodes.inputStarts[node + 1] ?? 0); at++) {
        const value = nodes.inputs[at] ?? NO_VALUE;
        if (value === NO_VALUE) continue;
        const place = next[value] ?? 0;
        this.#nodes[place] = node;
        next[value] = place + 1;
      }
    }
  }

  /** Each node once, in the order of the graph. */
  of(value: number): readonly number[] {
    return [...new Set(this.#nodes.subarray(this.#starts[value], this.#starts[value + 1]))];
  }
}

/** Inputs of a node, `NO_VALUE` for one that is left out. */
export function inputsOf({ nodes }: GraphView, node: number): Uint32Array {
  return nodes.inputs.subarray(nodes.inputStarts[node], nodes.inputStarts[node + 1]);
}

export function outputsOf({ nodes }: GraphView, node: number): Uint32Array {
  return nodes.outputs.subarray(nodes.outputStarts[node], nodes.outputStarts[node + 1]);
}

/** Groups from the outermost that hold an item, itself left out. */
export function groupsAround(view: GraphView, item: GraphItem): readonly number[] {
  const around: number[] = [];
  let group = -1;
  if (item.kind === 'node') group = view.nodes.group[item.ref] ?? -1;
  else if (item.kind === 'group') group = view.groups[item.ref]?.parent ?? -1;
  else {
    const producer = view.values.producer[item.ref] ?? NO_VALUE;
    if (producer !== NO_VALUE) group = view.nodes.group[producer] ?? -1;
  }
  // A cycle cannot be, but a host that is wrong must not hang the window.
  while (group >= 0 && around.length <= view.groups.length) {
    around.unshift(group);
    group = view.groups[group]?.parent ?? -1;
  }
  return around;
}
