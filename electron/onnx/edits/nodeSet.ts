import type { NodeAddress } from '../../../shared/model/graphEdit';
import type { OnnxGraph, OnnxNode } from '../model/onnxModel';
import { isGraph } from '../scopes/outerOf';
import type { Definition, ScopeIndex, ScopeOwner, Use } from '../scopes/scopeIndex';
import { shownName } from './places';
import type { PlanDraft } from './planDraft';

/** Some nodes with all that lies in their bodies. */
export interface NodeSet {
  readonly nodes: readonly { readonly owner: ScopeOwner; readonly node: OnnxNode }[];
  has(node: OnnxNode): boolean;
  /** Whether a use is by one of the nodes, or lies inside its bodies. */
  holds(use: Use): boolean;
}

/** The nodes that addresses mean, in the order of the file, each once; what is not there is refused. */
export function nodeSet(draft: PlanDraft, index: ScopeIndex, addresses: readonly NodeAddress[]): NodeSet {
  const owners = new Map<OnnxNode, ScopeOwner>();
  for (const { graph, index: at } of addresses) {
    const [owner] = index.ownersAt(graph);
    const node = owner?.nodes[at];
    if (owner === undefined || node === undefined) draft.refusals.push(`The model has no node ${at}${graph === '' ? '' : ` in ${shownName(graph)}`}.`);
    else owners.set(node, owner);
  }
  const has = (node: OnnxNode) => owners.has(node);
  const nodes = [...owners].map(([node, owner]) => ({ owner, node })).sort((a, b) => a.node.frame.start - b.node.frame.start);
  return { nodes, has, holds: ({ owner, node }) => (node !== null && has(node)) || liesIn(owner, has) };
}

/** Whether a graph lies in the bodies of some nodes. */
export function liesIn(owner: ScopeOwner, has: (node: OnnxNode) => boolean): boolean {
  for (let at = owner; isGraph(at) && at.parent !== null; at = at.parent.graph) {
    const holder = at.parent.graph.nodes[at.parent.node];
    if (holder !== undefined && has(holder)) return true;
  }
  return false;
}

/** All graphs inside a node, at any depth. */
export function* bodiesOf(node: OnnxNode): Generator<OnnxGraph> {
  for (const { graphs } of node.attributes) {
    for (const graph of graphs) {
      yield graph;
      for (const inner of graph.nodes) yield* bodiesOf(inner);
    }
  }
}

/** A value that is about to go, and who still uses it. */
export interface Needed {
  readonly definition: Definition;
  readonly uses: readonly Use[];
}

/** What a set of nodes reads from outside itself. */
export interface Reads {
  /** Values that others define, in the order in which they are first read. */
  readonly values: readonly Definition[];
  /** Names that nothing defines. */
  readonly undefined: readonly string[];
}

export function readsOf(index: ScopeIndex, set: NodeSet): Reads {
  const values = new Set<Definition>();
  const unknown = new Set<string>();
  const read = (owner: ScopeOwner, name: string) => {
    if (name === '') return;
    const definition = index.resolve(owner, name);
    if (definition === null) unknown.add(name);
    else if (!(definition.node !== null && set.has(definition.node)) && !liesIn(definition.owner, set.has)) values.add(definition);
  };
  for (const { owner, node } of set.nodes) {
    for (const { text } of node.inputs) read(owner, text);
    for (const body of bodiesOf(node)) {
      for (const inner of body.nodes) for (const { text } of inner.inputs) read(body, text);
      for (const { name } of body.outputs) read(body, name);
    }
  }
  return { values: [...values], undefined: [...unknown] };
}

/** The values that the nodes themselves make. */
export function outputsOf(index: ScopeIndex, set: NodeSet): Definition[] {
  const definitions = set.nodes.flatMap(({ owner, node }) => node.outputs.map(({ text }) => index.definition(owner, text)));
  return [...new Set(definitions.filter((definition) => definition !== null))];
}
