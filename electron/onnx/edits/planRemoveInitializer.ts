import type { ValueAddress } from '../../../shared/model/graphEdit';
import type { OnnxModel } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import type { Definition, ScopeIndex } from '../scopes/scopeIndex';
import { storedType } from './constantNode';
import type { EditPlan } from './editPlan';
import { counted, listed } from './listed';
import { definedTwice, locateValue } from './locateValue';
import { placeInGraph, placeOfMention, placeOfUse, shownName } from './places';
import { finish, newDraft } from './planDraft';
import { removeStored } from './removeStored';

/** Takes an initializer out of the model. Refused while anything uses it; who does is listed. */
export function planRemoveInitializer(model: OnnxModel, address: ValueAddress, index: ScopeIndex = indexScopes(model)): EditPlan {
  const draft = newDraft(`Remove the initializer ${shownName(address.name)}`);
  const definition = locateValue(index, address);
  const problem = typeof definition === 'string' ? definition : definedTwice(definition);
  if (problem !== null) draft.refusals.push(problem);
  if (problem !== null || typeof definition === 'string') return finish(draft);
  if (!definition.kinds.some((kind) => kind === 'initializer' || kind === 'sparse')) {
    const isConstant = storedType(definition) !== null;
    draft.refusals.push(`${shownName(address.name)} is no initializer${isConstant ? ' but a Constant: remove its node' : ''}.`);
    return finish(draft);
  }
  const consumers = consumersOf(index, definition);
  if (consumers.length > 0) draft.refusals.push(`${shownName(address.name)} is used at ${counted(consumers.length, 'place')}: ${listed(consumers)}.`);
  if (definition.kinds.includes('input')) {
    draft.warnings.push(`${shownName(address.name)} is also an input of the graph, which goes with it: callers that give it will fail.`);
  }
  removeStored(draft, index, definition);
  return finish(draft);
}

/** Every place that needs a value, in words. An entry of value_info or an annotation of the value itself does not need it. */
export function consumersOf(index: ScopeIndex, definition: Definition): string[] {
  const uses = index.uses(definition).map((use) => placeInGraph(placeOfUse(use), use.owner));
  const mentions = index.mentions(definition).filter(({ kind }) => kind === 'annotation-parameter' || kind === 'binding-key' || kind === 'binding-value');
  return [...uses, ...mentions.map((mention) => placeInGraph(placeOfMention(mention), mention.owner))];
}
