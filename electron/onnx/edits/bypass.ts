import { concat, encodeField, encodeTextField } from '../../encodings/protobuf/encodeField';
import type { OnnxModel, OnnxNode, OnnxValueType } from '../model/onnxModel';
import { isGraph } from '../scopes/outerOf';
import type { Definition, ScopeIndex, Use } from '../scopes/scopeIndex';
import { typeAndShape } from '../values/elementTypes';
import { storedType } from './constantNode';
import { listed } from './listed';
import type { Needed, NodeSet, Reads } from './nodeSet';
import { placeInGraph, placeOfMention, placeOfUse, shownName } from './places';
import type { PlanDraft } from './planDraft';
import { removeEntries } from './removeStored';
import { sameKnownType } from './valueType';
import { bytesPiece, renameSite } from './wireEdits';

interface Bypass {
  readonly model: OnnxModel;
  readonly index: ScopeIndex;
  readonly set: NodeSet;
  /** Values of the removed nodes that others use. */
  readonly needed: readonly Needed[];
  readonly reads: Reads;
  readonly typeOf: (definition: Definition) => OnnxValueType | null;
}

/**
 * Joins what used the one output of some nodes to their one data input. An output of the graph keeps its name: the node that makes the
 * input then makes it under that name, or, where the input must keep its own, an Identity gives it.
 * @returns the value whose name lives on
 */
export function bypass(draft: PlanDraft, options: Bypass): Definition | null {
  const ends = endsOf(draft, options);
  if (ends === null) return null;
  const { index, set } = options;
  const { input, output, uses } = ends;
  if (!uses.some(({ node }) => node === null)) {
    for (const use of uses) rename(draft, index, { use, to: input });
    return null;
  }
  if (canBeRenamed(index, input, output)) renameInput(draft, { index, set, input, output });
  else insertIdentity(draft, options, ends);
  return output;
}

interface Ends {
  readonly input: Definition;
  readonly output: Definition;
  readonly uses: readonly Use[];
}

function endsOf(draft: PlanDraft, { set, needed, reads, typeOf }: Bypass): Ends | null {
  const refuse = (text: string) => {
    draft.refusals.push(text);
    return null;
  };
  if (new Set(set.nodes.map(({ owner }) => owner)).size > 1) return refuse('The nodes are not all in one graph, so nothing can lead around them.');
  const [out, ...others] = needed;
  if (out === undefined || others.length > 0) {
    return refuse(
      `Others use ${needed.length} of the values that the nodes make (${listed(needed.map(({ definition }) => shownName(definition.name)))}); only one can be led around.`,
    );
  }
  if (reads.undefined.length > 0) return refuse(`Nothing defines ${listed(reads.undefined.map(shownName))}, so what goes in is not known.`);
  const data = reads.values.filter((definition) => storedType(definition) === null);
  const [input, ...more] = data;
  if (input === undefined) return refuse('Nothing but constants goes in, so there is nothing to lead around.');
  if (more.length > 0)
    return refuse(
      `${data.length} values go in (${listed(data.map(({ name }) => shownName(name)))}): which of them should take the place of ${shownName(out.definition.name)} is not known.`,
    );
  const types = { input: typeOf(input), output: typeOf(out.definition) };
  const unknown = [...(isKnown(types.input) ? [] : [input]), ...(isKnown(types.output) ? [] : [out.definition])];
  if (types.input === null || types.output === null || unknown.length > 0) {
    return refuse(
      `The type and shape of ${listed(unknown.map(({ name }) => shownName(name)))} ${unknown.length === 1 ? 'is' : 'are'} not known, so it is not known whether one fits in the place of the other.`,
    );
  }
  if (!sameKnownType(types.input, types.output)) {
    return refuse(
      `${shownName(input.name)} is ${words(types.input)}, but ${shownName(out.definition.name)} is ${words(types.output)}: one does not fit in the place of the other.`,
    );
  }
  return { input, output: out.definition, uses: out.uses };
}

function isKnown(type: OnnxValueType | null): boolean {
  return type !== null && (type.kind !== 'tensor' || (type.elementType !== 0 && type.dims !== null && type.dims.every((dim) => dim !== null)));
}

function words(type: OnnxValueType): string {
  return type.kind === 'tensor' ? typeAndShape(type.elementType, type.dims) : `a ${type.kind}`;
}

/** Makes a place use another value, which must be what the name means there. */
function rename(draft: PlanDraft, index: ScopeIndex, { use, to }: { readonly use: Use; readonly to: Definition }): void {
  const place = placeOfUse(use);
  if (index.resolve(use.owner, to.name) !== to) {
    draft.refusals.push(`${placeInGraph(place, use.owner)} cannot use ${shownName(to.name)}: that name means another value there.`);
    return;
  }
  draft.edits.push(renameSite({ text: use.name, site: use.site }, to.name));
  draft.sites.push({ graph: use.owner.path, place, before: use.name, after: to.name });
}

/** Whether a value may take another name: a node of the same graph makes it, and no caller knows it. */
function canBeRenamed(index: ScopeIndex, input: Definition, output: Definition): boolean {
  const isOwn = input.owner === output.owner && input.kinds.join() === 'node-output';
  const isPlain = index.mentions(input).every(({ kind }) => kind === 'value-info' || kind === 'sharding');
  return isOwn && isPlain && index.uses(input).every(({ node }) => node !== null);
}

function renameInput(
  draft: PlanDraft,
  { index, set, input, output }: { readonly index: ScopeIndex; readonly set: NodeSet; readonly input: Definition; readonly output: Definition },
): void {
  for (const { site, index: at, node } of input.at) {
    draft.edits.push(renameSite({ text: input.name, site }, output.name));
    draft.sites.push({ graph: input.owner.path, place: `node ${node?.index ?? 0} ${node?.op ?? ''}, output ${at}`, before: input.name, after: output.name });
  }
  for (const use of index.uses(input)) if (!set.holds(use)) rename(draft, index, { use, to: output });
  for (const mention of index.mentions(input)) {
    if (mention.kind !== 'sharding' || set.has(mention.node)) continue;
    draft.edits.push(renameSite({ text: mention.name, site: mention.site }, output.name));
    draft.sites.push({ graph: mention.owner.path, place: placeOfMention(mention), before: input.name, after: output.name });
  }
  removeEntries(draft, index, input);
}

function insertIdentity(draft: PlanDraft, { model }: Bypass, { input, output }: Ends): void {
  const { owner, node } = output;
  const opsets = isGraph(owner) ? model.opsets : owner.opsets;
  if (node === null || !opsets.some(({ domain }) => domain === '')) {
    draft.refusals.push(`${shownName(output.name)} is an output of the graph, and the model imports no operators of ONNX, of which Identity would give it.`);
    return;
  }
  const content = concat([encodeTextField(1, input.name), encodeTextField(2, output.name), encodeTextField(4, 'Identity')]);
  const { frame } = node;
  const number = numberOf(owner);
  if (frame.parent !== null) draft.edits.push({ frame: frame.parent, offset: frame.fieldStart, remove: 0, insert: [bytesPiece(encodeField(number, content))] });
  draft.sites.push({ graph: owner.path, place: identityPlace(node), before: '', after: `Identity: ${input.name} → ${output.name}` });
}

function identityPlace({ index }: OnnxNode): string {
  return `in the place of node ${index}`;
}

/** GraphProto.node or FunctionProto.node. */
function numberOf(owner: Definition['owner']): number {
  return isGraph(owner) ? 1 : 7;
}
