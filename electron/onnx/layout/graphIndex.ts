import { type GraphView, NO_VALUE } from '../../../shared/model/graph';

/** What is asked of a view again and again, in columns. */
export interface GraphIndex {
  /** Nodes that use value v: `consumers[consumerStarts[v]]` up to, not including, `consumers[consumerStarts[v + 1]]`; one that uses it twice is there twice. */
  readonly consumerStarts: Uint32Array;
  readonly consumers: Uint32Array;
  /** 1 for Constant nodes that are shown inside the boxes of those who use them. */
  readonly hidden: Uint8Array;
  /** Inputs and outputs of each scope. */
  readonly boundaries: readonly { readonly inputs: readonly number[]; readonly outputs: readonly number[] }[];
  /** Groups directly inside each group, ascending. */
  readonly childGroups: readonly (readonly number[])[];
  /** Every node once, so that those of one group, at any depth, are `nodes[start[g]]` up to, not including, `nodes[end[g]]`. */
  readonly nodes: Uint32Array;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  /** Place of each node in `nodes`. */
  readonly place: Uint32Array;
  /** First node, in the order of the file, of each group and all inside it. */
  readonly first: Uint32Array;
  /** Places of those who make and use a value: the least and the greatest. A value that nothing makes begins before all places. */
  readonly low: Int32Array;
  readonly high: Int32Array;
  /**
   * Places, ascending, of the nodes in group g, at any depth, that take or give out something across its border: `crossing[crossingStarts[g]]` up to, not including,
   * `crossing[crossingStarts[g + 1]]`. Initializers cross no border.
   */
  readonly crossingStarts: Uint32Array;
  readonly crossing: Uint32Array;
}

const indices = new WeakMap<GraphView, GraphIndex>();

/** Built once for a view; linear. A group has a greater index than the one that holds it. */
export function graphIndex(view: GraphView): GraphIndex {
  const known = indices.get(view);
  if (known !== undefined) return known;
  const consumers = indexConsumers(view);
  const order = orderNodes(view);
  const hidden = findHidden(view, consumers);
  const reach = findReach(view, consumers, order.place);
  const index = { ...consumers, hidden, boundaries: findBoundaries(view), ...order, ...reach, ...findCrossing(view, { ...order, ...reach, hidden }) };
  indices.set(view, index);
  return index;
}

function indexConsumers({ nodes, values }: GraphView): Pick<GraphIndex, 'consumerStarts' | 'consumers'> {
  const starts = new Uint32Array(values.names.length + 1);
  for (const value of nodes.inputs) if (value !== NO_VALUE) starts[value + 1] = (starts[value + 1] ?? 0) + 1;
  for (let value = 0; value < values.names.length; value++) starts[value + 1] = (starts[value + 1] ?? 0) + (starts[value] ?? 0);
  const next = starts.slice();
  const consumers = new Uint32Array(starts[values.names.length] ?? 0);
  for (let node = 0; node < nodes.names.length; node++) {
    for (let i = nodes.inputStarts[node] ?? 0; i < (nodes.inputStarts[node + 1] ?? 0); i++) {
      const value = nodes.inputs[i] ?? NO_VALUE;
      if (value === NO_VALUE) continue;
      consumers[next[value] ?? 0] = node;
      next[value] = (next[value] ?? 0) + 1;
    }
  }
  return { consumerStarts: starts, consumers };
}

function findReach(
  { values }: GraphView,
  { consumerStarts, consumers }: Pick<GraphIndex, 'consumerStarts' | 'consumers'>,
  place: Uint32Array,
): Pick<GraphIndex, 'low' | 'high'> {
  const count = values.producer.length;
  const low = new Int32Array(count);
  const high = new Int32Array(count);
  for (let value = 0; value < count; value++) {
    const producer = values.producer[value] ?? NO_VALUE;
    const made = producer === NO_VALUE ? -1 : (place[producer] ?? 0);
    let least = made;
    let greatest = made;
    for (let i = consumerStarts[value] ?? 0; i < (consumerStarts[value + 1] ?? 0); i++) {
      const at = place[consumers[i] ?? 0] ?? 0;
      if (at < least) least = at;
      if (at > greatest) greatest = at;
    }
    low[value] = least;
    high[value] = greatest;
  }
  return { low, high };
}

function findCrossing(
  { nodes, groups, values }: GraphView,
  { nodes: ordered, start, end, low, high, hidden }: Pick<GraphIndex, 'nodes' | 'start' | 'end' | 'low' | 'high' | 'hidden'>,
): Pick<GraphIndex, 'crossingStarts' | 'crossing'> {
  const count = ordered.length;
  const least = new Int32Array(count);
  const greatest = new Int32Array(count);
  for (let place = 0; place < count; place++) {
    const node = ordered[place] ?? 0;
    let from = place;
    let to = place;
    for (let i = nodes.inputStarts[node] ?? 0; i < (nodes.inputStarts[node + 1] ?? 0); i++) {
      const value = nodes.inputs[i] ?? NO_VALUE;
      if (value === NO_VALUE) continue;
      const producer = values.producer[value] ?? NO_VALUE;
      if (values.initializer[value] !== NO_VALUE && (producer === NO_VALUE || hidden[producer] === 1)) continue;
      from = Math.min(from, low[value] ?? 0);
      to = Math.max(to, high[value] ?? 0);
    }
    for (let i = nodes.outputStarts[node] ?? 0; i < (nodes.outputStarts[node + 1] ?? 0); i++) {
      const value = nodes.outputs[i] ?? NO_VALUE;
      if (value === NO_VALUE) continue;
      // An output of the graph leaves it.
      from = ((values.role[value] ?? 0) & 2) === 0 ? Math.min(from, low[value] ?? 0) : -1;
      to = Math.max(to, high[value] ?? 0);
    }
    least[place] = from;
    greatest[place] = to;
  }
  const starts = new Uint32Array(groups.length + 1);
  const eachCrossing = (each: (group: number, place: number) => void) => {
    for (let place = 0; place < count; place++) {
      let group = nodes.group[ordered[place] ?? 0] ?? -1;
      while (group >= 0 && ((least[place] ?? 0) < (start[group] ?? 0) || (greatest[place] ?? 0) >= (end[group] ?? 0))) {
        each(group, place);
        group = groups[group]?.parent ?? -1;
      }
    }
  };
  eachCrossing((group) => {
    starts[group + 1] = (starts[group + 1] ?? 0) + 1;
  });
  for (let group = 0; group < groups.length; group++) starts[group + 1] = (starts[group + 1] ?? 0) + (starts[group] ?? 0);
  const next = starts.slice();
  const crossing = new Uint32Array(starts[groups.length] ?? 0);
  eachCrossing((group, place) => {
    const at = next[group] ?? 0;
    crossing[at] = place;
    next[group] = at + 1;
  });
  return { crossingStarts: starts, crossing };
}

function findHidden({ nodes, values }: GraphView, { consumerStarts }: Pick<GraphIndex, 'consumerStarts'>): Uint8Array {
  const hidden = new Uint8Array(nodes.names.length);
  for (let value = 0; value < values.names.length; value++) {
    const producer = values.producer[value] ?? NO_VALUE;
    const used = (consumerStarts[value + 1] ?? 0) > (consumerStarts[value] ?? 0);
    if (producer !== NO_VALUE && values.initializer[value] !== NO_VALUE && used && ((values.role[value] ?? 0) & 2) === 0) hidden[producer] = 1;
  }
  return hidden;
}

function findBoundaries({ scopes, values }: GraphView): GraphIndex['boundaries'] {
  const boundaries = scopes.map(() => ({ inputs: [] as number[], outputs: [] as number[] }));
  for (let value = 0; value < values.role.length; value++) {
    const role = values.role[value] ?? 0;
    if (role === 0) continue;
    const boundary = boundaries[values.scope[value] ?? 0];
    if ((role & 1) !== 0) boundary?.inputs.push(value);
    if ((role & 2) !== 0) boundary?.outputs.push(value);
  }
  return boundaries;
}

function orderNodes({ groups, nodes }: GraphView): Pick<GraphIndex, 'childGroups' | 'nodes' | 'start' | 'end' | 'place' | 'first'> {
  const childGroups: number[][] = groups.map(() => []);
  const inside = new Uint32Array(groups.length);
  for (const group of nodes.group) inside[group] = (inside[group] ?? 0) + 1;
  for (const [group, { parent }] of groups.entries()) if (parent >= 0) childGroups[parent]?.push(group);
  const total = inside.slice();
  for (let group = groups.length - 1; group >= 0; group--) {
    const parent = groups[group]?.parent ?? -1;
    if (parent >= 0) total[parent] = (total[parent] ?? 0) + (total[group] ?? 0);
  }
  const start = new Uint32Array(groups.length);
  const end = new Uint32Array(groups.length);
  // Where the next child of each group begins.
  const free = new Uint32Array(groups.length);
  let top = 0;
  for (const [group, { parent }] of groups.entries()) {
    const begin = parent < 0 ? top : (free[parent] ?? 0);
    if (parent < 0) top += total[group] ?? 0;
    else free[parent] = begin + (total[group] ?? 0);
    start[group] = begin;
    end[group] = begin + (total[group] ?? 0);
    free[group] = begin + (inside[group] ?? 0);
  }
  const next = start.slice();
  const ordered = new Uint32Array(nodes.group.length);
  const place = new Uint32Array(nodes.group.length);
  const first = new Uint32Array(groups.length).fill(NO_VALUE);
  for (let node = 0; node < nodes.group.length; node++) {
    const group = nodes.group[node] ?? 0;
    const at = next[group] ?? 0;
    ordered[at] = node;
    place[node] = at;
    next[group] = at + 1;
    if (node < (first[group] ?? 0)) first[group] = node;
  }
  for (let group = groups.length - 1; group >= 0; group--) {
    const parent = groups[group]?.parent ?? -1;
    if (parent >= 0) first[parent] = Math.min(first[parent] ?? 0, first[group] ?? 0);
  }
  return { childGroups, nodes: ordered, start, end, place, first };
}
