import { encodeVarintField } from '../../encodings/protobuf/encodeField';
import type { OnnxModel } from '../model/onnxModel';
import type { PlanDraft } from './planDraft';
import { bytesPiece, replaceSite } from './wireEdits';

/**
 * Raises ir_version where the model now holds something that came with a later version (the list at the head of onnx.proto); a reader
 * that goes by the number may refuse it otherwise. Never lowers it, and never more than is needed.
 */
export function raiseIrVersion(draft: PlanDraft, model: OnnxModel, needed: { readonly version: number; readonly reason: string }): void {
  const { frame, irVersion, irVersionSite } = model;
  if (needed.version <= irVersion) return;
  const insert = [bytesPiece(encodeVarintField(1, needed.version))];
  draft.edits.push(irVersionSite === null ? { frame, offset: frame.start, remove: 0, insert } : replaceSite(irVersionSite, insert));
  draft.sites.push({ graph: '', place: 'ir_version', before: String(irVersion), after: String(needed.version) });
  draft.warnings.push(`ir_version rises from ${irVersion} to ${needed.version}, the first that has ${needed.reason}: an older program may refuse the model.`);
}
