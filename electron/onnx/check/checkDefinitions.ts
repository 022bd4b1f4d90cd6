import { definedInTraining, definedTwice } from '../edits/locateValue';
import { placeInGraph, placeOfGraph, placesOfDefinition, shownName } from '../edits/places';
import { isGraph, outwards } from '../scopes/outerOf';
import type { Definition, ScopeOwner } from '../scopes/scopeIndex';
import type { CheckContext } from './checkContext';

/** Since this version of the IR a body's initializer must not be its input too, unless the operator allows it. */
const NO_BODY_DEFAULTS = 4;

/** One definition of each name, and what hides a name of a graph around it. */
export function checkDefinitions(context: CheckContext): void {
  const { model, index } = context;
  for (const owner of index.owners) {
    for (const definition of index.definitions(owner)) {
      checkOnce(context, definition);
      if (isGraph(owner) && owner.parent !== null) checkShadow(context, definition);
    }
    checkNames(context, owner);
  }
  for (const { algorithm } of model.training) {
    for (const definition of algorithm === null ? [] : index.definitions(algorithm)) {
      const problem = definedInTraining(model, index, definition);
      if (problem !== null) context.error('single-definition', problem, definition);
    }
  }
}

function checkOnce(context: CheckContext, definition: Definition): void {
  const { owner, node, kinds, name } = definition;
  const problem = definedTwice(definition);
  if (problem !== null) context.error('single-definition', problem, { owner, node });
  if (problem !== null || kinds.length === 1 || !isGraph(owner) || owner.parent === null || context.model.irVersion < NO_BODY_DEFAULTS) return;
  const holder = owner.parent.graph.nodes[owner.parent.node];
  const text = `${shownName(name)} is an input and an initializer of ${placeOfGraph(owner)}, which only the main graph may have`;
  if (holder?.domain === '') context.error('initializer-input', `${text}.`, { owner });
  else context.warn('initializer-input', `${text} unless the operator allows it.`, { owner });
}

/** Outputs of nodes must differ from every name that is visible; inputs and initializers that hide one are read in more than one way. */
function checkShadow(context: CheckContext, definition: Definition): void {
  const { owner, name, node } = definition;
  const outer = visibleOutside(context, owner, name);
  if (outer === null) return;
  const text = `${shownName(name)}, ${placesOfDefinition(definition).join(', ')}, hides that of ${placeOfGraph(outer.owner)}`;
  if (node !== null) context.error('shadowing', `${text}: the output of a node must differ from every name around it.`, { owner, node });
  else context.warn('shadowing', `${text}: readers do not agree on which of them is meant.`, { owner });
}

/** The nearest value of that name that is there when the body runs. */
function visibleOutside({ model, index }: CheckContext, owner: ScopeOwner, name: string): Definition | null {
  let inside = owner;
  for (const outer of outwards(model, owner)) {
    const holder = isGraph(inside) ? inside.parent : null;
    const definition = index.definition(outer, name);
    // What the node that holds the body makes, or a later one, is not there yet.
    const isLater = definition !== null && holder !== null && definition.at.every(({ node }) => node !== null && node.index >= holder.node);
    if (definition !== null && !isLater) return definition;
    inside = outer;
  }
  return null;
}

/** What must have a name. */
function checkNames(context: CheckContext, owner: ScopeOwner): void {
  const nameless = (what: string) => context.error('names', `${placeInGraph(what, owner)} has no name.`, { owner });
  if (!isGraph(owner)) {
    if (owner.name === '') nameless('A function');
    return;
  }
  if (owner.name === '') context.warn('names', `${capitalised(placeOfGraph(owner))} has no name, which the specification asks for.`, { owner });
  for (const [i, { name }] of owner.inputs.entries()) if (name === '') nameless(`Input ${i}`);
  for (const [i, { name }] of owner.outputs.entries()) if (name === '') nameless(`Output ${i}`);
  for (const [i, { name }] of owner.initializers.entries()) if (name === '') nameless(`Initializer ${i}`);
  for (const [i, { values }] of owner.sparse.entries()) if (values?.name === '') nameless(`Sparse initializer ${i}`);
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
