import type { NameProposal } from '../../../../shared/model/graphEdit';
import { type ModelRef, openModelRef } from '../../../onnx/model/modelRef';
import type { CheckpointTensor } from '../../../onnx/names/contentMatches';
import { proposeNames } from '../../../onnx/names/proposeNames';
import type { TaskContext } from '../task';
import { readGraph } from './readGraph';

export interface GraphProposeInput {
  readonly model: ModelRef;
  readonly from: { readonly kind: 'nodes' } | { readonly kind: 'position' } | { readonly kind: 'checkpoint'; readonly groups: readonly CheckpointTensor[] };
  readonly onlyNumbered: boolean;
}

/** Names for initializers; progress is in bytes of values, which are read only to compare with a checkpoint. */
export async function graphPropose({ model: ref, from, onlyNumbered }: GraphProposeInput, { signal, progress }: TaskContext): Promise<NameProposal[]> {
  const { model, pathOf } = await readGraph(ref, signal);
  const source = await openModelRef(ref);
  try {
    return await proposeNames(model, { from, onlyNumbered, home: { source, file: ref.file, pathOf }, signal, onProgress: progress });
  } finally {
    await source.close();
  }
}
