import type { OnnxNode } from '../model/onnxModel';
import { isGraph } from '../scopes/outerOf';
import type { Definition, DefinitionSite, Mention, ScopeOwner, Use } from '../scopes/scopeIndex';

/** Names in sentences are cut at this length: a hostile file may have one of many megabytes. */
const SHOWN_CHARACTERS = 200;

/** A name in quotes for a sentence: control characters escaped, long ones cut. */
export function shownName(name: string): string {
  return JSON.stringify(name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name);
}

/** `the main graph`, `graph #12.then_branch`, `function fn:domain.name`. */
export function placeOfGraph(owner: ScopeOwner): string {
  if (owner.path === '') return 'the main graph';
  const path = owner.path.length > SHOWN_CHARACTERS ? `${owner.path.slice(0, SHOWN_CHARACTERS)}…` : owner.path;
  return isGraph(owner) ? `graph ${path}` : `function ${path}`;
}

/** `node 12 Conv "/stem/conv/Conv"`; the name is left out when there is none, the domain when it is ONNX's own. Positions count from 0. */
export function placeOfNode({ index, op, domain, name }: OnnxNode): string {
  const operator = domain === '' ? op : `${domain}.${op}`;
  return `node ${index} ${operator.slice(0, SHOWN_CHARACTERS)}${name === '' ? '' : ` ${shownName(name)}`}`;
}

/** Where a value gets its name: `initializer 3`, `input 0`, `node 12 Conv "/stem/conv/Conv", output 0`. */
export function placeOfDefinition(definition: Definition, at: DefinitionSite): string {
  if (at.node !== null) return `${placeOfNode(at.node)}, output ${at.index}`;
  if (at.kind === 'sparse') return `sparse initializer ${at.index}`;
  if (at.kind === 'initializer') return `initializer ${at.index}`;
  return isGraph(definition.owner) ? `input ${at.index}` : `formal parameter ${at.index}`;
}

/** `initializer 3 "W"`: where a value gets its name, and the name. */
export function namedPlace(definition: Definition, at: DefinitionSite): string {
  return at.node === null ? `${placeOfDefinition(definition, at)} ${shownName(definition.name)}` : placeOfDefinition(definition, at);
}

/** `node 12 Conv "/stem/conv/Conv", input 2`; `output 0 of the graph`. */
export function placeOfUse({ owner, node, input }: Use): string {
  if (node !== null) return `${placeOfNode(node)}, input ${input}`;
  return `output ${input} of the ${isGraph(owner) ? 'graph' : 'function'}`;
}

/** `value_info 7`, `quantization_annotation 0, SCALE_TENSOR`, `training_info 0, update_binding 2, key`. */
export function placeOfMention(mention: Mention): string {
  switch (mention.kind) {
    case 'value-info':
      return `value_info ${mention.index}`;
    case 'annotation':
      return `quantization_annotation ${mention.index}, tensor_name`;
    case 'annotation-parameter':
      return `quantization_annotation ${mention.index}, ${mention.role.slice(0, SHOWN_CHARACTERS)}`;
    case 'indices':
      return `sparse initializer ${mention.index}, name of its indices`;
    case 'sharding':
      return `${placeOfNode(mention.node)}, sharding_spec.tensor_name`;
    case 'binding-key':
      return `training_info ${mention.trainingIndex}, ${mention.binding}_binding ${mention.index}, key`;
    case 'binding-value':
      return `training_info ${mention.trainingIndex}, ${mention.binding}_binding ${mention.index}, value`;
  }
}

/** A place with its graph, where that is not the main one: `initializer 3 of graph #12.then_branch`. */
export function placeInGraph(place: string, owner: ScopeOwner): string {
  return owner.path === '' ? place : `${place} of ${placeOfGraph(owner)}`;
}

/** All places that define a value, each with its graph. */
export function placesOfDefinition(definition: Definition): string[] {
  return definition.at.map((at) => placeInGraph(placeOfDefinition(definition, at), definition.owner));
}
