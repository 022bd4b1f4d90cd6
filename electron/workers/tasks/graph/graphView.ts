import type { GraphView } from '../../../../shared/model/graph';
import type { ModelRef } from '../../../onnx/model/modelRef';
import type { TaskContext } from '../task';
import { readGraph } from './readGraph';

export interface GraphViewInput {
  readonly model: ModelRef;
}

/** The graph of a model for a window. A copy: what this thread keeps must not be handed over. */
export async function graphView({ model }: GraphViewInput, { signal }: TaskContext): Promise<GraphView> {
  return structuredClone((await readGraph(model, signal)).view);
}
