import { type GraphView, NO_VALUE } from '../../shared/model/graph';
import type { GraphItem } from '../charts/graphScene';

/** Boxes that a graph shows at first, at most: what can be taken in at a glance. */
const FIRST_BOXES = 60;

/** Groups that are open at first: as many as leave the picture small, those with the fewest boxes inside before others. */
export function firstOpen(view: GraphView, root: number): Set<number> {
  const inside = childrenOf(view);
  const sizeOf = (group: number) => (inside.nodes[group] ?? 0) + (inside.groups[group]?.length ?? 0);
  const open = new Set<number>();
  const waiting = [...(inside.groups[root] ?? [])];
  let shown = sizeOf(root);
  while (waiting.length > 0) {
    let best = 0;
    waiting.forEach((group, at) => {
      if (sizeOf(group) < sizeOf(waiting[best] ?? 0)) best = at;
    });
    const [group] = waiting.splice(best, 1);
    if (group === undefined) break;
    shown += sizeOf(group) - 1;
    if (shown > FIRST_BOXES) break;
    open.add(group);
    waiting.push(...(inside.groups[group] ?? []));
  }
  return open;
}

function childrenOf(view: GraphView): { readonly groups: readonly (readonly number[])[]; readonly nodes: Uint32Array } {
  const groups: number[][] = view.groups.map(() => []);
  view.groups.forEach(({ parent }, group) => {
    if (parent >= 0) groups[parent]?.push(group);
  });
  const nodes = new Uint32Array(view.groups.length);
  for (const group of view.nodes.group) nodes[group] = (nodes[group] ?? 0) + 1;
  return { groups, nodes };
}

/** All groups inside one, itself included. */
export function groupsInside(view: GraphView, group: number): number[] {
  const { groups } = childrenOf(view);
  const inside = [group];
  // The list grows while it is walked.
  for (let at = 0; at < inside.length; at++) inside.push(...(groups[inside[at] ?? -1] ?? []));
  return inside;
}

/** The groups of another version (or of the graph after an edit) that these are, by their paths. */
export function carryGroups(from: GraphView, groups: Iterable<number>, to: GraphView): Set<number> {
  const places = new Map(to.groups.map((_, group) => [groupKey(to, group), group]));
  const carried = new Set<number>();
  for (const group of groups) {
    const there = places.get(groupKey(from, group));
    if (there !== undefined) carried.add(there);
  }
  return carried;
}

/** The same thing in another version of the graph; `null` when it has none. A node is known by its first output, then by its name. */
export function carryItem(from: GraphView, item: GraphItem, to: GraphView): GraphItem | null {
  const found = item.kind === 'group' ? findGroup(from, item.ref, to) : item.kind === 'value' ? findValue(from, item.ref, to) : findNode(from, item.ref, to);
  return found < 0 ? null : { kind: item.kind, ref: found };
}

function findGroup(from: GraphView, group: number, to: GraphView): number {
  const key = groupKey(from, group);
  return to.groups.findIndex((_, other) => groupKey(to, other) === key);
}

function findValue(from: GraphView, value: number, to: GraphView): number {
  const name = from.values.names[value];
  const scope = scopePath(from, from.values.scope[value]);
  return to.values.names.findIndex((other, index) => other === name && scopePath(to, to.values.scope[index]) === scope);
}

function findNode(from: GraphView, node: number, to: GraphView): number {
  const output = from.nodes.outputs[from.nodes.outputStarts[node] ?? 0] ?? NO_VALUE;
  if (output !== NO_VALUE) {
    const value = findValue(from, output, to);
    const producer = value < 0 ? NO_VALUE : (to.values.producer[value] ?? NO_VALUE);
    if (producer !== NO_VALUE) return producer;
  }
  const name = from.nodes.names[node];
  const scope = scopePath(from, from.nodes.scope[node]);
  return name === undefined || name === '' ? -1 : to.nodes.names.findIndex((other, index) => other === name && scopePath(to, to.nodes.scope[index]) === scope);
}

function scopePath(view: GraphView, scope: number | undefined): string | undefined {
  return scope === undefined ? undefined : view.scopes[scope]?.path;
}

function groupKey(view: GraphView, group: number): string {
  const { kind, path, scope } = view.groups[group] ?? { kind: 'root', path: '', scope: 0 };
  return `${kind}\0${view.scopes[scope]?.path ?? ''}\0${path}`;
}
