import type { Piece } from '../../bytes/pieces';
import type { Frame, WireEdit } from '../../encodings/protobuf/frame';
import type { OnnxModel, OnnxNode, OnnxValueType } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import { isGraph } from '../scopes/outerOf';
import type { Definition } from '../scopes/scopeIndex';
import { elementTypeName, typeAndShape } from '../values/elementTypes';
import { storedType } from './constantNode';
import type { EditPlan } from './editPlan';
import { raiseIrVersion } from './irVersion';
import { counted, listed } from './listed';
import { outputsOf } from './nodeSet';
import { placeInGraph, placeOfMention, placeOfNode, placeOfUse, shownName } from './places';
import { LAST_IR_WITH_INPUTS } from './planAddInitializer';
import { finish, newDraft, type PlanDraft, refuseTooLong } from './planDraft';
import { neededIr } from './splice/neededIr';
import { joinOpsets } from './splice/opsets';
import { splicedPart } from './splice/splicedPart';
import { SplicedContent } from './splice/spliceEdits';
import { spliceNames } from './splice/spliceNames';
import { splicePlace } from './splice/splicePlace';
import type { Side, SplicedNames, SplicedPart, SpliceOptions } from './splice/spliceTypes';
import { valueInfoContent } from './tensorFields';
import { valueType } from './valueType';
import { appendTo, bytesPiece, fieldPieces, patchedContent, removeMessage, renameSite } from './wireEdits';

export type { SpliceOptions } from './splice/spliceTypes';

/** Fields of GraphProto and ModelProto. */
const NODE = 1;
const INITIALIZER = 5;
const INPUT = 11;
const VALUE_INFO = 13;
const ANNOTATION = 14;
const SPARSE = 15;
const FUNCTION = 25;

interface Splice {
  readonly draft: PlanDraft;
  readonly here: Side;
  readonly other: Side;
  readonly part: SplicedPart;
  readonly names: SplicedNames;
  readonly content: SplicedContent;
}

/**
 * Puts nodes of another model's main graph into this one's: with the initializers and constants that they need, the functions that they call,
 * and what the other model says about types and quantization. Names that are taken get a number; operators must mean the same in both models.
 * Bytes of the other model are copied from its file, never read here.
 */
export function planSplice(model: OnnxModel, otherModel: OnnxModel, options: SpliceOptions): EditPlan {
  const draft = newDraft(`Splice ${counted(options.nodes.length, 'node')} from another model`);
  const here: Side = { model, index: indexScopes(model) };
  const other: Side = { model: otherModel, index: indexScopes(otherModel) };
  const part = splicedPart(draft, { here, other }, options);
  if (draft.refusals.length > 0) return finish(draft);
  const names = spliceNames(draft, { here, other }, part);
  const content = new SplicedContent(draft, { other, part, names }, options);
  const splice: Splice = { draft, here, other, part, names, content };
  checkTypes(splice);
  joinOpsets(draft, { model, other: otherModel }, part);
  const place = splicePlace(draft, here, part);
  if (draft.refusals.length > 0) return finish(draft);
  const rewired = rewire(splice);
  insertNodes(splice, { ...place, rewired });
  addStored(splice);
  addEntries(splice);
  addFunctions(splice);
  raiseIrVersion(draft, model, neededIr(part));
  if (part.replaced.size === 0) draft.warnings.push('Nothing in the model uses what the new nodes give.');
  refuseTooLong(model, draft);
  return finish(draft);
}

function checkTypes({ draft, here, other, part }: Splice): void {
  for (const [from, to] of part.connected)
    checkPair(draft, { name: from.name, type: valueType(other.index, from) }, { name: to.name, type: valueType(here.index, to) });
  for (const [from, to] of part.replaced)
    checkPair(draft, { name: from.name, type: valueType(other.index, from) }, { name: to.name, type: valueType(here.index, to) });
}

interface Typed {
  readonly name: string;
  readonly type: OnnxValueType | null;
}

/** Element types must agree where they are known; shapes may be meant to differ. */
function checkPair(draft: PlanDraft, there: Typed, here: Typed): void {
  const [a, b] = [there.type, here.type];
  if (a === null || b === null) return;
  const kinds = a.kind !== b.kind && a.kind !== 'unknown' && b.kind !== 'unknown';
  if (kinds || (a.elementType !== b.elementType && a.elementType !== 0 && b.elementType !== 0)) {
    const words = (type: OnnxValueType) => (type.kind === 'tensor' ? elementTypeName(type.elementType) : `a ${type.kind}`);
    draft.refusals.push(`${shownName(there.name)} is ${words(a)} in the other model, but ${shownName(here.name)} is ${words(b)} in this one.`);
    return;
  }
  if (a.dims === null || b.dims === null) return;
  const differ =
    a.dims.length !== b.dims.length || a.dims.some((dim, axis) => typeof dim === 'number' && typeof b.dims?.[axis] === 'number' && dim !== b.dims[axis]);
  if (differ)
    draft.warnings.push(
      `${shownName(there.name)} is ${typeAndShape(a.elementType, a.dims)} in the other model, but ${shownName(here.name)} is ${typeAndShape(b.elementType, b.dims)} in this one.`,
    );
}

/** Makes consumers take what the piece gives. An output of the graph keeps its name, and what made it so far makes it under another. */
function rewire({ draft, here, part, names }: Splice): WireEdit[] {
  const edits: WireEdit[] = [];
  for (const [output, value] of part.replaced) {
    const moved = names.moved.get(value);
    const to = names.values.get(output) ?? output.name;
    const uses = moved === undefined ? here.index.uses(value) : [];
    for (const use of uses) {
      edits.push(renameSite({ text: use.name, site: use.site }, to));
      draft.sites.push({ graph: use.owner.path, place: placeOfUse(use), before: use.name, after: to });
    }
    if (moved !== undefined) edits.push(...renameMaker(draft, here, { value, to: moved }));
    const left = moved === undefined && value.node !== null ? placeOfNode(value.node) : null;
    if (left !== null && !usedByPiece(part, value)) draft.warnings.push(`Nothing uses ${shownName(value.name)} of ${left} any more.`);
  }
  return edits;
}

function renameMaker(draft: PlanDraft, { index }: Side, { value, to }: { readonly value: Definition; readonly to: string }): WireEdit[] {
  const edits: WireEdit[] = [];
  for (const { site, node, index: at } of value.at) {
    edits.push(renameSite({ text: value.name, site }, to));
    draft.sites.push({ graph: '', place: `${node === null ? 'input' : placeOfNode(node)}, output ${at}`, before: value.name, after: to });
  }
  for (const mention of index.mentions(value)) {
    const follows = mention.kind === 'annotation' || (mention.kind === 'sharding' && mention.node === value.node);
    if (!follows) continue;
    edits.push(renameSite({ text: mention.name, site: mention.site }, to));
    draft.sites.push({ graph: mention.owner.path, place: placeInGraph(placeOfMention(mention), mention.owner), before: value.name, after: to });
  }
  return edits;
}

function usedByPiece({ connected }: SplicedPart, value: Definition): boolean {
  return [...connected.values()].includes(value);
}

/** Writes the piece and, behind it, nodes that must come after it; all other changes of nodes stay where they are. */
function insertNodes(
  splice: Splice,
  { position, moved, rewired }: { readonly position: number; readonly moved: readonly OnnxNode[]; readonly rewired: readonly WireEdit[] },
): void {
  const { draft, here, part, content } = splice;
  const { graph } = here.model;
  const lies = (frame: Frame, edit: WireEdit) => edit.offset >= frame.start && edit.offset < frame.end;
  const pieces: Piece[] = [];
  for (const [count, { node }] of part.set.nodes.entries()) {
    pieces.push(...fieldPieces(NODE, content.of(node.frame)));
    draft.sites.push({ graph: '', place: `node ${position - moved.length + count}`, before: '', after: wordsOfNode(splice, node) });
  }
  for (const node of moved) {
    pieces.push(
      ...fieldPieces(
        NODE,
        patchedContent(
          node.frame,
          rewired.filter((edit) => lies(node.frame, edit)),
        ),
      ),
    );
    draft.edits.push(removeMessage(node.frame));
    draft.sites.push({ graph: '', place: placeOfNode(node), before: 'in front of the new nodes', after: 'behind them' });
  }
  draft.edits.push(...rewired.filter((edit) => !moved.some(({ frame }) => lies(frame, edit))));
  const next = graph.nodes[position]?.frame.fieldStart;
  const last = graph.nodes.at(-1)?.frame.end ?? graph.frame.end;
  draft.edits.push({ frame: graph.frame, offset: next ?? last, remove: 0, insert: pieces });
}

function wordsOfNode({ other, names }: Splice, { op, name, inputs, outputs }: OnnxNode): string {
  const nameOf = (text: string) => {
    const definition = text === '' ? null : other.index.resolve('', text);
    return definition === null ? '–' : (names.values.get(definition) ?? text);
  };
  const list = (sites: OnnxNode['inputs']) => sites.map(({ text }) => nameOf(text)).join(', ');
  const shown = name === '' ? '' : ` ${shownName(names.nodes.get(name) ?? name)}`;
  return `${op}${shown}: ${list(inputs)} → ${list(outputs)}`;
}

function addStored({ draft, here, part, names, content }: Splice): void {
  const { graph, irVersion } = here.model;
  const isInput = irVersion > 0 && irVersion <= LAST_IR_WITH_INPUTS;
  const overridden: string[] = [];
  for (const definition of part.stored) {
    const { owner } = definition;
    const name = names.values.get(definition) ?? definition.name;
    const type = storedType(definition);
    const words = type === null ? '' : typeAndShape(type.type, type.dims);
    for (const { kind, index, tensor } of definition.at) {
      const frame = kind === 'sparse' && isGraph(owner) ? owner.sparse[index]?.frame : kind === 'initializer' ? tensor?.frame : undefined;
      if (kind === 'input') overridden.push(shownName(definition.name));
      if (frame === undefined) continue;
      draft.edits.push(appendTo(graph.frame, fieldPieces(kind === 'sparse' ? SPARSE : INITIALIZER, content.of(frame))));
      draft.sites.push({ graph: '', place: `${kind === 'sparse' ? 'sparse initializer' : 'initializer'} ${shownName(name)}`, before: '', after: words });
    }
    if (!isInput || type === null) continue;
    draft.edits.push(appendTo(graph.frame, fieldPieces(INPUT, [bytesPiece(valueInfoContent(name, type))])));
    draft.sites.push({ graph: '', place: `input ${shownName(name)}`, before: '', after: words });
  }
  if (overridden.length > 0 && !isInput) draft.warnings.push(`Callers of the other model may override ${listed(overridden)}; callers of this one will not.`);
}

/** What the other model says about types and quantization of what comes from it. */
function addEntries(splice: Splice): void {
  const { draft, here, other, part, names, content } = splice;
  const { graph } = here.model;
  const given = new Set(outputsOf(other.index, part.set));
  for (const definition of [...part.stored, ...given]) {
    const name = names.values.get(definition) ?? definition.name;
    const frames = other.index
      .mentions(definition)
      .flatMap((mention) => (mention.kind === 'value-info' && mention.owner === other.model.graph ? [mention.site.frame] : []));
    for (const use of other.index.uses(definition)) {
      const info = use.node === null && use.owner === other.model.graph ? other.model.graph.outputs[use.input] : undefined;
      if (info !== undefined && frames.length === 0) frames.push(info.frame);
    }
    // The graph's own entry of an output says what its callers rely on.
    if (!graph.outputs.some((output) => output.name === name))
      addAll(draft, graph.frame, { number: VALUE_INFO, frames, content, place: `value_info ${shownName(name)}` });
    for (const mention of other.index.mentions(definition)) {
      if (mention.kind !== 'annotation') continue;
      const { index, site } = mention;
      const parameters = other.model.graph.annotations[index]?.parameters ?? [];
      const missing = parameters.filter(({ name: each }) => each !== null && !names.values.has(other.index.definition('', each.text) ?? definition));
      if (missing.length > 0)
        draft.warnings.push(
          `The quantization annotation of ${shownName(definition.name)} stays behind: it names ${listed(missing.map(({ name: each }) => shownName(each?.text ?? '')))}, which nothing here has.`,
        );
      else addAll(draft, graph.frame, { number: ANNOTATION, frames: [site.frame], content, place: `quantization_annotation of ${shownName(name)}` });
    }
  }
}

function addAll(
  draft: PlanDraft,
  into: Frame,
  { number, frames, content, place }: { readonly number: number; readonly frames: readonly Frame[]; readonly content: SplicedContent; readonly place: string },
): void {
  for (const frame of frames) {
    draft.edits.push(appendTo(into, fieldPieces(number, content.of(frame))));
    draft.sites.push({ graph: '', place, before: '', after: 'added' });
  }
}

function addFunctions({ draft, here, part, names, content }: Splice): void {
  for (const func of part.functions) {
    draft.edits.push(appendTo(here.model.frame, fieldPieces(FUNCTION, content.of(func.frame))));
    const name = names.functions.get(func) ?? func.name;
    draft.sites.push({ graph: '', place: `function ${func.domain}.${name}`, before: '', after: counted(func.nodes.length, 'node') });
  }
}
