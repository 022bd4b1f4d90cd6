import type { NodeAddress } from '../../../shared/model/graphEdit';
import type { OnnxModel, OnnxNode, OnnxValueType } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import type { Definition, ScopeIndex } from '../scopes/scopeIndex';
import { bypass } from './bypass';
import { isConstant } from './constantNode';
import type { EditPlan } from './editPlan';
import { counted, listed } from './listed';
import { type Needed, type NodeSet, nodeSet, outputsOf, readsOf } from './nodeSet';
import { placeInGraph, placeOfMention, placeOfNode, placeOfUse, shownName } from './places';
import { LAST_IR_WITH_INPUTS } from './planAddInitializer';
import { finish, newDraft, type PlanDraft } from './planDraft';
import { removeEntries, removeStored } from './removeStored';
import { valueType } from './valueType';
import { removeMessage } from './wireEdits';

export interface RemoveNodesOptions {
  readonly nodes: readonly NodeAddress[];
  /** What used the one output takes the one data input instead; only where their types are known and equal. */
  readonly bypass: boolean;
  /** Better knowledge of types than the model's own, such as shape inference. */
  readonly typeOf?: ((definition: Definition) => OnnxValueType | null) | undefined;
}

/**
 * Takes nodes out of the model, with initializers and constants that nothing else uses. Refused while others use what they make, who is
 * listed, unless `bypass` can join them to what went in.
 */
export function planRemoveNodes(model: OnnxModel, options: RemoveNodesOptions, index: ScopeIndex = indexScopes(model)): EditPlan {
  const draft = newDraft('');
  const set = nodeSet(draft, index, options.nodes);
  const [first, ...others] = set.nodes;
  draft.title = others.length === 0 && first !== undefined ? `Remove ${placeOfNode(first.node)}` : `Remove ${set.nodes.length} nodes`;
  if (first === undefined && draft.refusals.length === 0) draft.refusals.push('No node is named.');
  if (draft.refusals.length > 0) return finish(draft);
  const outputs = outputsOf(index, set);
  const needed = outputs
    .map((definition) => ({ definition, uses: index.uses(definition).filter((use) => !set.holds(use)) }))
    .filter(({ uses }) => uses.length > 0);
  const reads = readsOf(index, set);
  const typeOf = options.typeOf ?? ((definition: Definition) => valueType(index, definition));
  /** Values whose name lives on, given to another value. */
  let kept: Definition | null = null;
  if (options.bypass && needed.length > 0) kept = bypass(draft, { model, index, set, needed, reads, typeOf });
  else for (const each of needed) draft.refusals.push(refusedRemoval(each));
  refuseMentioned(draft, index, outputs);
  if (draft.refusals.length > 0) return finish(draft);
  for (const { owner, node } of set.nodes) removeNode(draft, owner.path, node);
  for (const definition of outputs) if (definition !== kept) removeEntries(draft, index, definition);
  for (const definition of reads.values) removeUnused(draft, { model, index, set, outputs }, definition);
  return finish(draft);
}

function refusedRemoval({ definition, uses }: Needed): string {
  const places = uses.map((use) => placeInGraph(placeOfUse(use), use.owner));
  const maker = definition.node === null ? '' : ` of ${placeOfNode(definition.node)}`;
  return `${shownName(definition.name)}${maker} is used at ${counted(uses.length, 'place')}: ${listed(places)}.`;
}

function refuseMentioned(draft: PlanDraft, index: ScopeIndex, outputs: readonly Definition[]): void {
  for (const definition of outputs) {
    for (const mention of index.mentions(definition)) {
      if (mention.kind !== 'annotation-parameter' && mention.kind !== 'binding-key' && mention.kind !== 'binding-value') continue;
      draft.refusals.push(`${shownName(definition.name)} is named by ${placeInGraph(placeOfMention(mention), mention.owner)}.`);
    }
  }
}

function removeNode(draft: PlanDraft, graph: string, node: OnnxNode): void {
  const names = (sites: readonly { readonly text: string }[]) => sites.map(({ text }) => (text === '' ? '–' : text)).join(', ');
  draft.edits.push(removeMessage(node.frame));
  draft.sites.push({ graph, place: placeOfNode(node), before: `${names(node.inputs)} → ${names(node.outputs)}`, after: 'removed' });
}

interface Removal {
  readonly model: OnnxModel;
  readonly index: ScopeIndex;
  readonly set: NodeSet;
  readonly outputs: readonly Definition[];
}

/** An initializer or a Constant goes when only the removed nodes used it. */
function removeUnused(draft: PlanDraft, { model, index, set, outputs }: Removal, definition: Definition): void {
  const { kinds, node } = definition;
  const isStored = kinds.some((kind) => kind === 'initializer' || kind === 'sparse');
  if (!isStored && !(node !== null && isConstant(node))) return;
  if (!index.uses(definition).every((use) => set.holds(use))) return;
  if (index.mentions(definition).some((mention) => keeps(mention.kind) && !goesWith(index, mention, outputs))) return;
  if (isStored && kinds.includes('input') && model.irVersion > LAST_IR_WITH_INPUTS) {
    draft.warnings.push(`${shownName(definition.name)} is no longer used; it stays, because it is an input that callers may give.`);
  } else if (isStored) removeStored(draft, index, definition);
  else if (node !== null) {
    removeNode(draft, definition.owner.path, node);
    removeEntries(draft, index, definition);
  }
}

function keeps(kind: string): boolean {
  return kind === 'annotation-parameter' || kind === 'binding-key' || kind === 'binding-value';
}

/** Whether a mention is in an annotation of a value that goes as well. */
function goesWith(index: ScopeIndex, mention: ReturnType<ScopeIndex['mentions']>[number], outputs: readonly Definition[]): boolean {
  if (mention.kind !== 'annotation-parameter') return false;
  const about = mention.owner.annotations[mention.index]?.tensor?.text;
  const definition = about === undefined ? null : index.resolve(mention.owner, about);
  return definition !== null && outputs.includes(definition);
}
