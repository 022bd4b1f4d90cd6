import type { GraphView } from '../../../../shared/model/graph';
import type { SmallTensors } from '../../../onnx/infer/inferTypes';
import type { OnnxModel } from '../../../onnx/model/onnxModel';

/** A model as the tasks of one thread share it. */
export interface ReadGraph {
  readonly model: OnnxModel;
  readonly view: GraphView;
  /** Elements of small tensors, which shapes depend on. */
  readonly small: SmallTensors;
  /** File of external data at a location that the model gives; `null` when it cannot be had. */
  readonly pathOf: (location: string) => string | null;
}
