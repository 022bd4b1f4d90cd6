import type { GraphView } from '../../../shared/model/graph';
import type { OnnxModel, OnnxNode, OnnxTensor } from '../model/onnxModel';

/** Index in a view of each node of a model. */
export function nodeIndices(model: OnnxModel, view: GraphView): Map<OnnxNode, number> {
  const scopes = new Map(view.scopes.map(({ path }, scope) => [path, scope]));
  const places = new Map<string, number>();
  for (let i = 0; i < view.nodes.index.length; i++) places.set(`${view.nodes.scope[i]} ${view.nodes.index[i]}`, i);
  const indices = new Map<OnnxNode, number>();
  for (const { path, nodes } of [...model.graphs, ...model.functions]) {
    for (const node of nodes) {
      const at = places.get(`${scopes.get(path)} ${node.index}`);
      if (at !== undefined) indices.set(node, at);
    }
  }
  return indices;
}

/** The tensors behind the initializers of a view: stored ones, values of sparse ones, and those of Constant nodes. */
export function tensorsOf(model: OnnxModel, view: GraphView): (OnnxTensor | null)[] {
  const tensors = new Map<string, OnnxTensor>();
  for (const graph of [...model.graphs, ...model.functions]) {
    if ('initializers' in graph) {
      for (const { values } of graph.sparse) if (values !== null) tensors.set(JSON.stringify([graph.path, values.name]), values);
      for (const tensor of graph.initializers) tensors.set(JSON.stringify([graph.path, tensor.name]), tensor);
    }
    for (const { op, domain, outputs, attributes } of graph.nodes) {
      const tensor = op === 'Constant' && domain === '' ? attributes.flatMap((each) => each.tensors)[0] : undefined;
      if (tensor !== undefined && outputs[0] !== undefined) tensors.set(JSON.stringify([graph.path, outputs[0].text]), tensor);
    }
  }
  return view.initializers.map(({ name, scope }) => tensors.get(JSON.stringify([view.scopes[scope]?.path ?? '', name])) ?? null);
}
