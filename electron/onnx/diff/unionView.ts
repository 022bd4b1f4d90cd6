import { type GraphGroup, type GraphInitializer, type GraphScope, type GraphView, NO_VALUE } from '../../../shared/model/graph';

/** What both models share, by indices in their views: A's index to B's; missing where B has no such thing. */
export interface Shared {
  readonly nodes: ReadonlyMap<number, number>;
  readonly scopes: ReadonlyMap<number, number>;
  readonly initializers: ReadonlyMap<number, number>;
}

export interface Union {
  readonly view: GraphView;
  readonly nodesOfA: Int32Array<ArrayBuffer>;
  readonly nodesOfB: Int32Array<ArrayBuffer>;
  readonly initializersOfA: Int32Array<ArrayBuffer>;
  readonly initializersOfB: Int32Array<ArrayBuffer>;
}

/**
 * Everything of B as it stands, then what only A has: its nodes, the values between them, their groups. A node of A reads the values of B where B
 * has them, and a node of both reads what only A has after what it reads in B, so that one layout shows where it was.
 */
export function unionView(a: GraphView, b: GraphView, shared: Shared): Union {
  const scopes: GraphScope[] = [...b.scopes];
  const scopeOf = mapper(a.scopes, shared.scopes, (scope, index) => {
    const { parent } = scope;
    scopes.push({ ...scope, path: `${scope.path} (removed)`, parent: parent === null ? null : { scope: scopeOf(parent.scope), node: parent.node } });
    return [index, scopes.length - 1];
  });
  const groups: GraphGroup[] = [...b.groups];
  const groupOf = groupMapper(a, groups, scopeOf);
  const values = joinValues(a, b, { shared, scopeOf });
  const initializers: GraphInitializer[] = [...b.initializers];
  const ofA = [...b.initializers.map(() => -1)];
  for (const [index, initializer] of a.initializers.entries()) {
    const there = shared.initializers.get(index);
    if (there !== undefined) ofA[there] = index;
    else {
      values.initializer[values.unionValue(initializer.value)] = initializers.length;
      initializers.push({ ...initializer, scope: scopeOf(initializer.scope), value: values.unionValue(initializer.value) });
      ofA.push(index);
    }
  }
  const nodes = joinNodes(a, b, { shared, scopeOf, groupOf, unionValue: values.unionValue });
  for (const [value, node] of values.producers(nodes.unionOfA)) values.producer[value] = node;
  const view: GraphView = {
    ...b,
    scopes,
    groups,
    initializers,
    operators: nodes.operators,
    nodes: nodes.columns,
    values: {
      names: values.names,
      scope: Uint32Array.from(values.scope),
      producer: Uint32Array.from(values.producer),
      initializer: Uint32Array.from(values.initializer),
      role: Uint8Array.from(values.role),
      types: values.types,
    },
  };
  return {
    view,
    nodesOfA: nodes.nodesOfA,
    nodesOfB: nodes.nodesOfB,
    initializersOfA: Int32Array.from(ofA),
    initializersOfB: Int32Array.from(initializers, (_, index) => (index < b.initializers.length ? index : -1)),
  };
}

/** A's index to the union's; what B does not have is added once, by `add`. */
function mapper<Item>(
  items: readonly Item[],
  shared: ReadonlyMap<number, number>,
  add: (item: Item, index: number) => readonly [number, number],
): (index: number) => number {
  const added = new Map<number, number>();
  return (index) => {
    const known = shared.get(index) ?? added.get(index);
    if (known !== undefined) return known;
    const item = items[index];
    if (item === undefined) throw new RangeError(`nothing has the index ${index}`);
    const [key, place] = add(item, index);
    added.set(key, place);
    return place;
  };
}

/** Groups are the same when their scope, kind and path are. */
function groupMapper(a: GraphView, groups: GraphGroup[], scopeOf: (scope: number) => number): (group: number) => number {
  const keyOf = ({ kind, path, scope }: GraphGroup) => JSON.stringify([scope, kind, path]);
  const known = new Map(groups.map((group, index) => [keyOf(group), index]));
  const of = new Map<number, number>();
  return (start) => {
    /** From the group outwards, until one is known. */
    const missing: number[] = [];
    let found = -1;
    for (let at = start; at >= 0; at = a.groups[at]?.parent ?? -1) {
      const group = a.groups[at];
      if (group === undefined) break;
      const there = of.get(at) ?? known.get(keyOf({ ...group, scope: scopeOf(group.scope) }));
      if (there !== undefined) {
        of.set(at, there);
        found = there;
        break;
      }
      missing.push(at);
    }
    for (const at of missing.reverse()) {
      const group = a.groups[at];
      if (group === undefined) continue;
      groups.push({ ...group, scope: scopeOf(group.scope), parent: found });
      found = groups.length - 1;
      of.set(at, found);
    }
    return found;
  };
}

/** Values of both: those of A that B has not are added when they are asked for. */
function joinValues(a: GraphView, b: GraphView, { shared, scopeOf }: { readonly shared: Shared; readonly scopeOf: (scope: number) => number }) {
  const names = [...b.values.names];
  const types = [...b.values.types];
  const scope = [...b.values.scope];
  const producer = [...b.values.producer];
  const initializer = [...b.values.initializer];
  const role = [...b.values.role];
  const inB = sharedValues(a, b, shared);
  /** Producers of added values are nodes of A, whose places are not known yet. */
  const made: [number, number][] = [];
  const added = new Map<number, number>();
  const unionValue = (value: number): number => {
    if (value === NO_VALUE) return NO_VALUE;
    const known = inB.get(value) ?? added.get(value);
    if (known !== undefined) return known;
    const index = names.length;
    added.set(value, index);
    names.push(a.values.names[value] ?? '');
    types.push(a.values.types[value] ?? '');
    scope.push(scopeOf(a.values.scope[value] ?? 0));
    role.push(a.values.role[value] ?? 0);
    initializer.push(NO_VALUE);
    producer.push(NO_VALUE);
    const node = a.values.producer[value] ?? NO_VALUE;
    if (node !== NO_VALUE) made.push([index, node]);
    return index;
  };
  const producers = (unionOfA: ReadonlyMap<number, number>): [number, number][] =>
    made.flatMap(([value, node]): [number, number][] => {
      const place = unionOfA.get(node);
      return place === undefined ? [] : [[value, place]];
    });
  return { names, types, scope, producer, initializer, role, unionValue, producers };
}

/** Outputs of shared nodes, shared initializers, and inputs of shared scopes by their names. */
function sharedValues(a: GraphView, b: GraphView, { nodes, scopes, initializers }: Shared): Map<number, number> {
  const inB = new Map<number, number>();
  for (const [nodeA, nodeB] of nodes) {
    const from = a.nodes.outputStarts[nodeA] ?? 0;
    const to = a.nodes.outputStarts[nodeA + 1] ?? from;
    const other = b.nodes.outputStarts[nodeB] ?? 0;
    const count = Math.min(to - from, (b.nodes.outputStarts[nodeB + 1] ?? other) - other);
    for (let i = 0; i < count; i++) {
      const value = a.nodes.outputs[from + i] ?? NO_VALUE;
      const same = b.nodes.outputs[other + i] ?? NO_VALUE;
      if (value !== NO_VALUE && same !== NO_VALUE) inB.set(value, same);
    }
  }
  for (const [first, second] of initializers) {
    const value = a.initializers[first]?.value;
    const same = b.initializers[second]?.value;
    if (value !== undefined && same !== undefined) inB.set(value, same);
  }
  const inputs = new Map<string, number>();
  for (let value = 0; value < b.values.names.length; value++)
    if (((b.values.role[value] ?? 0) & 1) !== 0) inputs.set(`${b.values.scope[value]} ${b.values.names[value]}`, value);
  for (let value = 0; value < a.values.names.length; value++) {
    const scope = scopes.get(a.values.scope[value] ?? 0);
    const same = scope === undefined || ((a.values.role[value] ?? 0) & 1) === 0 ? undefined : inputs.get(`${scope} ${a.values.names[value]}`);
    if (same !== undefined && !inB.has(value)) inB.set(value, same);
  }
  return inB;
}

interface NodeMapping {
  readonly shared: Shared;
  readonly scopeOf: (scope: number) => number;
  readonly groupOf: (group: number) => number;
  readonly unionValue: (value: number) => number;
}

function joinNodes(a: GraphView, b: GraphView, { shared, scopeOf, groupOf, unionValue }: NodeMapping) {
  const gone = a.nodes.names.flatMap((_, node) => (shared.nodes.has(node) ? [] : [node]));
  const count = b.nodes.names.length;
  const operators = [...b.operators];
  const operatorOf = new Map(operators.map((name, index) => [name, index]));
  const operator = gone.map((node) => {
    const name = a.operators[a.nodes.operator[node] ?? 0] ?? '';
    const index = operatorOf.get(name) ?? operators.push(name) - 1;
    operatorOf.set(name, index);
    return index;
  });
  const ports = (starts: Uint32Array, list: Uint32Array, node: number) => [...list.subarray(starts[node] ?? 0, starts[node + 1] ?? 0)].map(unionValue);
  /** What only A has and a node of both read there: without it, what is gone would lead nowhere. */
  const lost = new Map<number, readonly number[]>();
  for (const [nodeA, nodeB] of shared.nodes) {
    const values = ports(a.nodes.inputStarts, a.nodes.inputs, nodeA).filter((value) => value !== NO_VALUE && value >= b.values.names.length);
    if (values.length > 0) lost.set(nodeB, values);
  }
  const ins = joinPorts(
    b.nodes.inputStarts,
    b.nodes.inputs,
    gone.map((node) => ports(a.nodes.inputStarts, a.nodes.inputs, node)),
    lost,
  );
  const outs = joinPorts(
    b.nodes.outputStarts,
    b.nodes.outputs,
    gone.map((node) => ports(a.nodes.outputStarts, a.nodes.outputs, node)),
  );
  const unionOfA = new Map<number, number>(shared.nodes);
  for (const [i, node] of gone.entries()) unionOfA.set(node, count + i);
  const nodesOfA = new Int32Array(count + gone.length).fill(-1);
  for (const [node, place] of unionOfA) nodesOfA[place] = node;
  return {
    operators,
    unionOfA,
    nodesOfA,
    nodesOfB: Int32Array.from({ length: count + gone.length }, (_, node) => (node < count ? node : -1)),
    columns: {
      names: [...b.nodes.names, ...gone.map((node) => a.nodes.names[node] ?? '')],
      operator: Uint32Array.from([...b.nodes.operator, ...operator]),
      scope: Uint32Array.from([...b.nodes.scope, ...gone.map((node) => scopeOf(a.nodes.scope[node] ?? 0))]),
      index: Uint32Array.from([...b.nodes.index, ...gone.map((node) => a.nodes.index[node] ?? 0)]),
      group: Uint32Array.from([...b.nodes.group, ...gone.map((node) => Math.max(0, groupOf(a.nodes.group[node] ?? 0)))]),
      inputStarts: ins.starts,
      inputs: ins.list,
      outputStarts: outs.starts,
      outputs: outs.list,
      flops: Float64Array.from([...b.nodes.flops, ...gone.map((node) => a.nodes.flops[node] ?? Number.NaN)]),
      parameters: Float64Array.from([...b.nodes.parameters, ...gone.map((node) => a.nodes.parameters[node] ?? 0)]),
    },
  };
}

/** Lists of values one after the other, with where each begins. @param extra values that come after those of a node of the first list */
function joinPorts(
  starts: Uint32Array,
  list: Uint32Array,
  added: readonly (readonly number[])[],
  extra: ReadonlyMap<number, readonly number[]> = new Map(),
): { starts: Uint32Array<ArrayBuffer>; list: Uint32Array<ArrayBuffer> } {
  const joinedStarts = [0];
  const joined: number[] = [];
  const add = (values: Iterable<number>) => {
    for (const value of values) joined.push(value);
  };
  for (let node = 0; node + 1 < starts.length; node++) {
    add(list.subarray(starts[node] ?? 0, starts[node + 1] ?? 0));
    add(extra.get(node) ?? []);
    joinedStarts.push(joined.length);
  }
  for (const values of added) {
    add(values);
    joinedStarts.push(joined.length);
  }
  return { starts: Uint32Array.from(joinedStarts), list: Uint32Array.from(joined) };
}
