import { formatBytes } from '../../../shared/base/formatBytes';
import { type Piece, pieceLength } from '../../bytes/pieces';
import type { OnnxModel, OnnxTensor } from '../model/onnxModel';
import { rawBytes, STRING, typeAndShape } from '../values/elementTypes';
import { allTensors, type PlacedTensor } from './allTensors';
import type { EditPlan } from './editPlan';
import { counted } from './listed';
import { placeInGraph, placeOfNode, shownName } from './places';
import { finish, newDraft, refuseTooLong } from './planDraft';
import { replaceValue } from './tensorFields';
import { fieldPieces } from './wireEdits';

const RAW_DATA = 9;

/** Where the bytes of a tensor in another file lie, or why they cannot be had, in a sentence. */
export type ResolvePayload = (tensor: OnnxTensor) => Piece | string;

/** Moves all values that are in other files into the model; the files are left as they are. Nothing is read here. */
export function planInline(model: OnnxModel, resolve: ResolvePayload): EditPlan {
  const draft = newDraft('Move all values into the model');
  const files = new Set<string>();
  for (const placed of allTensors(model)) {
    const { tensor, owner } = placed;
    if (tensor.external === null) continue;
    const payload = payloadOf(tensor, resolve);
    if (typeof payload === 'string') {
      draft.refusals.push(`${placeInGraph(wordsOf(placed), owner)}: ${payload}`);
      continue;
    }
    const bytes = pieceLength(payload);
    files.add(tensor.external.location);
    draft.edits.push(...replaceValue(tensor, bytes === 0 ? [] : fieldPieces(RAW_DATA, [payload])));
    draft.sites.push({
      graph: owner.path,
      place: wordsOf(placed),
      before: `${formatBytes(bytes)} in ${shownName(tensor.external.location)}`,
      after: `${formatBytes(bytes)} in the model`,
    });
  }
  if (draft.sites.length === 0 && draft.refusals.length === 0) draft.refusals.push('All values are in the model already.');
  draft.title = `Move ${counted(draft.sites.length, 'value')} into the model`;
  if (files.size > 0)
    draft.warnings.push(
      `${files.size === 1 ? 'The file' : 'The files'} ${[...files].map(shownName).join(', ')} ${files.size === 1 ? 'stays as it is and is' : 'stay as they are and are'} no longer needed by this model.`,
    );
  refuseTooLong(model, draft);
  return finish(draft);
}

/** The payload of one tensor, checked against its shape. */
export function payloadOf(tensor: OnnxTensor, resolve: ResolvePayload): Piece | string {
  if (tensor.type === STRING) return 'texts are never in another file; the model is invalid.';
  const payload = resolve(tensor);
  if (typeof payload === 'string') return payload;
  const needs = rawBytes(tensor.type, tensor.dims);
  const has = pieceLength(payload);
  if (needs === null || needs === has) return payload;
  return `its file gives ${has} bytes, but ${typeAndShape(tensor.type, tensor.dims)} needs ${needs}.`;
}

function wordsOf({ tensor, node }: PlacedTensor): string {
  return node === null ? `initializer ${shownName(tensor.name)}` : `a tensor of ${placeOfNode(node)}`;
}
