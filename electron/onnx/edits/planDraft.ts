import type { EditSite, RenameConflict } from '../../../shared/model/graphEdit';
import { type Piece, piecesLength } from '../../bytes/pieces';
import type { WireEdit } from '../../encodings/protobuf/frame';
import { patchMessage } from '../../encodings/protobuf/patchMessage';
import type { OnnxModel } from '../model/onnxModel';
import { MAX_MODEL_BYTES } from './applyPlan';
import type { EditPlan } from './editPlan';

/** An EditPlan while it is made. */
export interface PlanDraft {
  title: string;
  readonly sites: EditSite[];
  readonly warnings: string[];
  readonly refusals: string[];
  readonly conflicts: RenameConflict[];
  readonly edits: WireEdit[];
  readonly files: { readonly name: string; readonly pieces: readonly Piece[] }[];
}

export function newDraft(title: string): PlanDraft {
  return { title, sites: [], warnings: [], refusals: [], conflicts: [], edits: [], files: [] };
}

/** A plan that was refused changes nothing, so it has no edits. */
export function finish(draft: PlanDraft): EditPlan {
  const once = (texts: readonly string[]) => [...new Set(texts)];
  const plan = { ...draft, warnings: once(draft.warnings), refusals: once(draft.refusals) };
  return plan.refusals.length === 0 ? plan : { ...plan, edits: [], files: [] };
}

/** Bytes of the model after the edits. */
export function lengthAfter(model: OnnxModel, edits: readonly WireEdit[]): number {
  return piecesLength(patchMessage(model.length, edits));
}

/** Refuses a model that no reader could read. */
export function refuseTooLong(model: OnnxModel, draft: PlanDraft): void {
  if (draft.refusals.length > 0) return;
  const bytes = lengthAfter(model, draft.edits);
  if (bytes > MAX_MODEL_BYTES) {
    draft.refusals.push(`The model would have ${bytes} bytes, but the format allows ${MAX_MODEL_BYTES}: move its values into a file of external data first.`);
  }
}
