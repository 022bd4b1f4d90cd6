import type { OnnxFunction, OnnxGraph, OnnxModel, OnnxNode, OnnxSparseTensor, OnnxTensor } from '../model/onnxModel';

/** One TensorProto of the model, and where it stands. */
export interface PlacedTensor {
  readonly tensor: OnnxTensor;
  readonly owner: OnnxGraph | OnnxFunction;
  /** Node whose attribute holds it; `null` for initializers. */
  readonly node: OnnxNode | null;
  /** Only initializers that are not sparse. */
  readonly isInitializer: boolean;
}

/** Every tensor of a model: initializers, parts of sparse ones, attributes of nodes, at every depth. */
export function* allTensors(model: OnnxModel): Generator<PlacedTensor> {
  for (const graph of model.graphs) {
    for (const tensor of graph.initializers) yield { tensor, owner: graph, node: null, isInitializer: true };
    for (const sparse of graph.sparse) for (const tensor of parts(sparse)) yield { tensor, owner: graph, node: null, isInitializer: false };
    yield* tensorsOfNodes(graph);
  }
  for (const func of model.functions) yield* tensorsOfNodes(func);
}

function* tensorsOfNodes(owner: OnnxGraph | OnnxFunction): Generator<PlacedTensor> {
  for (const node of owner.nodes) for (const tensor of tensorsOfNode(node)) yield { tensor, owner, node, isInitializer: false };
}

/** The tensors in a node's own attributes. */
export function tensorsOfNode(node: OnnxNode): OnnxTensor[] {
  return node.attributes.flatMap(({ tensors, sparseTensors }) => [...tensors, ...sparseTensors.flatMap(parts)]);
}

function parts({ values, indices }: OnnxSparseTensor): OnnxTensor[] {
  return [values, indices].filter((tensor) => tensor !== null);
}
