import type { GraphView } from '../../../shared/model/graph';
import type { GraphChange } from '../../../shared/model/graphEdit';
import type { ByteSource } from '../../bytes/byteSource';
import type { OnnxModel } from '../model/onnxModel';

/** One of two models to compare. */
export interface DiffSide {
  readonly model: OnnxModel;
  readonly view: GraphView;
  /** The model's file, for the contents of its tensors. */
  readonly source: ByteSource;
  /** As `TensorHome.pathOf`. */
  readonly pathOf: (location: string) => string | null;
}

/** What became of each node and initializer. */
export interface ModelDiff {
  /** The union of both graphs: everything of B, and what of A is gone, connected as it was. */
  readonly view: GraphView;
  /** For each node of the union, its index in the view of A; -1 where it is not. */
  readonly nodesOfA: Int32Array<ArrayBuffer>;
  readonly nodesOfB: Int32Array<ArrayBuffer>;
  readonly initializersOfA: Int32Array<ArrayBuffer>;
  readonly initializersOfB: Int32Array<ArrayBuffer>;
  /** For each node and initializer of the union: index into GRAPH_CHANGES, or UNCHANGED. */
  readonly nodeChanges: Uint8Array<ArrayBuffer>;
  readonly initializerChanges: Uint8Array<ArrayBuffer>;
  /** `a` and `b` are indices in the union. */
  readonly changes: readonly GraphChange[];
  /** What `theta onnx diff` prints. */
  readonly text: string;
}

export const UNCHANGED = 255;
