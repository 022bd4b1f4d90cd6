import { formatBytes } from '../../../shared/base/formatBytes';
import type { WireEdit } from '../../encodings/protobuf/frame';
import type { OnnxModel, OnnxTensor } from '../model/onnxModel';
import { rawBytes, STRING } from '../values/elementTypes';
import { contentPieces, type NewTensor } from '../values/newTensor';
import { MAX_MODEL_BYTES } from './applyPlan';
import { freeFileName, refusedFileName } from './fileNames';
import { shownName } from './places';
import { lengthAfter, type PlanDraft } from './planDraft';
import { externalFields, replaceTypeAndShape, replaceValue, valueFields } from './tensorFields';
import { bytesPiece } from './wireEdits';

export interface ExternalNames {
  /** Name for a new file of external data; one is made from the tensor's name when it is absent. */
  readonly file?: string | undefined;
  /** Name of the model's own file, which no external data may have. */
  readonly modelFile?: string | undefined;
}

/**
 * Writes a value into a TensorProto: raw_data, and nothing else that holds values. A tensor that was in another file comes into the model,
 * or, where the model would become too large, goes into a new file; the old one is left as it is.
 * @returns where the value is now, in words
 */
export function setDense(
  draft: PlanDraft,
  place: { readonly model: OnnxModel; readonly tensor: OnnxTensor; readonly name: string },
  options: ExternalNames & { readonly value: NewTensor },
): string {
  const { model, tensor, name } = place;
  const { value } = options;
  const bytes = rawBytes(value.type, value.dims);
  const inside: WireEdit[] = [...replaceTypeAndShape(tensor, value), ...replaceValue(tensor, valueFields(value))];
  if (tensor.external !== null)
    draft.warnings.push(`The old value of ${shownName(name)} stays in the file ${shownName(tensor.external.location)}, which is not changed.`);
  if (tensor.external === null || value.type === STRING || bytes === null || lengthAfter(model, [...draft.edits, ...inside]) <= MAX_MODEL_BYTES) {
    draft.edits.push(...inside);
    return bytes === null ? 'in the model' : `${formatBytes(bytes)} in the model`;
  }
  const modelFile = options.modelFile ?? null;
  const location = options.file ?? freeFileName(model, name, modelFile);
  const refused = refusedFileName(model, location, modelFile);
  if (refused !== null) draft.refusals.push(refused);
  draft.files.push({ name: location, pieces: contentPieces(value) });
  draft.edits.push(
    ...replaceTypeAndShape(tensor, value),
    ...replaceValue(tensor, [bytesPiece(externalFields({ location, offset: 0, length: bytes }, tensor))]),
  );
  return `${formatBytes(bytes)} in the new file ${shownName(location)}`;
}

/** Where a tensor's value is, in words. */
export function placeOfData({ type, dims, raw, typed, external }: OnnxTensor): string {
  if (external !== null) return `in the file ${shownName(external.location)}`;
  if (raw !== null) return `${formatBytes(raw.length)} in the model`;
  const bytes = rawBytes(type, dims);
  return typed.length === 0 && bytes !== 0 ? 'no value' : bytes === null ? 'in the model' : `${formatBytes(bytes)} in the model`;
}
