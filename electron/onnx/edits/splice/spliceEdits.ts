import { type Piece, pieceLength } from '../../../bytes/pieces';
import { encodeTextField } from '../../../encodings/protobuf/encodeField';
import type { Frame, WireEdit } from '../../../encodings/protobuf/frame';
import type { OnnxFunction, OnnxModel, OnnxNode, OnnxTensor } from '../../model/onnxModel';
import { tensorsOfNode } from '../allTensors';
import { bodiesOf } from '../nodeSet';
import { shownName } from '../places';
import type { PlanDraft } from '../planDraft';
import { payloadOf } from '../planInline';
import { replaceValue } from '../tensorFields';
import { bytesPiece, fieldPieces, patchedContent, renameSite, replaceSite } from '../wireEdits';
import { calledFunction } from './splicedPart';
import { allNodes } from './spliceNames';
import type { Side, SplicedNames, SplicedPart, SpliceOptions } from './spliceTypes';

const RAW_DATA = 9;

/** Gives messages of the other model as they are in this one. */
export class SplicedContent {
  private readonly edits: readonly WireEdit[];

  constructor(
    draft: PlanDraft,
    { other, part, names }: { readonly other: Side; readonly part: SplicedPart; readonly names: SplicedNames },
    private readonly options: SpliceOptions,
  ) {
    const nodes = allNodes(part.set.nodes.map(({ node }) => node));
    const called = part.functions.flatMap((func) => allNodes(func.nodes));
    this.edits = [
      ...valueEdits(other, names),
      ...nodeEdits(nodes, names),
      ...functionEdits(other.model, [...nodes, ...called], names.functions),
      ...payloadEdits(draft, tensorsOf(part, nodes, called), options),
    ].sort((a, b) => a.offset - b.offset);
  }

  /** The content of a message with all new names, as pieces that do not depend on which file they are put into. */
  of(frame: Frame): Piece[] {
    const inside = this.edits.slice(this.firstFrom(frame.start), this.firstFrom(frame.end));
    return patchedContent(frame, inside).map((piece) => this.fromOther(piece));
  }

  private fromOther(piece: Piece): Piece {
    if (piece.kind !== 'copy') return piece;
    const { otherFile } = this.options;
    return typeof otherFile === 'string'
      ? { kind: 'file', path: otherFile, offset: piece.offset, length: piece.length }
      : otherFile(piece.offset, pieceLength(piece));
  }

  /** Position of the first edit at or behind an offset. */
  private firstFrom(offset: number): number {
    let low = 0;
    let high = this.edits.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.edits[middle]?.offset ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Every place that names a value which is called otherwise here; those outside of the piece are never copied. */
function* valueEdits({ index }: Side, { values }: SplicedNames): Generator<WireEdit> {
  for (const [definition, to] of values) {
    if (definition.name === to) continue;
    const places = [...definition.at, ...index.uses(definition), ...index.mentions(definition)];
    for (const { site } of places) yield renameSite({ text: definition.name, site }, to);
  }
}

function* nodeEdits(nodes: readonly OnnxNode[], { nodes: names }: SplicedNames): Generator<WireEdit> {
  for (const { name, nameSite } of nodes) {
    const to = names.get(name);
    if (to !== undefined && nameSite !== null) yield renameSite({ text: name, site: nameSite }, to);
  }
}

function* functionEdits(model: OnnxModel, nodes: readonly OnnxNode[], names: ReadonlyMap<OnnxFunction, string>): Generator<WireEdit> {
  for (const [func, to] of names)
    if (func.name !== to && func.nameSite !== null) yield replaceSite(func.nameSite, [bytesPiece(encodeTextField(func.nameSite.number, to))]);
  for (const node of nodes) {
    const func = calledFunction(model, node);
    const to = func === null ? undefined : names.get(func);
    if (to !== undefined && to !== node.op && node.opSite !== null) yield replaceSite(node.opSite, [bytesPiece(encodeTextField(node.opSite.number, to))]);
  }
}

function tensorsOf({ stored }: SplicedPart, nodes: readonly OnnxNode[], called: readonly OnnxNode[]): OnnxTensor[] {
  const inBodies = nodes.flatMap((node) => [...bodiesOf(node)].flatMap((body) => body.initializers));
  const kept = stored.flatMap(({ tensor }) => (tensor === null ? [] : [tensor]));
  return [...new Set([...kept, ...inBodies, ...[...nodes, ...called].flatMap(tensorsOfNode)])];
}

/** Values in files beside the other model come into this one: the same name may be another file here. */
function payloadEdits(draft: PlanDraft, tensors: readonly OnnxTensor[], { payload }: SpliceOptions): WireEdit[] {
  const edits: WireEdit[] = [];
  for (const tensor of tensors) {
    if (tensor.external === null) continue;
    const bytes = payload === undefined ? 'its file is not at hand.' : payloadOf(tensor, payload);
    if (typeof bytes === 'string')
      draft.refusals.push(`The value of ${shownName(tensor.name)} is in the file ${shownName(tensor.external.location)} beside the other model: ${bytes}`);
    else edits.push(...replaceValue(tensor, pieceLength(bytes) === 0 ? [] : fieldPieces(RAW_DATA, [bytes])));
  }
  return edits;
}
