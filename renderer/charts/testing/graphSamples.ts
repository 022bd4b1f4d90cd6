import { type GraphGroup, type GraphInitializer, type GraphLayout, type GraphView, NO_VALUE } from '../../../shared/model/graph';

interface SampleNode {
  readonly name: string;
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Path of the module; empty: the graph itself. */
  readonly module: string;
}

interface SampleGraph {
  readonly nodes: readonly SampleNode[];
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
  readonly initializers?: Readonly<Record<string, readonly number[]>>;
}

/** A view of a graph that is written down by names. */
export function graphView({ nodes, inputs = [], outputs = [], initializers = {} }: SampleGraph): GraphView {
  const valueNames = [...new Set([...inputs, ...Object.keys(initializers), ...nodes.flatMap((node) => [...node.inputs, ...node.outputs])].filter(Boolean))];
  const valuesByName = new Map(valueNames.map((name, index) => [name, index]));
  const indexOf = (name: string) => valuesByName.get(name) ?? NO_VALUE;
  const operators = [...new Set(nodes.map(({ operator }) => operator))];
  const groups = groupsOf(nodes);
  const groupOf = new Map(groups.map(({ path }, index) => [path, index]));
  const tensors = Object.entries(initializers).map(([name, shape]): GraphInitializer => {
    const uses = nodes.filter((node) => node.inputs.includes(name)).length;
    const common = { place: 'raw', group: name, isInput: false, usedInGraphs: 1, problem: null } as const;
    return { name, scope: 0, value: indexOf(name), type: 'float', shape, bytes: 4 * shape.reduce((a, b) => a * b, 1), uses, ...common };
  });
  const tensorOf = new Map(tensors.map(({ name }, index) => [name, index]));
  const columns = (lists: readonly (readonly string[])[]) => {
    const starts = Uint32Array.from([0, ...lists.map((_, at) => lists.slice(0, at + 1).reduce((sum, list) => sum + list.length, 0))]);
    return { starts, values: Uint32Array.from(lists.flat().map(indexOf)) };
  };
  const [reads, makes] = [columns(nodes.map((node) => node.inputs)), columns(nodes.map((node) => node.outputs))];
  return {
    model: { name: 'sample', irVersion: 8, producer: 'test', opsets: [{ domain: '', version: 17 }], metadata: [], doc: '' },
    scopes: [{ kind: 'main', path: '', name: 'main', parent: null }],
    groups,
    initializers: tensors,
    operators,
    nodes: {
      names: nodes.map(({ name }) => name),
      operator: Uint32Array.from(nodes, ({ operator }) => operators.indexOf(operator)),
      scope: new Uint32Array(nodes.length),
      index: Uint32Array.from(nodes, (_, index) => index),
      group: Uint32Array.from(nodes, ({ module }) => groupOf.get(module) ?? 0),
      inputStarts: reads.starts,
      inputs: reads.values,
      outputStarts: makes.starts,
      outputs: makes.values,
      flops: Float64Array.from(nodes, () => 10),
      parameters: Float64Array.from(nodes, (node) =>
        node.inputs.reduce((sum, name) => sum + (tensorOf.has(name) ? (initializers[name] ?? []).reduce((a, b) => a * b, 1) : 0), 0),
      ),
    },
    values: {
      names: valueNames,
      scope: new Uint32Array(valueNames.length),
      producer: Uint32Array.from(valueNames, (name) => {
        const producer = nodes.findIndex((node) => node.outputs.includes(name));
        return producer < 0 ? NO_VALUE : producer;
      }),
      initializer: Uint32Array.from(valueNames, (name) => tensorOf.get(name) ?? NO_VALUE),
      role: Uint8Array.from(valueNames, (name) => (inputs.includes(name) ? 1 : 0) | (outputs.includes(name) ? 2 : 0)),
      types: valueNames.map(() => 'float32[1, 4]'),
    },
    findings: [],
  };
}

function groupsOf(nodes: readonly SampleNode[]): GraphGroup[] {
  const paths = new Set(['']);
  for (const { module } of nodes) {
    const parts = module.split('/').filter(Boolean);
    for (let depth = 1; depth <= parts.length; depth++) paths.add(parts.slice(0, depth).join('/'));
  }
  const list = [...paths];
  return list.map((path) => {
    const parent = path === '' ? -1 : list.indexOf(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const inside = nodes.filter(({ module }) => path === '' || module === path || module.startsWith(`${path}/`)).length;
    const label = path.slice(path.lastIndexOf('/') + 1);
    return { kind: path === '' ? 'root' : 'module', label, path, parent, scope: 0, nodes: inside, parameters: 0, flops: null };
  });
}

export interface SampleBox {
  /** Index into BOX_KINDS. */
  readonly kind: number;
  readonly ref: number;
  readonly at: readonly [x: number, y: number, width: number, height: number];
  readonly parent?: number;
}

export function graphLayout(
  boxes: readonly SampleBox[],
  edges: readonly { from: number; to: number; value?: number; points: readonly number[] }[],
): GraphLayout {
  const width = Math.max(0, ...boxes.map(({ at }) => at[0] + at[2]));
  const height = Math.max(0, ...boxes.map(({ at }) => at[1] + at[3]));
  return {
    width,
    height,
    boxes: {
      kind: Uint8Array.from(boxes, ({ kind }) => kind),
      ref: Uint32Array.from(boxes, ({ ref }) => ref),
      x: Float32Array.from(boxes, ({ at }) => at[0]),
      y: Float32Array.from(boxes, ({ at }) => at[1]),
      width: Float32Array.from(boxes, ({ at }) => at[2]),
      height: Float32Array.from(boxes, ({ at }) => at[3]),
      parent: Int32Array.from(boxes, ({ parent }) => parent ?? -1),
    },
    edges: {
      from: Uint32Array.from(edges, ({ from }) => from),
      to: Uint32Array.from(edges, ({ to }) => to),
      value: Uint32Array.from(edges, ({ value }) => value ?? 0),
      count: Uint32Array.from(edges, () => 1),
      pointStarts: Uint32Array.from([0, ...edges.map((_, at) => edges.slice(0, at + 1).reduce((sum, { points }) => sum + points.length / 2, 0))]),
      points: Float32Array.from(edges.flatMap(({ points }) => [...points])),
    },
  };
}

/**
 * Two blocks of a network, the second one open: `x → conv → [relu → add] → y`, with a weight and a skip from conv to add.
 * Boxes: 0 x, 1 the folded group stem, 2 the open group body, 3 relu, 4 add, 5 y, 6 a stub of the bias at add.
 */
export function smallGraph(): { readonly view: GraphView; readonly layout: GraphLayout } {
  const view = graphView({
    inputs: ['x'],
    outputs: ['y'],
    initializers: { 'stem.weight': [2, 3], bias: [4] },
    nodes: [
      { name: '/stem/Conv', operator: 'Conv', inputs: ['x', 'stem.weight'], outputs: ['a'], module: 'stem' },
      { name: '/body/Relu', operator: 'Relu', inputs: ['a'], outputs: ['b'], module: 'body' },
      { name: '/body/Add', operator: 'Add', inputs: ['b', 'bias'], outputs: ['y'], module: 'body' },
    ],
  });
  const value = (name: string) => view.values.names.indexOf(name);
  const layout = graphLayout(
    [
      { kind: 4, ref: value('x'), at: [60, 0, 80, 30] },
      { kind: 1, ref: view.groups.findIndex(({ path }) => path === 'stem'), at: [50, 60, 100, 60] },
      { kind: 2, ref: view.groups.findIndex(({ path }) => path === 'body'), at: [0, 150, 300, 220] },
      { kind: 0, ref: 1, at: [50, 190, 100, 50], parent: 2 },
      { kind: 0, ref: 2, at: [50, 290, 100, 50], parent: 2 },
      { kind: 4, ref: value('y'), at: [60, 400, 80, 30] },
      { kind: 3, ref: value('bias'), at: [180, 300, 60, 24], parent: 2 },
    ],
    [
      { from: 0, to: 1, value: value('x'), points: [100, 30, 100, 60] },
      { from: 1, to: 3, value: value('a'), points: [100, 120, 100, 190] },
      { from: 3, to: 4, value: value('b'), points: [100, 240, 100, 290] },
      { from: 4, to: 5, value: value('y'), points: [100, 340, 100, 370, 100, 400] },
      { from: 6, to: 4, value: value('bias'), points: [180, 312, 150, 312] },
    ],
  );
  return { view, layout };
}
