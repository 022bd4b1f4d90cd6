import type { ValueAddress } from '../../../shared/model/graphEdit';
import type { OnnxModel } from '../model/onnxModel';
import type { Definition, ScopeIndex } from '../scopes/scopeIndex';
import { listed } from './listed';
import { placeInGraph, placeOfGraph, placesOfDefinition, shownName } from './places';

/** The one value that an address means, or why there is none, in a sentence. */
export function locateValue(index: ScopeIndex, { graph, name }: ValueAddress): Definition | string {
  if (name === '') return 'An empty name is an optional input that is left out: it is no value.';
  const [owner, ...others] = index.ownersAt(graph);
  if (owner === undefined) return `The model has no graph ${shownName(graph)}.`;
  if (others.length > 0) return `${others.length + 1} graphs of the model have the path ${shownName(graph)}, so that ${shownName(name)} is not one value.`;
  const definition = index.definition(owner, name);
  if (definition !== null) return definition;
  const elsewhere = index.named(name).map((each) => placeOfGraph(each.owner));
  const hint = elsewhere.length === 0 ? '' : ` That name is defined in ${listed(elsewhere)}.`;
  const seen = index.dangling.some((use) => use.name === name) ? ' It is used, but nothing defines it.' : '';
  return `No value is called ${shownName(name)} in ${placeOfGraph(owner)}.${hint}${seen}`;
}

/**
 * Why a value has no single meaning, in a sentence: two definitions of one name, other than an initializer that is also an input
 * (https://github.com/onnx/onnx/blob/main/docs/IR.md#names-within-a-graph). `null` when it is sound.
 */
export function definedTwice(definition: Definition): string | null {
  const { kinds, name } = definition;
  const inputs = kinds.filter((kind) => kind === 'input').length;
  const stored = kinds.filter((kind) => kind === 'initializer' || kind === 'sparse').length;
  if (kinds.length === 1 || (kinds.length === 2 && inputs === 1 && stored === 1)) return null;
  return `${shownName(name)} is defined ${kinds.length} times, by ${listed(placesOfDefinition(definition))}: the model is invalid, and which of them is meant is not known.`;
}

/**
 * Why a value of the main graph and one of a training algorithm are one name, in a sentence: both graphs are run joined into one
 * (TrainingInfoProto in onnx.proto). `null` when they are not.
 */
export function definedInTraining(model: OnnxModel, index: ScopeIndex, definition: Definition): string | null {
  const joined = [model.graph, ...model.training.map(({ algorithm }) => algorithm)];
  if (!joined.some((graph) => graph === definition.owner)) return null;
  const others = joined.filter((graph) => graph !== null && graph !== definition.owner && (graph === model.graph || definition.owner === model.graph));
  const twin = others.flatMap((graph) => (graph === null ? [] : (index.definition(graph, definition.name) ?? [])))[0];
  if (twin === undefined) return null;
  const places = listed([definition, twin].flatMap(placesOfDefinition));
  return `${shownName(definition.name)} is defined by ${places}, which training runs as one graph: the model is invalid, and which of them is meant is not known.`;
}

/** Words for one value: its first place, with its graph. */
export function placeOfValue(definition: Definition): string {
  return placesOfDefinition(definition)[0] ?? placeInGraph('a value', definition.owner);
}
