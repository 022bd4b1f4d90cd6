import { BOX_KINDS, type GraphLayout, type GraphView, NO_VALUE } from '../../shared/model/graph';
import { GRAPH_CHANGES, type GraphChange, type GraphChangeKind } from '../../shared/model/graphEdit';
import { initializersOf } from './graphOverlay';
import { type GraphItem, groupsAround, ValueReaders } from './graphScene';

export type DiffSideName = 'a' | 'b';

/** What two models differ in, with the union of their graphs. The arrays hold an index into GRAPH_CHANGES, 255 where nothing changed. */
export interface GraphDiff {
  readonly view: GraphView;
  readonly nodeChanges: Uint8Array;
  readonly initializerChanges: Uint8Array;
  readonly changes: readonly GraphChange[];
}

export type ChangeCounts = Readonly<Partial<Record<GraphChangeKind, number>>>;

const ORDER: readonly GraphChange['what'][] = ['model', 'input', 'output', 'node', 'initializer'];

/** A difference that can be asked what stands on which side, and what is changed where. */
export class GraphDiffIndex {
  readonly diff: GraphDiff;
  /** Changes as they are listed: the model first, then its inputs, outputs, operators and initializers, each in the order of the graph. */
  readonly order: readonly number[];
  /** Changes inside of each group, at any depth, each once. */
  readonly ofGroup: readonly ChangeCounts[];
  readonly #readers: ValueReaders;
  readonly #inputs: ReadonlyMap<number, DiffSideName>;
  readonly #groups: { readonly a: Uint8Array; readonly b: Uint8Array };
  readonly #byItem = new Map<string, number[]>();

  constructor(diff: GraphDiff) {
    this.diff = diff;
    const { changes, view } = diff;
    this.#readers = new ValueReaders(view);
    const place = ({ what, a, b }: GraphChange) => ORDER.indexOf(what) * 2 ** 40 + Math.max(a, b, 0);
    this.order = [...changes.keys()].sort((x, y) => sortKey(changes[x], place) - sortKey(changes[y], place) || x - y);
    this.#inputs = oneSidedInputs(diff);
    this.#groups = { a: this.#groupsOf('a'), b: this.#groupsOf('b') };
    const counts: Partial<Record<GraphChangeKind, number>>[] = view.groups.map(() => ({}));
    for (const [index, change] of changes.entries()) {
      const places = this.#placesOf(change);
      for (const item of places) {
        const key = keyOf(item);
        this.#byItem.set(key, [...(this.#byItem.get(key) ?? []), index]);
      }
      for (const group of new Set(places.flatMap((item) => groupsAround(view, item)))) {
        const own = counts[group];
        if (own !== undefined) own[change.change] = (own[change.change] ?? 0) + 1;
      }
    }
    this.ofGroup = counts;
  }

  /** What became of a node; of one that is as it was, what became of its initializers. `null`: nothing changed. */
  ofNode(node: number): GraphChangeKind | null {
    const own = kindOf(this.diff.nodeChanges[node]);
    if (own !== null) return own;
    const kinds = new Set(initializersOf(this.diff.view, node).map((initializer) => kindOf(this.diff.initializerChanges[initializer])));
    if (kinds.has('changed') || kinds.has('added') || kinds.has('removed')) return 'changed';
    return kinds.has('value') ? 'value' : kinds.has('renamed') ? 'renamed' : null;
  }

  /** Whether a side has it. */
  isIn(side: DiffSideName, { kind, ref }: GraphItem): boolean {
    if (kind === 'node') return this.diff.nodeChanges[ref] !== missing(side);
    if (kind === 'group') return this.#groups[side][ref] !== 0;
    const { values } = this.diff.view;
    const producer = values.producer[ref] ?? NO_VALUE;
    if (producer !== NO_VALUE) return this.diff.nodeChanges[producer] !== missing(side);
    const initializer = values.initializer[ref] ?? NO_VALUE;
    if (initializer !== NO_VALUE) return this.diff.initializerChanges[initializer] !== missing(side);
    return (this.#inputs.get(ref) ?? side) === side;
  }

  /** Where a change can be seen; `null` for one of the model as a whole. */
  itemOf(change: number): GraphItem | null {
    const found = this.diff.changes[change];
    return found === undefined ? null : (this.#placesOf(found)[0] ?? null);
  }

  /** Changes of a node, of its initializers, of a value: places in `changes`. */
  changesOf(item: GraphItem): readonly number[] {
    return this.#byItem.get(keyOf(item)) ?? [];
  }

  #placesOf({ what, a, b, text }: GraphChange): readonly GraphItem[] {
    const { view } = this.diff;
    const index = Math.max(a, b);
    if (what === 'node') return index < 0 ? [] : [{ kind: 'node', ref: index }];
    if (what === 'initializer') {
      const value = view.initializers[index]?.value;
      if (value === undefined) return [];
      const readers = this.#readers.of(value);
      return readers.length === 0 ? [{ kind: 'value', ref: value }] : readers.map((ref): GraphItem => ({ kind: 'node', ref }));
    }
    if (what === 'model') return [];
    const value = interfaceValue(view, text, what === 'input' ? 1 : 2);
    return value < 0 ? [] : [{ kind: 'value', ref: value }];
  }

  #groupsOf(side: DiffSideName): Uint8Array {
    const { view, nodeChanges } = this.diff;
    const own = new Uint8Array(view.groups.length);
    const filled = new Uint8Array(view.groups.length);
    for (let node = 0; node < nodeChanges.length; node++) {
      const isThere = nodeChanges[node] !== missing(side);
      for (let group = view.nodes.group[node] ?? -1; group >= 0; group = view.groups[group]?.parent ?? -1) {
        if (filled[group] === 1 && (own[group] === 1 || !isThere)) break;
        filled[group] = 1;
        if (isThere) own[group] = 1;
      }
    }
    // A group without operators is on both sides, and so is the model itself.
    return own.map((isThere, group) => (isThere === 1 || filled[group] === 0 || group === 0 ? 1 : 0));
  }
}

/** The kind of change that a side's absence is told by. */
function missing(side: DiffSideName): number {
  return GRAPH_CHANGES.indexOf(side === 'a' ? 'added' : 'removed');
}

export function kindOf(code: number | undefined): GraphChangeKind | null {
  return GRAPH_CHANGES[code ?? 255] ?? null;
}

function sortKey(change: GraphChange | undefined, place: (change: GraphChange) => number): number {
  return change === undefined ? 0 : place(change);
}

function keyOf({ kind, ref }: GraphItem): string {
  return `${kind} ${ref}`;
}

/** Changes of inputs and outputs are told by name, which is what their text begins with. @param role bit of `values.role` */
function interfaceValue({ values }: GraphView, text: string, role: number): number {
  let best = -1;
  for (let value = 0; value < values.names.length; value++) {
    const name = values.names[value] ?? '';
    if (values.scope[value] !== 0 || ((values.role[value] ?? 0) & role) === 0) continue;
    const isMeant = text === name || text.startsWith(`${name} `) || text.startsWith(`${name}:`);
    if (isMeant && name.length >= (values.names[best] ?? '').length) best = value;
  }
  return best;
}

function oneSidedInputs({ view, changes }: GraphDiff): Map<number, DiffSideName> {
  const found = new Map<number, DiffSideName>();
  for (const { what, change, text } of changes) {
    if (what !== 'input' || (change !== 'added' && change !== 'removed')) continue;
    const value = interfaceValue(view, text, 1);
    if (value >= 0) found.set(value, change === 'added' ? 'b' : 'a');
  }
  return found;
}

/** Far from every picture. */
const AWAY = -1e7;

/**
 * The layout as one side has it: nothing moves, edges of what the side does not have are left out, and so are the ends of edges and the inputs.
 * Operators and groups that it does not have keep their places: they are drawn as ghosts.
 */
export function sideLayout(layout: GraphLayout, index: GraphDiffIndex, side: DiffSideName): GraphLayout {
  const { boxes, edges } = layout;
  const isThere = Uint8Array.from(boxes.kind, (kind, box) => {
    const name = BOX_KINDS[kind];
    const item: GraphItem = { kind: name === 'node' ? 'node' : name === 'folded' || name === 'open' ? 'group' : 'value', ref: boxes.ref[box] ?? 0 };
    return index.isIn(side, item) ? 1 : 0;
  });
  const kept: number[] = [];
  const joined = new Uint8Array(boxes.kind.length);
  for (let edge = 0; edge < edges.from.length; edge++) {
    const [from, to] = [edges.from[edge] ?? 0, edges.to[edge] ?? 0];
    if (isThere[from] !== 1 || isThere[to] !== 1 || !index.isIn(side, { kind: 'value', ref: edges.value[edge] ?? 0 })) continue;
    kept.push(edge);
    joined[from] = 1;
    joined[to] = 1;
  }
  if (kept.length === edges.from.length && isThere.every((there) => there === 1)) return layout;
  const isHidden = (box: number) => {
    const kind = BOX_KINDS[boxes.kind[box] ?? 0];
    return (kind === 'value' && isThere[box] === 0) || (kind === 'stub' && (isThere[box] === 0 || joined[box] === 0));
  };
  const starts = new Uint32Array(kept.length + 1);
  const points: number[] = [];
  kept.forEach((edge, at) => {
    for (let point = 2 * (edges.pointStarts[edge] ?? 0); point < 2 * (edges.pointStarts[edge + 1] ?? 0); point++) points.push(edges.points[point] ?? 0);
    starts[at + 1] = points.length / 2;
  });
  const pick = (column: Uint32Array) => Uint32Array.from(kept, (edge) => column[edge] ?? 0);
  return {
    ...layout,
    boxes: { ...boxes, x: boxes.x.map((x, box) => (isHidden(box) ? AWAY : x)), y: boxes.y.map((y, box) => (isHidden(box) ? AWAY : y)) },
    edges: {
      from: pick(edges.from),
      to: pick(edges.to),
      value: pick(edges.value),
      count: pick(edges.count),
      pointStarts: starts,
      points: Float32Array.from(points),
    },
  };
}
