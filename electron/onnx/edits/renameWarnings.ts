import type { OnnxModel } from '../model/onnxModel';
import { outwards } from '../scopes/outerOf';
import type { Definition, ScopeIndex } from '../scopes/scopeIndex';
import type { Moves } from './captures';
import { namesInTexts } from './freeTexts';
import { counted, listed } from './listed';
import { placeOfGraph, shownName } from './places';

/** Since this version of the IR an initializer need not be an input too. */
const FREE_INITIALIZERS = 4;
/** Names said one by one; of more, only how many. */
const NAMED = 20;

/** What the user should know of renames that can be done, each in a sentence. */
export function renameWarnings(model: OnnxModel, index: ScopeIndex, moves: Moves): string[] {
  const each = [...moves].map(([definition, to]) => ({ definition, to }));
  const said = (test: (definition: Definition) => boolean, sentence: (names: string) => string): string[] => {
    const names = each.filter(({ definition }) => test(definition)).map(({ definition }) => shownName(definition.name));
    return names.length === 0 ? [] : [sentence(listed(names))];
  };
  const inMain = ({ owner }: Definition) => owner === model.graph;
  const isInput = ({ kinds }: Definition) => kinds.includes('input');
  return [
    ...said(
      (value) => inMain(value) && isInput(value) && value.tensor === null,
      (names) => `The model's interface changes: its input ${names} is fed by name, and every caller must use the new one.`,
    ),
    ...said(
      (value) => inMain(value) && isInput(value) && value.tensor !== null,
      (names) => `The model's interface changes: ${names} is an input with a default value, which a caller may override by name.`,
    ),
    ...said(
      (value) => inMain(value) && index.uses(value).some(({ node, owner }) => node === null && owner === model.graph),
      (names) => `The model's interface changes: its output ${names} is asked for by name, and every caller must use the new one.`,
    ),
    ...said(
      (value) => model.irVersion < FREE_INITIALIZERS && inMain(value) && value.tensor !== null && !isInput(value),
      (names) => `ir_version ${model.irVersion} asks that every initializer is also an input, but ${names} is not: the model was invalid before.`,
    ),
    ...shadowed(model, index, moves),
    ...lookAlikes(index, moves),
    ...inTexts(model, moves),
  ];
}

/**
 * Bodies that have a value of the old name of their own keep it. By the specification they read their own; ONNX Runtime (1.30.0) reads the
 * outer one where the inner is an initializer, until one of them has another name.
 */
function shadowed(model: OnnxModel, index: ScopeIndex, moves: Moves): string[] {
  const warnings: string[] = [];
  const others = 'ONNX Runtime, which may read the outer one there, may compute something else from now on.';
  for (const [definition] of moves) {
    const { name, owner } = definition;
    const inner = index.named(name).filter((other) => !moves.has(other) && [...outwards(model, other.owner)].includes(owner));
    if (inner.length > 0) {
      const graphs = inner.map((other) => placeOfGraph(other.owner));
      const own = graphs.length === 1 ? 'has a value of that name of its own' : 'have values of that name of their own';
      warnings.push(`${shownName(name)} is ${inner.length + 1} values: ${listed(graphs)} ${own}, which keeps the name. ${others}`);
    }
    const outer = [...outwards(model, owner)].find((graph) => index.definition(graph, name) !== null);
    if (outer !== undefined) warnings.push(`${shownName(name)} of ${placeOfGraph(owner)} hides that of ${placeOfGraph(outer)} no longer. ${others}`);
  }
  return warnings;
}

/** Names that differ only in how accents are composed are different names that no one can tell apart. */
function lookAlikes(index: ScopeIndex, moves: Moves): string[] {
  const warnings: string[] = [];
  for (const [, to] of moves) {
    const twin = [to.normalize('NFC'), to.normalize('NFD')].find((form) => form !== to && index.named(form).some((other) => !moves.has(other)));
    if (twin !== undefined)
      warnings.push(`The new name ${shownName(to)} looks like a name that the model has, but is written with other characters: they stay two names.`);
  }
  return warnings;
}

function inTexts(model: OnnxModel, moves: Moves): string[] {
  const found = namesInTexts(model, new Set([...moves.keys()].map(({ name }) => name)));
  const warnings = [...found]
    .slice(0, NAMED)
    .map(([name, places]) => `The old name ${shownName(name)} also stands in ${listed(places)}: texts are not rewritten.`);
  return found.size > NAMED ? [...warnings, `${counted(found.size - NAMED, 'other old name')} also stand in metadata_props or doc_string.`] : warnings;
}
