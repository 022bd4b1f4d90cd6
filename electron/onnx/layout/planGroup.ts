import type { GraphView } from '../../../shared/model/graph';
import { assignLayers } from './assignLayers';
import { type ContentBox, groupContent } from './groupContent';
import { MAX_CONSUMERS } from './isSharedAround';
import { type LayeredGraph, orderLayers, withBends } from './orderLayers';

export interface PlannedLink {
  readonly from: number;
  readonly to: number;
  readonly values: readonly number[];
  /** Runs upwards, because it closes a cycle. */
  readonly reversed: boolean;
}

/** The name of a value beside a box that takes it (`in`, on the left) or gives it out (`out`, on the right). */
export interface PlannedStub {
  readonly value: number;
  readonly box: number;
  readonly side: 'in' | 'out';
}

/** Everything about the drawing of a group that does not depend on which groups inside it are open. */
export interface GroupPlan {
  readonly boxes: readonly ContentBox[];
  readonly links: readonly PlannedLink[];
  readonly stubs: readonly PlannedStub[];
  readonly graph: LayeredGraph;
  /** Points of each layer from left to right. */
  readonly layers: readonly Uint32Array[];
}

/** Layers that an edge may pass. */
const MAX_SPAN = 24;
/** Bends in one drawing: beyond, the longest edges become stubs. */
const MAX_BENDS = 1500;
/** Stubs in one drawing; what else is shared is in the details of the nodes only. */
const MAX_STUBS = 600;
/** Boxes without any edge in a row. */
const ROW = 8;

/** Which boxes, which edges, in which layer and order. Deterministic; the cost depends on what is directly in the group, and on the edges. */
export function planGroup(view: GraphView, group: number): GroupPlan {
  const content = groupContent(view, group);
  const drawing = new Drawing(content.boxes);
  for (const { value, from, to } of content.flows) {
    const leaving = (box: number) => content.boxes[box]?.kind === 'out' || content.boxes[box]?.kind === 'value';
    const shared = to.filter((box) => !leaving(box)).length > MAX_CONSUMERS;
    for (const target of to) {
      if (leaving(target) ? from >= 0 : from >= 0 && !shared) drawing.link(value, from, target);
      else if (!leaving(target)) drawing.stub(value, target, 'in');
    }
    if (shared && from >= 0) drawing.stub(value, from, 'out');
  }
  drawing.dropUnusedPorts();
  drawing.cutLongLinks();
  return drawing.plan();
}

class Drawing {
  private boxes: ContentBox[];
  private links = new Map<string, { from: number; to: number; values: number[] }>();
  private stubs: PlannedStub[] = [];

  constructor(boxes: readonly ContentBox[]) {
    this.boxes = [...boxes];
  }

  link(value: number, from: number, to: number): void {
    const key = `${from} ${to}`;
    const known = this.links.get(key);
    if (known === undefined) this.links.set(key, { from, to, values: [value] });
    else known.values.push(value);
  }

  stub(value: number, box: number, side: 'in' | 'out'): void {
    // An input or a port has the name already.
    const { kind } = this.boxes[box] ?? { kind: 'in' };
    if ((side === 'out' && (kind === 'value' || kind === 'in')) || this.stubs.length >= MAX_STUBS) return;
    this.stubs.push({ value, box, side });
  }

  /** Longest first: one by one until what is left may be drawn. */
  cutLongLinks(): void {
    const { layer } = this.layered();
    const spans = [...this.links.entries()].map(([key, { from, to }]) => ({ key, span: Math.abs((layer[to] ?? 0) - (layer[from] ?? 0)) }));
    spans.sort((a, b) => b.span - a.span);
    let bends = spans.reduce((sum, { span }) => sum + Math.max(0, span - 1), 0);
    const below = new Set<number>();
    let cut = false;
    for (const { key, span } of spans) {
      const link = this.links.get(key);
      if (link === undefined || span <= 1 || (span <= MAX_SPAN && bends <= MAX_BENDS)) break;
      bends -= span - 1;
      cut = true;
      this.links.delete(key);
      const { kind } = this.boxes[link.to] ?? { kind: 'out' };
      for (const value of link.values) {
        if (kind !== 'out' && kind !== 'value') this.stub(value, link.to, 'in');
        if (!below.has(value)) this.stub(value, link.from, 'out');
        below.add(value);
      }
    }
    if (cut) this.dropUnusedPorts();
  }

  /** Ports that nothing is drawn to; an input or output of the graph stays. */
  dropUnusedPorts(): void {
    const used = new Uint8Array(this.boxes.length);
    for (const { from, to } of this.links.values()) {
      used[from] = 1;
      used[to] = 1;
    }
    const places = new Int32Array(this.boxes.length).fill(-1);
    const kept: ContentBox[] = [];
    for (const [box, content] of this.boxes.entries()) {
      if (used[box] === 1 || (content.kind !== 'in' && content.kind !== 'out')) places[box] = kept.push(content) - 1;
    }
    const links = [...this.links.values()];
    this.boxes = kept;
    this.stubs = this.stubs.map((stub) => ({ ...stub, box: places[stub.box] ?? 0 })).filter(({ box }) => box >= 0);
    this.links = new Map();
    for (const { from, to, values } of links) {
      const moved = { from: places[from] ?? 0, to: places[to] ?? 0, values };
      this.links.set(`${moved.from} ${moved.to}`, moved);
    }
  }

  private layered() {
    const links = [...this.links.values()];
    const from = Uint32Array.from(links, (link) => link.from);
    const to = Uint32Array.from(links, (link) => link.to);
    const pins = Uint8Array.from(this.boxes, ({ kind }) => (kind === 'in' ? 1 : kind === 'out' ? 2 : 0));
    return { links, from, to, pins, ...assignLayers({ boxes: this.boxes.length, from, to }, pins) };
  }

  plan(): GroupPlan {
    const { links, from, to, layer, reversed, pins, count } = this.layered();
    const layers = spreadLonely(layer, { from, to, pins, count });
    const upper = from.map((box, link) => (reversed[link] ? (to[link] ?? 0) : box));
    const lower = to.map((box, link) => (reversed[link] ? (from[link] ?? 0) : box));
    const graph = withBends({ boxes: this.boxes.length, layer, layers, upper, lower });
    return {
      boxes: this.boxes,
      links: links.map((link, at) => ({ ...link, reversed: reversed[at] === 1 })),
      stubs: this.stubs,
      graph,
      layers: orderLayers(graph),
    };
  }
}

/** Boxes without any edge stand in rows rather than all in the first layer. Returns the number of layers. */
function spreadLonely(layer: Int32Array, options: { from: Uint32Array; to: Uint32Array; pins: Uint8Array; count: number }): number {
  const linked = new Uint8Array(layer.length);
  for (const box of options.from) linked[box] = 1;
  for (const box of options.to) linked[box] = 1;
  const first = options.pins.includes(1) ? 1 : 0;
  let lonely = 0;
  let last = options.count - 1;
  for (let box = 0; box < layer.length; box++) {
    if (linked[box] === 1 || options.pins[box] !== 0) continue;
    layer[box] = first + Math.floor(lonely++ / ROW);
    last = Math.max(last, layer[box] ?? 0);
  }
  // What is pinned to the last layer stays there.
  if (last >= options.count) for (let box = 0; box < layer.length; box++) if (options.pins[box] === 2) layer[box] = last;
  return last + 1;
}
