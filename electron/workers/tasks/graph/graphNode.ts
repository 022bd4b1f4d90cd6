import type { NodeDetail } from '../../../../shared/model/graph';
import { describeNode } from '../../../onnx/view/describeNode';
import type { TaskContext } from '../task';
import { type GraphRef, modelOfNode } from './graphRef';

export interface GraphNodeInput {
  readonly graph: GraphRef;
  readonly node: number;
}

/** Everything about one node that the view does not hold. */
export async function graphNode({ graph, node }: GraphNodeInput, { signal }: TaskContext): Promise<NodeDetail> {
  const found = await modelOfNode(graph, node, signal);
  return { ...describeNode(found.model, found.view, found.node), node };
}
