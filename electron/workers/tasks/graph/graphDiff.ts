import type { GraphView } from '../../../../shared/model/graph';
import type { GraphChange } from '../../../../shared/model/graphEdit';
import type { ModelRef } from '../../../onnx/model/modelRef';
import type { TaskContext } from '../task';
import { readDiff } from './readDiff';

export interface GraphDiffInput {
  readonly a: ModelRef;
  readonly b: ModelRef;
}

export interface GraphDiffOutput {
  readonly view: GraphView;
  readonly nodeChanges: Uint8Array<ArrayBuffer>;
  readonly initializerChanges: Uint8Array<ArrayBuffer>;
  readonly changes: readonly GraphChange[];
  readonly text: string;
}

/** What became of the nodes and initializers between two models; progress is in bytes of values. */
export async function graphDiff(input: GraphDiffInput, { signal, progress }: TaskContext): Promise<GraphDiffOutput> {
  const { view, nodeChanges, initializerChanges, changes, text } = await readDiff(input, { signal, onProgress: progress });
  return structuredClone({ view, nodeChanges, initializerChanges, changes, text });
}
