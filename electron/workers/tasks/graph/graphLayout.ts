import type { GraphLayout } from '../../../../shared/model/graph';
import { layoutGraph } from '../../../onnx/layout/layoutGraph';
import type { TaskContext } from '../task';
import { type GraphRef, viewOf } from './graphRef';

export interface GraphLayoutInput {
  readonly graph: GraphRef;
  readonly root: number;
  readonly open: readonly number[];
}

/** Where everything stands; progress is in groups. */
export async function graphLayout({ graph, root, open }: GraphLayoutInput, context: TaskContext): Promise<GraphLayout> {
  const view = await viewOf(graph, context.signal);
  return structuredClone(
    await layoutGraph(view, { root, open: new Set(open) }, { signal: context.signal, onProgress: (done, total) => context.progress(done, total) }),
  );
}
