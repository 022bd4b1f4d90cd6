import type { GraphView } from '../../../shared/model/graph';
import { GRAPH_CHANGES, type GraphChange, type GraphChangeKind } from '../../../shared/model/graphEdit';
import type { OnnxTensor } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import { changesText } from './changesText';
import { compareNode } from './compareNode';
import { initializerChange } from './initializerChange';
import { interfaceChanges, modelChanges } from './interfaceChanges';
import { longestInOrder } from './longestInOrder';
import { type InitializerItem, matchInitializers } from './matchInitializers';
import { type DiffSide, type ModelDiff, UNCHANGED } from './modelDiff';
import { type Matched, matchModels } from './nodePairs';
import { scopeWords } from './scopeWords';
import { structureOf } from './structure';
import { type DigestOptions, tensorDigest } from './tensorDigest';
import { unionView } from './unionView';
import { nodeIndices, tensorsOf } from './viewKeys';

export interface DiffOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of tensors read, of those of both models. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** One side with what is known of its tensors. */
interface Known extends DiffSide {
  readonly tensors: readonly (OnnxTensor | null)[];
  readonly digests: ReadonlyMap<OnnxTensor, string>;
}

/**
 * What became of each node and initializer of A in B. Nodes are the same by (graph, names of their outputs), then by name, then by structure;
 * initializers by name, then by content, then by the input that they feed. The values of all tensors are read once.
 * @throws CheckpointError truncated, cancelled
 */
export async function diffModels(a: DiffSide, b: DiffSide, options: DiffOptions): Promise<ModelDiff> {
  const first = await withDigests(a, options, { before: 0, total: bytesOf(a) + bytesOf(b) });
  const second = await withDigests(b, options, { before: bytesOf(a), total: bytesOf(a) + bytesOf(b) });
  const digestOf = (side: Known) => (tensor: OnnxTensor) => side.digests.get(tensor) ?? '';
  const structure = { a: structureOf(indexScopes(a.model), digestOf(first)), b: structureOf(indexScopes(b.model), digestOf(second)) };
  const matched = matchModels(a.model, b.model, { structure, signal: options.signal });
  const indices = { a: nodeIndices(a.model, a.view), b: nodeIndices(b.model, b.view) };
  const nodes = new Map<number, number>();
  for (const pair of matched.nodes) {
    const from = indices.a.get(pair.a);
    const to = indices.b.get(pair.b);
    if (from !== undefined && to !== undefined) nodes.set(from, to);
  }
  const scopes = scopeIndices(a.view, b.view, matched);
  const items = { a: itemsOf(first, { nodes, matched, isA: true }), b: itemsOf(second, { nodes: null, matched, isA: false }) };
  const initializerPairs = matchInitializers(items.a, items.b);
  const initializers = new Map(initializerPairs.map((pair) => [pair.a.index, pair.b.index]));
  const union = unionView(a.view, b.view, { nodes, scopes, initializers });

  const nodeChanges = new Uint8Array(union.view.nodes.names.length).fill(UNCHANGED);
  const initializerChanges = new Uint8Array(union.view.initializers.length).fill(UNCHANGED);
  const changes: GraphChange[] = [...modelChanges(a.model, b.model), ...interfaceChanges(a.model.graph, b.model.graph)];
  const note = (into: Uint8Array, at: number, change: GraphChange) => {
    into[at] = GRAPH_CHANGES.indexOf(change.change);
    const scope = into === nodeChanges ? union.view.nodes.scope[at] : union.view.initializers[at]?.scope;
    changes.push({ ...change, text: `${change.text}${scopeWords(union.view, scope ?? 0)}` });
  };

  const words = sameValues({ a: a.view, b: b.view, nodes, initializers });
  for (const pair of matched.nodes) {
    const from = indices.a.get(pair.a);
    const to = indices.b.get(pair.b);
    if (from === undefined || to === undefined) continue;
    const compared = compareNode(
      { a: { node: pair.a, view: a.view, index: from }, b: { node: pair.b, view: b.view, index: to } },
      { sameValue: words, digestOf: { a: digestOf(first), b: digestOf(second) } },
    );
    if (compared !== null) note(nodeChanges, to, { what: 'node', a: to, b: to, ...compared });
  }
  noteMoved({ matched, indices, nodeChanges, note, view: b.view });
  for (let node = 0; node < nodeChanges.length; node++) {
    const inA = (union.nodesOfA[node] ?? -1) >= 0;
    const inB = (union.nodesOfB[node] ?? -1) >= 0;
    if (inA && inB) continue;
    const change: GraphChangeKind = inB ? 'added' : 'removed';
    note(nodeChanges, node, { what: 'node', change, a: inA ? node : -1, b: inB ? node : -1, text: nodeWords(union.view, node) });
  }

  for (const pair of initializerPairs) {
    const tensors = { a: first.tensors[pair.a.index] ?? null, b: second.tensors[pair.b.index] ?? null };
    const change = await initializerChange(pair, { tensors, sides: { a, b } });
    if (change !== null) note(initializerChanges, pair.b.index, { what: 'initializer', a: pair.b.index, b: pair.b.index, ...change });
  }
  for (let index = 0; index < initializerChanges.length; index++) {
    const inA = (union.initializersOfA[index] ?? -1) >= 0;
    const inB = (union.initializersOfB[index] ?? -1) >= 0;
    if (inA && inB) continue;
    const { name, type, shape } = union.view.initializers[index] ?? { name: '', type: '', shape: [] };
    note(initializerChanges, index, {
      what: 'initializer',
      change: inB ? 'added' : 'removed',
      a: inA ? index : -1,
      b: inB ? index : -1,
      text: `${name} ${type}[${shape.join(', ')}]`,
    });
  }
  return { ...union, nodeChanges, initializerChanges, changes, text: changesText(changes) };
}

function bytesOf({ view }: DiffSide): number {
  return view.initializers.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function withDigests(
  side: DiffSide,
  { signal, onProgress }: DiffOptions,
  { before, total }: { readonly before: number; readonly total: number },
): Promise<Known> {
  const tensors = tensorsOf(side.model, side.view);
  const digests = new Map<OnnxTensor, string>();
  let done = 0;
  const options: DigestOptions = {
    signal,
    onBytes(bytes) {
      done += bytes;
      onProgress?.(Math.min(total, before + done), total);
    },
  };
  // Tensors of attributes count as well: two nodes are equal only when those are.
  const inAttributes = [...side.model.graphs, ...side.model.functions].flatMap(({ nodes }) =>
    nodes.flatMap(({ attributes }) =>
      attributes.flatMap((each) => [...each.tensors, ...each.sparseTensors.flatMap(({ values, indices }) => [values, indices])]),
    ),
  );
  const sparse = side.model.graphs.flatMap((graph) => graph.sparse.flatMap(({ indices }) => [indices]));
  for (const tensor of [...tensors, ...inAttributes, ...sparse]) {
    if (tensor !== null && !digests.has(tensor)) digests.set(tensor, await tensorDigest(tensor, side, options));
  }
  return { ...side, tensors, digests };
}

function scopeIndices(a: GraphView, b: GraphView, { pathInB }: Matched): Map<number, number> {
  const inB = new Map(b.scopes.map(({ path }, scope) => [path, scope]));
  const scopes = new Map<number, number>();
  for (const [scope, { path }] of a.scopes.entries()) {
    const there = pathInB.get(path);
    const index = there === undefined ? undefined : inB.get(there);
    if (index !== undefined) scopes.set(scope, index);
  }
  return scopes;
}

/** `nodes`: what A's nodes are in B; `null` for B itself. */
function itemsOf(
  side: Known,
  { nodes, matched, isA }: { readonly nodes: ReadonlyMap<number, number> | null; readonly matched: Matched; readonly isA: boolean },
): InitializerItem[] {
  const { view } = side;
  const uses = new Map<number, string[]>();
  for (let node = 0; node < view.nodes.names.length; node++) {
    const there = nodes === null ? node : nodes.get(node);
    if (there === undefined) continue;
    const start = view.nodes.inputStarts[node] ?? 0;
    for (let at = start; at < (view.nodes.inputStarts[node + 1] ?? start); at++) {
      const initializer = view.values.initializer[view.nodes.inputs[at] ?? 0];
      if (initializer !== undefined) uses.set(initializer, [...(uses.get(initializer) ?? []), `${there} ${at - start}`]);
    }
  }
  return view.initializers.map((initializer, index) => {
    const path = view.scopes[initializer.scope]?.path ?? '';
    const tensor = side.tensors[index] ?? null;
    return {
      index,
      initializer,
      scope: isA ? (matched.pathInB.get(path) ?? null) : path,
      digest: (tensor === null ? undefined : side.digests.get(tensor)) ?? `? ${initializer.name}`,
      uses: uses.get(index) ?? [],
    };
  });
}

/** Whether a value of A is a value of B: made by the same node, the same initializer, or an input of the same name. */
function sameValues({
  a,
  b,
  nodes,
  initializers,
}: {
  readonly a: GraphView;
  readonly b: GraphView;
  readonly nodes: ReadonlyMap<number, number>;
  readonly initializers: ReadonlyMap<number, number>;
}): (valueA: number, valueB: number) => boolean {
  const none = 0xffffffff;
  const outputOf = (view: GraphView, node: number, value: number) => {
    const start = view.nodes.outputStarts[node] ?? 0;
    return view.nodes.outputs.subarray(start, view.nodes.outputStarts[node + 1] ?? start).indexOf(value);
  };
  return (valueA, valueB) => {
    if (valueA === none || valueB === none) return valueA === valueB;
    const initializer = a.values.initializer[valueA] ?? none;
    if (initializer !== none) return initializers.get(initializer) === b.values.initializer[valueB];
    const producer = a.values.producer[valueA] ?? none;
    const other = b.values.producer[valueB] ?? none;
    if (producer === none || other === none) return producer === other && a.values.names[valueA] === b.values.names[valueB];
    return nodes.get(producer) === other && outputOf(a, producer, valueA) === outputOf(b, other, valueB);
  };
}

interface MoveSearch {
  readonly matched: Matched;
  readonly indices: { readonly b: ReadonlyMap<Matched['nodes'][number]['b'], number> };
  readonly nodeChanges: Uint8Array;
  readonly note: (into: Uint8Array, at: number, change: GraphChange) => void;
  readonly view: GraphView;
}

/** Nodes that are what they were, but no longer in the order of the file. */
function noteMoved({ matched, indices, nodeChanges, note, view }: MoveSearch): void {
  const places = new Map(matched.nodes.map(({ a, b }) => [a, b]));
  for (const { a } of matched.scopes) {
    const pairs = a.nodes.flatMap((node) => {
      const other = places.get(node);
      return other === undefined ? [] : [other];
    });
    const inOrder = longestInOrder(pairs.map(({ index }) => index));
    for (const [at, node] of pairs.entries()) {
      const index = indices.b.get(node);
      if (inOrder.has(at) || index === undefined || nodeChanges[index] !== UNCHANGED) continue;
      note(nodeChanges, index, { what: 'node', change: 'moved', a: index, b: index, text: nodeWords(view, index) });
    }
  }
}

function nodeWords(view: GraphView, node: number): string {
  const operator = view.operators[view.nodes.operator[node] ?? 0] ?? '';
  const name = view.nodes.names[node] ?? '';
  return name === '' ? `${operator} (node ${(view.nodes.index[node] ?? 0) + 1})` : `${operator} ${name}`;
}
