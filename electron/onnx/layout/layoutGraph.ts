import { CheckpointError } from '../../../shared/contract/errors';
import { BOX_KINDS, type BoxKind, type GraphLayout, type GraphView } from '../../../shared/model/graph';
import { createTurns } from '../../updates/turns';
import { CONTENT_Y, contentX, type PlacedGroup, placeGroup } from './placeGroup';
import { type GroupPlan, planGroup } from './planGroup';

export interface LayoutOptions {
  readonly signal?: AbortSignal | undefined;
  /** Groups that are laid out, of those that are open. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** What a view has laid out already. */
interface Cache {
  readonly plans: Map<number, GroupPlan>;
  /** By group and which groups inside it are open. */
  readonly placed: Map<string, { readonly id: number; readonly group: PlacedGroup }>;
  next: number;
}

const MAX_PLACED = 2000;
/** Around the whole drawing. */
const MARGIN = 24;
const caches = new WeakMap<GraphView, Cache>();

/**
 * A layered drawing, from top to bottom, of a graph or function with some of its groups open. Each group is laid out by itself and kept
 * with the view, so that opening one costs its own layout and new coordinates for those around it; the order of boxes never changes.
 * Initializers and constants are in the boxes of the nodes that use them. Values that more than eight boxes of a drawing use, and edges that
 * pass very many layers, are stubs: boxes with the name of the value, on the left of who uses it and on the right of who makes it.
 * An edge that crosses the frame of an open group is two: one to the frame, and one from the frame (`from` is the frame's box) to the box
 * inside, one below the other; likewise on the way out. A group in `open` counts only when all groups around it are open.
 * @param view the groups of which have greater indices than those that hold them
 * @throws CheckpointError not-found for a root that does not exist; cancelled
 */
export async function layoutGraph(
  view: GraphView,
  request: { readonly root: number; readonly open: ReadonlySet<number> },
  options: LayoutOptions = {},
): Promise<GraphLayout> {
  const { root } = request;
  if (view.groups[root] === undefined) throw new CheckpointError('not-found', `The graph has no group ${root}.`);
  const groups = openGroups(view, root, request.open);
  const turn = createTurns(options.signal);
  const cache = caches.get(view) ?? { plans: new Map(), placed: new Map(), next: 0 };
  caches.set(view, cache);
  const done = new Map<number, { readonly id: number; readonly group: PlacedGroup }>();
  const inside = new Map<number, number[]>();
  for (const group of groups) {
    const parent = view.groups[group]?.parent ?? -1;
    if (group !== root) inside.set(parent, [...(inside.get(parent) ?? []), group]);
  }
  // Those further in have greater indices and come first.
  for (let at = groups.length - 1; at >= 0; at--) {
    await turn();
    const group = groups[at] ?? root;
    const open = (inside.get(group) ?? []).flatMap((child) => {
      const placed = done.get(child);
      return placed === undefined ? [] : [[child, placed] as const];
    });
    done.set(group, placedGroup(view, cache, group, open));
    options.onProgress?.(groups.length - at, groups.length);
  }
  const placed = done.get(root)?.group;
  if (placed === undefined) throw new CheckpointError('internal', 'The root of the graph was not laid out.');
  return flatten(placed);
}

/** The root and every open group whose surroundings are open, ascending. */
function openGroups(view: GraphView, root: number, open: ReadonlySet<number>): number[] {
  const groups = [root];
  const shown = new Set(groups);
  for (const group of [...open].sort((a, b) => a - b)) {
    if (group === root || !shown.has(view.groups[group]?.parent ?? -1)) continue;
    shown.add(group);
    groups.push(group);
  }
  return groups;
}

function placedGroup(
  view: GraphView,
  cache: Cache,
  group: number,
  open: readonly (readonly [number, { readonly id: number; readonly group: PlacedGroup }])[],
): { readonly id: number; readonly group: PlacedGroup } {
  const key = `${group}:${open.map(([, { id }]) => id).join(',')}`;
  const known = cache.placed.get(key);
  if (known !== undefined) {
    cache.placed.delete(key);
    cache.placed.set(key, known);
    return known;
  }
  const plan = cache.plans.get(group) ?? planGroup(view, group);
  cache.plans.set(group, plan);
  const placed = { id: cache.next++, group: placeGroup(view, plan, new Map(open.map(([child, { group: inner }]) => [child, inner]))) };
  cache.placed.set(key, placed);
  for (const oldest of cache.placed.keys()) if (cache.placed.size > MAX_PLACED) cache.placed.delete(oldest);
  return placed;
}

interface Task {
  readonly group: PlacedGroup;
  readonly x: number;
  readonly y: number;
  /** Box of the frame; -1 for the root. */
  readonly frame: number;
}

function flatten(root: PlacedGroup): GraphLayout {
  const kind: number[] = [];
  const ref: number[] = [];
  const bounds: number[][] = [[], [], [], []];
  const parent: number[] = [];
  const edges = { from: [] as number[], to: [] as number[], value: [] as number[], count: [] as number[], pointStarts: [0], points: [] as number[] };
  const stack: Task[] = [{ group: root, x: MARGIN, y: MARGIN, frame: -1 }];
  for (let task = stack.pop(); task !== undefined; task = stack.pop()) {
    const { group, x, y, frame } = task;
    const places = new Int32Array(group.boxes.length).fill(frame);
    for (const [at, box] of group.boxes.entries()) {
      if (box.kind === 'in' || box.kind === 'out') continue;
      const inner = box.kind === 'group' ? group.open.get(box.ref) : undefined;
      places[at] = kind.length;
      kind.push(BOX_KINDS.indexOf(boxKind(box.kind, inner !== undefined)));
      ref.push(box.ref);
      parent.push(frame);
      for (let i = 0; i < 4; i++) bounds[i]?.push((group.bounds[4 * at + i] ?? 0) + (i === 0 ? x : i === 1 ? y : 0));
      if (inner !== undefined) {
        const left = x + (group.bounds[4 * at] ?? 0) + contentX(group.bounds[4 * at + 2] ?? 0, inner);
        stack.push({ group: inner, x: left, y: y + (group.bounds[4 * at + 1] ?? 0) + CONTENT_Y, frame: places[at] ?? 0 });
      }
    }
    for (const edge of group.edges) {
      edges.from.push(edge.from < 0 ? frame : (places[edge.from] ?? 0));
      edges.to.push(edge.to < 0 ? frame : (places[edge.to] ?? 0));
      edges.value.push(edge.value);
      edges.count.push(edge.count);
      for (const [i, point] of edge.points.entries()) edges.points.push(point + (i % 2 === 0 ? x : y));
      edges.pointStarts.push(edges.points.length / 2);
    }
  }
  const column = (values: readonly number[] | undefined) => new Float32Array(values ?? []);
  return {
    width: root.width + 2 * MARGIN,
    height: root.height + 2 * MARGIN,
    boxes: {
      kind: new Uint8Array(kind),
      ref: new Uint32Array(ref),
      x: column(bounds[0]),
      y: column(bounds[1]),
      width: column(bounds[2]),
      height: column(bounds[3]),
      parent: new Int32Array(parent),
    },
    edges: {
      from: new Uint32Array(edges.from),
      to: new Uint32Array(edges.to),
      value: new Uint32Array(edges.value),
      count: new Uint32Array(edges.count),
      pointStarts: new Uint32Array(edges.pointStarts),
      points: new Float32Array(edges.points),
    },
  };
}

function boxKind(kind: 'node' | 'group' | 'stub' | 'value', open: boolean): BoxKind {
  if (kind === 'group') return open ? 'open' : 'folded';
  return kind;
}
