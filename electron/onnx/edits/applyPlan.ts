import { CheckpointError } from '../../../shared/contract/errors';
import { type Piece, piecesLength } from '../../bytes/pieces';
import { patchMessage } from '../../encodings/protobuf/patchMessage';
import type { OnnxModel } from '../model/onnxModel';
import type { EditPlan } from './editPlan';

/** A message of Protocol Buffers has at most 2^31 - 1 bytes (https://protobuf.dev/programming-guides/proto-limits/). */
export const MAX_MODEL_BYTES = 2 ** 31 - 1;

/**
 * The model after the edit, as pieces of what it was read from: only the fields that change are new.
 * @throws CheckpointError conflict when the plan was refused, too-large when no reader could read the result
 */
export function applyPlan(model: OnnxModel, plan: EditPlan): Piece[] {
  if (plan.refusals.length > 0) throw new CheckpointError('conflict', plan.refusals.join(' '));
  const pieces = patchMessage(model.length, plan.edits);
  const bytes = piecesLength(pieces);
  if (bytes > MAX_MODEL_BYTES) {
    throw new CheckpointError('too-large', `The model would have ${bytes} bytes; the format allows ${MAX_MODEL_BYTES}.`, {
      hint: 'Move its values into a file of external data first.',
    });
  }
  return pieces;
}
