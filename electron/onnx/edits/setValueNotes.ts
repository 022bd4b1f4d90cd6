import type { OnnxValueInfo } from '../model/onnxModel';
import { isGraph } from '../scopes/outerOf';
import type { Definition, Mention, ScopeIndex, ScopeOwner } from '../scopes/scopeIndex';
import { typeAndShape } from '../values/elementTypes';
import type { TypeAndShape } from './constantNode';
import { decidesShape, downstreamOf } from './downstream';
import { counted, listed } from './listed';
import { placeOfGraph, placeOfNode, shownName } from './places';
import type { PlanDraft } from './planDraft';
import { replaceType } from './tensorFields';
import { removeMessage } from './wireEdits';

/** Says who else is touched by a new value. */
export function noteUses(draft: PlanDraft, index: ScopeIndex, definition: Definition): void {
  const { name, kinds } = definition;
  const shown = shownName(name);
  const uses = index.uses(definition);
  const graphs = new Set(uses.map(({ owner }) => owner));
  if (uses.length === 0) draft.warnings.push(`Nothing in the model uses ${shown}.`);
  if (graphs.size > 1) draft.warnings.push(`${shown} is used in ${graphs.size} graphs, which all get the new value.`);
  if (kinds.includes('input')) draft.warnings.push(`${shown} is also an input of the graph: the new value is its default, and a caller may override it.`);
  if (uses.some(({ node }) => node === null)) draft.warnings.push(`${shown} is an output of its graph, which gives the new value.`);
  const others = index.named(name).filter((other) => other !== definition && nested(other.owner, definition.owner));
  if (others.length > 0) {
    draft.warnings.push(
      `${shown} is ${others.length + 1} values: ${listed(others.map(({ owner }) => placeOfGraph(owner)))} ${others.length === 1 ? 'has' : 'have'} one of that name too, which is not set.`,
    );
  }
  for (const mention of index.mentions(definition)) {
    if (mention.kind === 'annotation') draft.warnings.push(`${shown} has a quantization annotation: its scale and zero point may no longer fit the new value.`);
    if (mention.kind === 'annotation-parameter')
      draft.warnings.push(`${shown} is the ${mention.role} of another tensor's quantization: what is stored for that may no longer fit.`);
    if (mention.kind === 'binding-key') draft.warnings.push(`Training updates ${shown}: the new value is where it starts from.`);
  }
}

/** Whether one graph lies inside the other. */
function nested(a: ScopeOwner, b: ScopeOwner): boolean {
  const inside = (inner: ScopeOwner, outer: ScopeOwner) => {
    for (let at = inner; isGraph(at) && at.parent !== null; at = at.parent.graph) if (at.parent.graph === outer) return true;
    return false;
  };
  return inside(a, b) || inside(b, a);
}

interface Change {
  readonly index: ScopeIndex;
  readonly definition: Definition;
  readonly value: TypeAndShape;
  /** Whether type or shape are others than before. */
  readonly changes: boolean;
  readonly allowChange: boolean;
}

/** Makes what the model says about types agree with a new value: its own entries follow, those that may depend on it are dropped. */
export function updateTypes(draft: PlanDraft, change: Change): void {
  const { index, definition, changes } = change;
  updateInput(draft, change);
  const uses = index.uses(definition);
  const mentions = index.mentions(definition);
  if (changes) {
    for (const { owner, info, kind } of ownEntries(definition, index)) {
      if (!agrees(info, change.value)) rewrite(draft, { path: owner, info, kind, value: change.value });
    }
    if (mentions.some(({ kind }) => kind === 'sharding'))
      draft.warnings.push(`${shownName(definition.name)} is sharded over devices: its new shape must still divide by the shards.`);
    dropStale(draft, index, { definitions: without(downstreamOf(index, uses), definition), because: 'the type or shape of' });
    return;
  }
  const deciding = uses.filter(decidesShape);
  if (deciding.length > 0) {
    draft.warnings.push(
      `The value itself decides the shape of what ${listed(deciding.flatMap(({ node }) => (node === null ? [] : [placeOfNode(node)])))} gives.`,
    );
    dropStale(draft, index, { definitions: without(downstreamOf(index, deciding), definition), because: 'the value of' });
  }
}

/** A loop may lead back to the value itself, whose own entries were seen to. */
function without(definitions: ReadonlySet<Definition>, own: Definition): readonly Definition[] {
  return [...definitions].filter((definition) => definition !== own);
}

function updateInput(draft: PlanDraft, { definition, value, changes, allowChange }: Change): void {
  const { owner, name } = definition;
  if (!isGraph(owner)) return;
  for (const { kind, index } of definition.at) {
    const info = kind === 'input' ? owner.inputs[index] : undefined;
    if (info === undefined || agrees(info, value)) continue;
    if (changes || allowChange) rewrite(draft, { path: owner.path, info, kind: 'input', value });
    else {
      draft.warnings.push(
        `The input ${shownName(name)} says ${typeOf(info)}, but its default value is ${typeAndShape(value.type, value.dims)}; allow a change of type to make the input agree.`,
      );
    }
  }
}

function* ownEntries(definition: Definition, index: ScopeIndex): Generator<{ readonly owner: string; readonly info: OnnxValueInfo; readonly kind: string }> {
  for (const mention of index.mentions(definition)) {
    const info = infoOf(mention);
    if (info !== undefined) yield { owner: mention.owner.path, info, kind: 'value_info' };
  }
  for (const { owner, node, input } of index.uses(definition)) {
    const info = node === null && isGraph(owner) ? owner.outputs[input] : undefined;
    if (info !== undefined) yield { owner: owner.path, info, kind: 'output' };
  }
}

function infoOf(mention: Mention): OnnxValueInfo | undefined {
  return mention.kind === 'value-info' ? mention.owner.valueInfos[mention.index] : undefined;
}

/** Whether an entry allows a type: names and gaps among its extents stand for any. */
function agrees({ type }: OnnxValueInfo, value: TypeAndShape): boolean {
  if (type === null) return true;
  if (type.kind !== 'tensor' || (type.elementType !== 0 && type.elementType !== value.type)) return false;
  const { dims } = type;
  return dims === null || (dims.length === value.dims.length && dims.every((dim, axis) => typeof dim !== 'number' || dim === value.dims[axis]));
}

function rewrite(
  draft: PlanDraft,
  { path, info, kind, value }: { readonly path: string; readonly info: OnnxValueInfo; readonly kind: string; readonly value: TypeAndShape },
): void {
  draft.edits.push(replaceType(info, value));
  draft.sites.push({ graph: path, place: `${kind} ${shownName(info.name)}`, before: typeOf(info), after: typeAndShape(value.type, value.dims) });
  if (kind !== 'value_info' && path === '') draft.warnings.push(`The type of the model's ${kind} ${shownName(info.name)} changes, which its callers see.`);
}

function dropStale(
  draft: PlanDraft,
  index: ScopeIndex,
  { definitions, because }: { readonly definitions: readonly Definition[]; readonly because: string },
): void {
  const outputs: string[] = [];
  let dropped = 0;
  for (const definition of definitions) {
    for (const mention of index.mentions(definition)) {
      const info = infoOf(mention);
      if (info === undefined) continue;
      draft.edits.push(removeMessage(info.frame));
      draft.sites.push({
        graph: mention.owner.path,
        place: `value_info ${shownName(info.name)}`,
        before: typeOf(info),
        after: 'removed: it may no longer be right',
      });
      dropped++;
    }
    if (index.uses(definition).some(({ node }) => node === null)) outputs.push(shownName(definition.name));
  }
  if (dropped > 0)
    draft.warnings.push(
      `${counted(dropped, 'value_info entry', 'value_info entries')} downstream may depend on ${because} the old value and ${dropped === 1 ? 'is' : 'are'} removed; shape inference makes new ones.`,
    );
  if (outputs.length > 0) draft.warnings.push(`What the graph says about the type of its outputs ${listed(outputs)} may no longer be right.`);
}

function typeOf({ type }: OnnxValueInfo): string {
  if (type === null) return 'no type';
  return type.kind === 'tensor' ? typeAndShape(type.elementType, type.dims) : type.kind;
}
