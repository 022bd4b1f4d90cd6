import { type GraphView, NO_VALUE } from '../../../shared/model/graph';
import { type GraphIndex, graphIndex } from './graphIndex';
import { isSharedAround } from './isSharedAround';

/** `in` and `out` are ports: where values enter and leave the group's frame. */
export interface ContentBox {
  readonly kind: 'node' | 'group' | 'stub' | 'value' | 'in' | 'out';
  /** Node, group or value. */
  readonly ref: number;
}

/** A value that flows from one box to another. */
export interface Flow {
  readonly value: number;
  readonly from: number;
  readonly to: readonly number[];
}

export interface GroupContent {
  readonly boxes: ContentBox[];
  readonly flows: readonly Flow[];
}

/** Inputs, outputs and ports beyond so many are stubs where they are used: a picture is no list. */
const MAX_PORTS = 100;

/**
 * What is to be drawn in a group: the nodes and groups directly inside, the inputs and outputs when it is a whole graph, ports for what
 * crosses its border, and which value flows from which box to which. Initializers and hidden constants are in the boxes of their nodes.
 */
export function groupContent(view: GraphView, group: number): GroupContent {
  const builder = new ContentBuilder(view, graphIndex(view), group);
  builder.addChildren();
  builder.addInputs();
  builder.addOutputs();
  return { boxes: builder.boxes, flows: builder.flows() };
}

class ContentBuilder {
  readonly boxes: ContentBox[] = [];
  /** Box of each node inside, by its place in the index. */
  private readonly boxOf: Int32Array;
  /** Places of what each box of a node or group holds. */
  private readonly begins: number[] = [];
  private readonly ends: number[] = [];
  /** Places of the nodes directly inside, and of those in the groups inside that take or give out something across their borders. */
  private readonly relevant: number[] = [];
  private readonly origin: number;
  private readonly past: number;
  /** Scope whose inputs and outputs stand here; -1 when the group is a part of one. */
  private readonly whole: number;
  private readonly outer = new Map<number, number>();
  private readonly drawn = new Map<number, { from: number; to: Set<number> }>();
  private ports = 0;

  constructor(
    private readonly view: GraphView,
    private readonly index: GraphIndex,
    private readonly group: number,
  ) {
    this.origin = index.start[group] ?? 0;
    this.past = index.end[group] ?? 0;
    this.boxOf = new Int32Array(this.past - this.origin).fill(-1);
    const { kind, scope } = view.groups[group] ?? { kind: 'module', scope: 0 };
    this.whole = kind === 'root' || kind === 'function' || kind === 'subgraph' ? scope : -1;
  }

  /** Boxes in the order of their first node, so that the layout follows the file. */
  addChildren(): void {
    const { index, view, group } = this;
    const children: { kind: 'node' | 'group'; ref: number; first: number }[] = [];
    for (let at = this.origin; at < this.past; at++) {
      const node = index.nodes[at] ?? 0;
      if (view.nodes.group[node] !== group) break;
      this.relevant.push(at);
      if (index.hidden[node] === 0) children.push({ kind: 'node', ref: node, first: node });
    }
    for (const child of index.childGroups[group] ?? []) {
      const first = index.first[child] ?? 0;
      for (let i = index.crossingStarts[child] ?? 0; i < (index.crossingStarts[child + 1] ?? 0); i++) this.relevant.push(index.crossing[i] ?? 0);
      // The body stands before the node that holds it, because its results flow there.
      const holder = view.groups[child]?.kind === 'subgraph' ? (view.scopes[view.groups[child]?.scope ?? 0]?.parent?.node ?? first) - 0.5 : first;
      children.push({ kind: 'group', ref: child, first: holder });
    }
    children.sort((a, b) => a.first - b.first);
    for (const { kind, ref } of children) {
      const box = this.box(kind, ref);
      const begin = (kind === 'node' ? index.place[ref] : index.start[ref]) ?? 0;
      const end = kind === 'node' ? begin + 1 : (index.end[ref] ?? 0);
      this.begins.push(begin);
      this.ends.push(end);
      this.boxOf.fill(box, begin - this.origin, end - this.origin);
    }
    for (const [box, { kind, ref }] of this.boxes.entries()) if (kind === 'group') this.addBody(box, ref);
  }

  /** The results of a body flow to the node that holds it. */
  private addBody(box: number, child: number): void {
    const { view } = this;
    const { kind, scope } = view.groups[child] ?? { kind: 'module', scope: 0 };
    const holder = kind === 'subgraph' ? view.scopes[scope]?.parent : null;
    const to = holder ? this.inside(holder.node) : -1;
    if (to < 0 || to === box) return;
    for (const value of this.index.boundaries[scope]?.outputs ?? []) this.flow(value, box, to);
  }

  addInputs(): void {
    const { view, index } = this;
    for (const value of index.boundaries[this.whole]?.inputs ?? []) if (this.isWhole(value, 1)) this.outside(value, 'value');
    for (const at of this.relevant) {
      const node = index.nodes[at] ?? 0;
      const to = this.boxOf[at - this.origin] ?? -1;
      if (to < 0) continue;
      const begin = this.begins[to] ?? 0;
      const end = this.ends[to] ?? 0;
      for (let i = view.nodes.inputStarts[node] ?? 0; i < (view.nodes.inputStarts[node + 1] ?? 0); i++) {
        const value = view.nodes.inputs[i] ?? NO_VALUE;
        if (value !== NO_VALUE && ((index.low[value] ?? 0) < begin || (index.high[value] ?? 0) >= end)) this.addInput(value, to);
      }
    }
  }

  private addInput(value: number, to: number): void {
    const { values, scopes, groups } = this.view;
    const producer = values.producer[value] ?? NO_VALUE;
    if (values.initializer[value] !== NO_VALUE && (producer === NO_VALUE || this.index.hidden[producer] === 1)) return;
    if (producer !== NO_VALUE) {
      const from = this.inside(producer);
      if (from >= 0 || this.isWithin(producer)) {
        if (from >= 0 && from !== to) this.flow(value, from, to);
        return;
      }
    }
    const scope = values.scope[value] ?? 0;
    // An input of a body further in is no concern of this group.
    if (scope !== (this.whole >= 0 ? this.whole : (groups[this.group]?.scope ?? 0)) && this.isInnerScope(scope)) return;
    if (this.isWhole(value, 1)) this.flow(value, this.outside(value, 'value'), to);
    else if (producer === NO_VALUE && ((values.role[value] ?? 0) & 1) === 0) this.flow(value, -1, to);
    else if (scopes[scope] !== undefined) this.flow(value, this.outside(value, 'in'), to);
  }

  addOutputs(): void {
    const { view, index } = this;
    for (const at of this.relevant) {
      const node = index.nodes[at] ?? 0;
      const from = this.boxOf[at - this.origin] ?? -1;
      if (from < 0) continue;
      const begin = this.begins[from] ?? 0;
      const end = this.ends[from] ?? 0;
      for (let i = view.nodes.outputStarts[node] ?? 0; i < (view.nodes.outputStarts[node + 1] ?? 0); i++) {
        const value = view.nodes.outputs[i] ?? NO_VALUE;
        if (value === NO_VALUE) continue;
        if ((index.low[value] ?? 0) >= begin && (index.high[value] ?? 0) < end && ((view.values.role[value] ?? 0) & 2) === 0) continue;
        const isOutput = this.isWhole(value, 2);
        if (!isOutput && !this.leaves(value)) continue;
        if (++this.ports <= 2 * MAX_PORTS) this.flow(value, from, this.box(isOutput ? 'value' : 'out', value));
      }
    }
    // Inputs that are outputs as they are.
    for (const value of index.boundaries[this.whole]?.outputs ?? []) {
      if (!this.isWhole(value, 3) || (view.values.producer[value] ?? NO_VALUE) !== NO_VALUE) continue;
      const from = this.outer.get(value) ?? -1;
      if (from >= 0) this.flow(value, from, this.box('value', value));
    }
  }

  flows(): Flow[] {
    return [...this.drawn].map(([value, { from, to }]) => ({ value, from, to: [...to] }));
  }

  private box(kind: ContentBox['kind'], ref: number): number {
    return this.boxes.push({ kind, ref }) - 1;
  }

  /** `from` -1: there is no box for it; a stub will stand beside who uses it. */
  private flow(value: number, from: number, to: number): void {
    const known = this.drawn.get(value);
    if (known === undefined) this.drawn.set(value, { from, to: new Set([to]) });
    else known.to.add(to);
  }

  /** Box of a value that comes from outside the content; -1 when it has none, because there are too many or it is no edge outside either. */
  private outside(value: number, kind: 'value' | 'in'): number {
    const known = this.outer.get(value);
    if (known !== undefined) return known;
    const drawn = this.outer.size < MAX_PORTS && !(kind === 'in' && isSharedAround(this.view, this.group, value));
    const box = drawn ? this.box(kind, value) : -1;
    this.outer.set(value, box);
    return box;
  }

  /** Box that holds a node; -1 when it is elsewhere, or hidden. */
  private inside(node: number): number {
    return this.isWithin(node) ? (this.boxOf[(this.index.place[node] ?? 0) - this.origin] ?? -1) : -1;
  }

  private isWithin(node: number): boolean {
    const place = this.index.place[node] ?? 0;
    return place >= this.origin && place < this.past;
  }

  private isWhole(value: number, role: number): boolean {
    const { values } = this.view;
    if (this.whole < 0 || values.scope[value] !== this.whole || ((values.role[value] ?? 0) & role) !== role) return false;
    // A default that a caller may override is shown with the initializers.
    return role !== 1 || values.initializer[value] === NO_VALUE;
  }

  /** Used outside the group, or an output of the graph that the group is a part of. */
  private leaves(value: number): boolean {
    const { values } = this.view;
    const { consumerStarts, consumers } = this.index;
    for (let i = consumerStarts[value] ?? 0; i < (consumerStarts[value + 1] ?? 0); i++) if (!this.isWithin(consumers[i] ?? 0)) return true;
    return this.whole < 0 && ((values.role[value] ?? 0) & 2) !== 0 && values.scope[value] === this.view.groups[this.group]?.scope;
  }

  /** A scope whose body lies inside the group. */
  private isInnerScope(scope: number): boolean {
    const holder = this.view.scopes[scope]?.parent;
    return holder !== null && holder !== undefined && this.isWithin(holder.node);
  }
}
