import type { NameProposal } from '../../../shared/model/graphEdit';
import type { OnnxModel } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import type { TensorHome } from '../values/tensorBytes';
import type { CheckpointTensor } from './contentMatches';
import { proposeByPosition } from './proposeByPosition';
import { proposeFromCheckpoint } from './proposeFromCheckpoint';
import { proposeFromNodes } from './proposeFromNodes';
import { settleNames } from './settleNames';
import { initializersOf } from './unnamedValues';

export type ProposalOrigin =
  | { readonly kind: 'nodes' }
  | { readonly kind: 'position' }
  | { readonly kind: 'checkpoint'; readonly groups: readonly CheckpointTensor[] };

export interface ProposeOptions {
  readonly from: ProposalOrigin;
  /** Only initializers whose names say nothing (`isNumberedName`). */
  readonly onlyNumbered: boolean;
  readonly home: TensorHome;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Names for initializers, which can be applied together. Nothing is proposed for a value about which nothing is known.
 * @throws CheckpointError cancelled, and what reading a value of the model or the checkpoint throws
 */
export async function proposeNames(model: OnnxModel, { from, onlyNumbered, ...options }: ProposeOptions): Promise<NameProposal[]> {
  const index = indexScopes(model);
  const values = initializersOf(index, onlyNumbered);
  const proposals =
    from.kind === 'nodes'
      ? proposeFromNodes(values)
      : from.kind === 'position'
        ? proposeByPosition(values)
        : await proposeFromCheckpoint(values, from.groups, options);
  return settleNames(proposals, index);
}
