import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { OnnxModel, OnnxNode } from '../model/onnxModel';
import type { ScopeOwner } from '../scopes/scopeIndex';
import { bodyPairs, functionPairs, matchNodes, type NodePair, type ScopePair } from './diffScope';

export interface Matched {
  readonly scopes: readonly ScopePair[];
  readonly nodes: readonly NodePair[];
  /** Path of a scope of A in B; those that B does not have are missing. */
  readonly pathInB: ReadonlyMap<string, string>;
}

/** Graphs, functions and bodies that both models have, and the nodes in them. Bodies belong together when their nodes do. */
export function matchModels(
  a: OnnxModel,
  b: OnnxModel,
  options: {
    readonly structure: { readonly a: (node: OnnxNode) => string; readonly b: (node: OnnxNode) => string };
    readonly signal?: AbortSignal | undefined;
  },
): Matched {
  const scopes: ScopePair[] = [{ a: a.graph, b: b.graph }, ...functionPairs(a, b)];
  const nodes: NodePair[] = [];
  for (const pair of scopes) {
    throwIfCancelled(options.signal);
    for (const found of matchNodes(pair.a.nodes, pair.b.nodes, options.structure)) {
      nodes.push(found);
      // Grows while it is walked over: bodies are looked at after what holds them.
      scopes.push(...bodyPairs(found));
    }
  }
  return { scopes, nodes, pathInB: new Map(scopes.map((pair: { a: ScopeOwner; b: ScopeOwner }) => [pair.a.path, pair.b.path])) };
}
