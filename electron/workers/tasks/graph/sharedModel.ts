import type { GraphView } from '../../../../shared/model/graph';
import type { OnnxModel } from '../../../onnx/model/onnxModel';

/** A model as the tasks of one thread share it. */
export interface ReadGraph {
  readonly model: OnnxModel;
  readonly view: GraphView;
  /** File of external data at a location that the model gives; `null` when it cannot be had. */
  readonly pathOf: (location: string) => string | null;
}
