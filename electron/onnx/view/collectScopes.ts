import type { GraphScope } from '../../../shared/model/graph';
import type { OnnxFunction, OnnxGraph, OnnxModel } from '../model/onnxModel';

export interface ViewScope {
  readonly owner: OnnxGraph | OnnxFunction;
  readonly scope: GraphScope;
  /** Index of its first node among the nodes of the view. */
  readonly firstNode: number;
}

/** The main graph, the bodies inside it after the graph that holds them, then functions with theirs. Graphs of training are not looked at. */
export function collectScopes(model: OnnxModel): ViewScope[] {
  const scopes: ViewScope[] = [];
  let nodes = 0;
  const add = (owner: OnnxGraph | OnnxFunction, kind: GraphScope['kind'], parent: GraphScope['parent']): void => {
    const index = scopes.length;
    scopes.push({ owner, scope: { kind, path: owner.path, name: owner.name, parent }, firstNode: nodes });
    const firstNode = nodes;
    nodes += owner.nodes.length;
    // A model's bodies are nested some hundred deep at most: the reader refuses more.
    for (const child of owner.children) add(child, 'subgraph', { scope: index, node: firstNode + (child.parent?.node ?? 0) });
  };
  add(model.graph, 'main', null);
  for (const func of model.functions) add(func, 'function', null);
  return scopes;
}

export function isFunction(owner: OnnxGraph | OnnxFunction): owner is OnnxFunction {
  return 'overload' in owner;
}
