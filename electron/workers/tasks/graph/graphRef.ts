import { CheckpointError } from '../../../../shared/contract/errors';
import type { GraphView } from '../../../../shared/model/graph';
import type { ModelRef } from '../../../onnx/model/modelRef';
import type { OnnxModel } from '../../../onnx/model/onnxModel';
import { readDiff } from './readDiff';
import { readGraph } from './readGraph';

/** A graph that is looked at: that of a model, or the union of two. */
export type GraphRef = { readonly kind: 'model'; readonly model: ModelRef } | { readonly kind: 'diff'; readonly a: ModelRef; readonly b: ModelRef };

export async function viewOf(graph: GraphRef, signal: AbortSignal): Promise<GraphView> {
  return graph.kind === 'model' ? (await readGraph(graph.model, signal)).view : (await readDiff(graph, { signal })).view;
}

/** The model that a node of the view is in, the view of that model, and its index there. @throws CheckpointError not-found */
export async function modelOfNode(graph: GraphRef, node: number, signal: AbortSignal): Promise<{ model: OnnxModel; view: GraphView; node: number }> {
  if (graph.kind === 'model') return { ...(await readGraph(graph.model, signal)), node };
  const { nodesOfA, nodesOfB } = await readDiff(graph, { signal });
  const inB = nodesOfB[node] ?? -1;
  const inA = nodesOfA[node] ?? -1;
  if (inB >= 0) return { ...(await readGraph(graph.b, signal)), node: inB };
  if (inA >= 0) return { ...(await readGraph(graph.a, signal)), node: inA };
  throw new CheckpointError('not-found', `The graph has no node ${node}.`);
}
