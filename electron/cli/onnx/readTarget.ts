import { openModelRef } from '../../onnx/model/modelRef';
import type { OnnxModel } from '../../onnx/model/onnxModel';
import { readModel } from '../../onnx/model/readModel';
import type { GraphState } from '../../services/graphs/graphs';
import type { Session } from '../session';
import { type GraphSession, withGraphs } from './withGraphs';

/** A model opened for one verb: what a window would see of it, and its structure. */
export interface OnnxTarget extends GraphSession {
  readonly state: GraphState;
  readonly model: OnnxModel;
}

/** Opens IN for one verb. @throws CheckpointError unsupported-format when it is no ONNX model */
export async function withModel<T>(session: Session, target: string, verb: (opened: OnnxTarget) => Promise<T>): Promise<T> {
  return withGraphs(session, async (within) => {
    const state = await within.graphs.open(await within.side(target), within.run);
    const ref = within.graphs.modelRef(state.graph);
    const source = await openModelRef(ref);
    try {
      return await verb({ ...within, state, model: await readModel(source, { file: target, signal: session.signal }) });
    } finally {
      await source.close();
    }
  });
}
