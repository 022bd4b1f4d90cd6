import type { OnnxFunction, OnnxNode } from '../../model/onnxModel';
import type { Definition } from '../../scopes/scopeIndex';
import { allValueNames, freshName } from '../newNames';
import { bodiesOf, outputsOf } from '../nodeSet';
import { shownName } from '../places';
import type { PlanDraft } from '../planDraft';
import type { Side, SplicedNames, SplicedPart } from './spliceTypes';

/**
 * Names for all that comes from another model: its own where no graph of this model has them, otherwise with `_1`, `_2` ... behind them.
 * Values of one name in different bodies of the piece keep one name, so that what shadowed what still does.
 */
export function spliceNames(draft: PlanDraft, { here, other }: { readonly here: Side; readonly other: Side }, part: SplicedPart): SplicedNames {
  const taken = allValueNames(here.index);
  const definitions = definitionsOf(other, part);
  const texts = freshNames(
    definitions.map(({ name }) => name),
    taken,
  );
  const values = new Map<Definition, string>(definitions.map((definition) => [definition, texts.get(definition.name) ?? definition.name]));
  const moved = new Map<Definition, string>();
  for (const [output, value] of part.replaced) {
    if (!isOutput(here, value)) continue;
    // Callers know the value by its name: what made it so far makes it under another.
    if (value.kinds.join() !== 'node-output')
      draft.refusals.push(
        `${shownName(value.name)} is both an output of the graph and ${value.kinds.includes('input') ? 'an input' : 'an initializer'}: nothing can take its place.`,
      );
    moved.set(value, freshName(value.name, taken));
    values.set(output, value.name);
  }
  for (const [value, to] of part.connected) values.set(value, moved.get(to) ?? to.name);
  return { values, nodes: nodeNames(here, part), functions: functionNames(here, part), moved };
}

/** Whether callers of the model get a value by its name. */
export function isOutput({ index, model }: Side, value: Definition): boolean {
  return index.uses(value).some(({ owner, node }) => node === null && owner === model.graph);
}

/** Every value that the piece defines, its bodies included. */
export function definitionsOf({ index }: Side, { set, stored }: SplicedPart): Definition[] {
  const inner = set.nodes.flatMap(({ node }) => [...bodiesOf(node)].flatMap((body) => index.definitions(body)));
  return [...stored, ...outputsOf(index, set), ...inner];
}

/** For every name the new one; those that are free are kept before others are made. */
function freshNames(names: readonly string[], taken: Set<string>): Map<string, string> {
  const unique = [...new Set(names)];
  const free = new Set(unique.filter((name) => !taken.has(name)));
  for (const name of free) taken.add(name);
  return new Map(unique.map((name) => [name, free.has(name) ? name : freshName(name, taken)]));
}

function nodeNames({ index }: Side, { set }: SplicedPart): Map<string, string> {
  const taken = new Set(index.owners.flatMap(({ nodes }) => nodes.map(({ name }) => name)));
  taken.delete('');
  const names = allNodes(set.nodes.map(({ node }) => node)).flatMap(({ name }) => (name === '' ? [] : [name]));
  return new Map([...freshNames(names, taken)].filter(([before, after]) => before !== after));
}

/** Nodes and all in their bodies. */
export function allNodes(nodes: readonly OnnxNode[]): OnnxNode[] {
  return nodes.flatMap((node) => [node, ...[...bodiesOf(node)].flatMap((body) => body.nodes)]);
}

function functionNames({ model }: Side, { functions }: SplicedPart): Map<OnnxFunction, string> {
  const names = new Map<OnnxFunction, string>();
  const taken = new Map<string, Set<string>>();
  const inDomain = (domain: string) => {
    const known = taken.get(domain) ?? new Set(model.functions.filter((func) => func.domain === domain).map(({ name }) => name));
    taken.set(domain, known);
    return known;
  };
  // Overloads of one function share its name, before and after.
  const shared = new Map<string, string>();
  for (const func of functions) {
    const key = `${func.domain}\u0000${func.name}`;
    const name = shared.get(key) ?? freshName(func.name, inDomain(func.domain));
    shared.set(key, name);
    names.set(func, name);
  }
  return names;
}
