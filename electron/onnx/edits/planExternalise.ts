import { formatBytes } from '../../../shared/base/formatBytes';
import { type Piece, piecesLength } from '../../bytes/pieces';
import type { OnnxModel, OnnxTensor } from '../model/onnxModel';
import { rawBytes, STRING } from '../values/elementTypes';
import { allTensors } from './allTensors';
import type { EditPlan } from './editPlan';
import { refusedFileName } from './fileNames';
import { counted, listed } from './listed';
import { shownName } from './places';
import { finish, newDraft, refuseTooLong } from './planDraft';
import { externalFields, replaceValue } from './tensorFields';
import { bytesPiece } from './wireEdits';

/** Where a value may begin, so that it can be mapped into memory: a page (https://github.com/onnx/onnx/blob/main/docs/ExternalData.md). */
const ALIGNMENT = 4096;
/** Types whose packed list of values is their raw bytes, and its field: float_data or double_data. */
const FLOAT_FIELDS: ReadonlyMap<number, number> = new Map([
  [1, 4],
  [14, 4],
  [11, 10],
  [15, 10],
]);

export interface ExternaliseOptions {
  /** Name of the new file beside the model. */
  readonly file: string;
  /** Only values of at least so many bytes. */
  readonly atLeast: number;
  readonly alignment?: number | undefined;
  /** Name of the model's own file. */
  readonly modelFile?: string | undefined;
}

/**
 * Moves the values of initializers out of the model, into one new file. Their bytes are copied from where they lie, never read here. Texts and
 * constants of nodes stay; so do values that stand one by one in typed fields, which must be set anew to be raw bytes.
 */
export function planExternalise(model: OnnxModel, options: ExternaliseOptions): EditPlan {
  const { file, atLeast, alignment = ALIGNMENT } = options;
  const draft = newDraft(`Move values into ${shownName(file)}`);
  const refused = refusedFileName(model, file, options.modelFile ?? null);
  if (refused !== null) draft.refusals.push(refused);
  const pieces: Piece[] = [];
  const left: string[] = [];
  let offset = 0;
  for (const { tensor, owner, isInitializer } of allTensors(model)) {
    if (!isInitializer || tensor.external !== null || tensor.segmented) continue;
    const content = contentOf(tensor);
    const bytes = content === null ? (rawBytes(tensor.type, tensor.dims) ?? 0) : piecesLength(content);
    if (bytes === 0 || bytes < atLeast) continue;
    if (content === null) {
      left.push(shownName(tensor.name));
      continue;
    }
    const padding = (alignment - (offset % alignment)) % alignment;
    if (padding > 0) pieces.push(bytesPiece(new Uint8Array(padding)));
    offset += padding;
    pieces.push(...content);
    draft.edits.push(...replaceValue(tensor, [bytesPiece(externalFields({ location: file, offset, length: bytes }, tensor))]));
    draft.sites.push({
      graph: owner.path,
      place: `initializer ${shownName(tensor.name)}`,
      before: `${formatBytes(bytes)} in the model`,
      after: `${formatBytes(bytes)} in ${shownName(file)} from byte ${offset}`,
    });
    offset += bytes;
  }
  draft.title = `Move ${counted(draft.sites.length, 'value')} into ${shownName(file)}`;
  if (draft.sites.length === 0) draft.refusals.push(`No initializer in the model has ${formatBytes(atLeast)} or more that can be moved.`);
  if (left.length > 0)
    draft.warnings.push(`${listed(left)} ${left.length === 1 ? 'stays' : 'stay'} in the model: the values stand one by one and not as raw bytes.`);
  draft.files.push({ name: file, pieces });
  refuseTooLong(model, draft);
  return finish(draft);
}

/** The raw bytes of a value where they lie in the model; `null` when they do not stand there as such. */
function contentOf({ type, dims, raw, typed, packed }: OnnxTensor): Piece[] | null {
  if (type === STRING) return [];
  const needs = rawBytes(type, dims);
  if (raw !== null) {
    // Bytes of another number than the shape needs stay where a reader finds the fault; those of unknown types are taken as they are.
    return needs !== null && raw.length !== needs ? [] : [{ kind: 'copy', offset: raw.offset, length: raw.length }];
  }
  const [run] = typed;
  if (run === undefined || needs === null) return [];
  const fields = FLOAT_FIELDS.get(type);
  return packed !== null && fields === run.number && packed.length === needs ? [{ kind: 'copy', ...packed }] : null;
}
