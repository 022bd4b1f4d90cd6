import { type SearchResult, searchGraph } from '../../../onnx/search/searchGraph';
import type { TaskContext } from '../task';
import type { GraphRef } from './graphRef';
import { readDiff } from './readDiff';
import { readGraph } from './readGraph';

export interface GraphSearchInput {
  readonly graph: GraphRef;
  readonly text: string;
  readonly mode: 'text' | 'regex' | 'path';
  readonly limit: number;
}

/** Nodes that a search finds; in a difference, those of both models by their places in the union. */
export async function graphSearch({ graph, ...query }: GraphSearchInput, { signal }: TaskContext): Promise<SearchResult> {
  if (graph.kind === 'model') {
    const { model, view } = await readGraph(graph.model, signal);
    return searchGraph(model, view, query, { signal });
  }
  const { nodesOfA, nodesOfB } = await readDiff(graph, { signal });
  const found = new Map<number, { node: number; why: string }>();
  let truncated = false;
  for (const [ref, places] of [
    [graph.b, nodesOfB],
    [graph.a, nodesOfA],
  ] as const) {
    const { model, view } = await readGraph(ref, signal);
    const result = await searchGraph(model, view, query, { signal });
    truncated ||= result.truncated;
    const unionOf = new Map([...places].map((index, node) => [index, node]));
    for (const { node, why } of result.nodes) {
      const union = unionOf.get(node);
      if (union !== undefined && !found.has(union)) found.set(union, { node: union, why });
    }
  }
  const nodes = [...found.values()].sort((first, second) => first.node - second.node);
  return { nodes: nodes.slice(0, query.limit), truncated: truncated || nodes.length > query.limit };
}
