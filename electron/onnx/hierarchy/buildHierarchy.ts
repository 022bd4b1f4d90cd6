import { type GraphGroup, NO_VALUE } from '../../../shared/model/graph';
import type { OnnxNode } from '../model/onnxModel';
import { bodyAttribute } from '../scopes/bodyAttribute';
import type { ViewScope } from '../view/collectScopes';
import type { Wiring } from '../view/collectValues';
import { commonPath, modulePaths, pathFromValues } from './modulePath';
import { descend, type RunNames, simplify, splitIntoRuns, type TreeGroup, treeGroup } from './moduleTree';

export interface Hierarchy {
  readonly groups: readonly Omit<GraphGroup, 'nodes' | 'parameters' | 'flops'>[];
  /** Innermost group of each node. */
  readonly groupOf: Uint32Array<ArrayBuffer>;
}

interface Place {
  readonly path: readonly string[];
  readonly kind: 'module' | 'values';
}

/**
 * Groups of all nodes, group 0 the main graph; a group has a greater index than the one around it. A node's modules are read from its
 * metadata and name, or else from the names of its values; one that says nothing belongs where its neighbours in the file both belong.
 * Bodies are groups beside the node that holds them, functions groups without a parent. Groups of a single node are left out, chains are joined,
 * and what is too long is split into runs. A Constant belongs to the first node that uses it.
 */
export function buildHierarchy(scopes: readonly ViewScope[], wiring: Wiring): Hierarchy {
  const roots = scopes.map(({ scope }, index) => rootOf(scope, index));
  const all: TreeGroup[] = [];
  const hosts = constantHosts(scopes, wiring);
  const bodies = new Map<number, number[]>();
  for (const [index, { scope }] of scopes.entries()) {
    if (scope.parent !== null) bodies.set(scope.parent.node, [...(bodies.get(scope.parent.node) ?? []), index]);
  }
  for (const [index, { owner, firstNode }] of scopes.entries()) {
    const root = roots[index];
    if (root === undefined) continue;
    all.push(root);
    const places = placesOf(owner.nodes, { firstNode, wiring, hosts });
    /** Nodes of one module mostly have one array as their path. */
    const groups = new Map<readonly string[], TreeGroup>();
    for (let at = 0; at < owner.nodes.length; at++) {
      const node = owner.nodes[at];
      if (node === undefined || hosts[firstNode + at] !== NO_VALUE) continue;
      const { path, kind } = places[at] ?? { path: [], kind: 'module' };
      let group = groups.get(path);
      if (group === undefined) {
        group = descend(root, path, kind, all);
        groups.set(path, group);
      }
      for (const body of bodies.get(firstNode + at) ?? []) addBody(group, roots[body], { node, path: scopes[body]?.scope.path ?? '' });
      group.children.push(firstNode + at);
    }
  }
  simplify(all);
  const operators: string[] = [];
  for (const { owner } of scopes) for (const { op } of owner.nodes) operators.push(op);
  return number(
    roots.filter((_, index) => scopes[index]?.scope.parent === null),
    { wiring, operators, hosts },
  );
}

function rootOf({ kind, name }: ViewScope['scope'], scope: number): TreeGroup {
  return treeGroup(kind === 'main' ? 'root' : kind, name, { path: kind === 'function' ? name : '', scope });
}

function addBody(group: TreeGroup, body: TreeGroup | undefined, { node, path }: { readonly node: OnnxNode; readonly path: string }): void {
  if (body === undefined) return;
  const name = node.name.split('/').at(-1) ?? '';
  body.label = `${name === '' ? node.op : name} ${bodyAttribute(path)}`;
  group.children.push(body);
}

/** First user of each Constant in its own graph; `NO_VALUE` for all other nodes, and for Constants that stand by themselves. */
function constantHosts(scopes: readonly ViewScope[], wiring: Wiring): Uint32Array {
  const hosts = new Uint32Array(wiring.inputStarts.length - 1).fill(NO_VALUE);
  for (const [index, { owner, firstNode }] of scopes.entries()) {
    for (let node = firstNode; node < firstNode + owner.nodes.length; node++) {
      for (let i = wiring.inputStarts[node] ?? 0; i < (wiring.inputStarts[node + 1] ?? 0); i++) {
        const value = wiring.inputs[i] ?? NO_VALUE;
        if (value === NO_VALUE || wiring.initializer[value] === NO_VALUE || wiring.scope[value] !== index || (wiring.role[value] ?? 0) !== 0) continue;
        const producer = wiring.producer[value] ?? NO_VALUE;
        // One that stands after its user, or feeds itself, is broken; it stays where it is.
        if (producer !== NO_VALUE && hosts[producer] === NO_VALUE && producer < node) hosts[producer] = node;
      }
    }
  }
  return hosts;
}

function placesOf(nodes: readonly OnnxNode[], at: { firstNode: number; wiring: Wiring; hosts: Uint32Array }): Place[] {
  const { firstNode, wiring, hosts } = at;
  const pathOf = modulePaths();
  let last: Place | null = null;
  const own = nodes.map((node, index): Place | null => {
    if (hosts[firstNode + index] !== NO_VALUE) return null;
    const path = pathOf(node);
    if (path !== null) {
      if (last?.path !== path) last = { path, kind: 'module' };
      return last;
    }
    const initializers: string[] = [];
    for (let i = wiring.inputStarts[firstNode + index] ?? 0; i < (wiring.inputStarts[firstNode + index + 1] ?? 0); i++) {
      const value = wiring.inputs[i] ?? NO_VALUE;
      if (value !== NO_VALUE && wiring.initializer[value] !== NO_VALUE) initializers.push(wiring.names[value] ?? '');
    }
    const values = pathFromValues(
      initializers,
      node.outputs.map(({ text }) => text),
    );
    return values === null ? null : { path: values, kind: 'values' };
  });
  let next: readonly string[] = [];
  const following = new Array<readonly string[]>(nodes.length).fill([]);
  for (let index = nodes.length - 1; index >= 0; index--) {
    next = own[index]?.path ?? next;
    following[index] = next;
  }
  let previous: readonly string[] = [];
  return own.map((place, index) => {
    if (place !== null) previous = place.path;
    return place ?? { path: commonPath(previous, following[index] ?? []), kind: 'values' };
  });
}

function number(roots: readonly TreeGroup[], at: { wiring: Wiring; operators: readonly string[]; hosts: Uint32Array }): Hierarchy {
  const { wiring, operators, hosts } = at;
  const groups: Hierarchy['groups'][number][] = [];
  const groupOf = new Uint32Array(operators.length);
  const position = new Int32Array(operators.length).fill(OUTSIDE);
  const queue: { group: TreeGroup; parent: number }[] = roots.map((group) => ({ group, parent: -1 }));
  const names: RunNames = { operator: (node) => operators[node] ?? '', crossing: (children) => countCrossing(children, wiring, position) };
  // The list grows while it is walked: those further in come later.
  for (const { group, parent } of queue) {
    splitIntoRuns(group, names);
    const above = groups[parent]?.path ?? '';
    const path = group.kind === 'subgraph' ? `${above === '' ? '' : `${above}/`}${group.label}` : group.path;
    const index = groups.push({ kind: group.kind, label: group.label, path, parent, scope: group.scope }) - 1;
    for (const child of group.children) {
      if (typeof child === 'number') groupOf[child] = index;
      else queue.push({ group: child, parent: index });
    }
  }
  for (let node = 0; node < hosts.length; node++) {
    const host = hosts[node] ?? NO_VALUE;
    if (host !== NO_VALUE) groupOf[node] = groupOf[host] ?? 0;
  }
  return { groups, groupOf };
}

const OUTSIDE = -1;

/**
 * For each place between two children: edges from those before to those after.
 * @param position of every node, `OUTSIDE` before and after
 */
function countCrossing(children: readonly (number | TreeGroup)[], wiring: Wiring, position: Int32Array): Float64Array {
  const inside: number[] = [];
  const stack: (number | TreeGroup)[] = [];
  for (let at = 0; at < children.length; at++) {
    for (let inner = children[at]; inner !== undefined; inner = stack.pop()) {
      if (typeof inner === 'number') {
        position[inner] = at;
        inside.push(inner);
      } else for (const each of inner.children) stack.push(each);
    }
  }
  const crossing = new Float64Array(children.length + 1);
  for (const node of inside) {
    const at = position[node] ?? OUTSIDE;
    for (let i = wiring.inputStarts[node] ?? 0; i < (wiring.inputStarts[node + 1] ?? 0); i++) {
      const value = wiring.inputs[i] ?? NO_VALUE;
      const from = value === NO_VALUE ? OUTSIDE : (position[wiring.producer[value] ?? NO_VALUE] ?? OUTSIDE);
      if (from === OUTSIDE || from >= at) continue;
      crossing[from + 1] = (crossing[from + 1] ?? 0) + 1;
      crossing[at + 1] = (crossing[at + 1] ?? 0) - 1;
    }
  }
  for (const node of inside) position[node] = OUTSIDE;
  for (let at = 1; at < crossing.length; at++) crossing[at] = (crossing[at] ?? 0) + (crossing[at - 1] ?? 0);
  return crossing;
}
