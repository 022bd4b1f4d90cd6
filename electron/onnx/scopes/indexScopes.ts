import type { OnnxModel } from '../model/onnxModel';
import { collectDefinitions } from './collectDefinitions';
import { bindingsOf, mentionsOf, usesOf } from './collectUses';
import { outerOf } from './outerOf';
import type { Definition, Mention, ScopeIndex, ScopeOwner, Use } from './scopeIndex';

/**
 * Which name means which value, everywhere in a model, by the rules of https://github.com/onnx/onnx/blob/main/docs/IR.md: a body reads the
 * names of the graphs around it, up to one that it defines itself; a function reads none but its own. Linear in the size of the model.
 */
export function indexScopes(model: OnnxModel): ScopeIndex {
  const owners: ScopeOwner[] = [...model.graphs, ...model.functions];
  const tables = new Map(owners.map((owner) => [owner, collectDefinitions(owner)]));
  const paths = grouped(owners, ({ path }) => path);
  const ownersAt = (path: string) => paths.get(path) ?? [];
  const ownerOf = (owner: ScopeOwner | string) => (typeof owner === 'string' ? ownersAt(owner)[0] : owner);
  const definition = (at: ScopeOwner | string, name: string) => {
    const owner = ownerOf(at);
    return (owner === undefined ? undefined : tables.get(owner)?.get(name)) ?? null;
  };
  const resolve = (at: ScopeOwner | string, name: string) => {
    for (let owner = ownerOf(at) ?? null; owner !== null; owner = outerOf(model, owner)) {
      const found = definition(owner, name);
      if (found !== null) return found;
    }
    return null;
  };
  const uses = new Sorted<Use>(resolve);
  const mentions = new Sorted<Mention>(resolve);
  for (const owner of owners) {
    for (const use of usesOf(owner)) uses.add(use);
    for (const mention of mentionsOf(owner)) mentions.add(mention);
  }
  for (const mention of bindingsOf(model)) mentions.add(mention);
  const all = owners.flatMap((owner) => [...(tables.get(owner)?.values() ?? [])]);
  const names = grouped(all, ({ name }) => name);
  return {
    owners,
    ownersAt,
    definition,
    resolve,
    uses: (value) => uses.of(value),
    mentions: (value) => mentions.of(value),
    definitions(at) {
      const owner = ownerOf(at);
      return owner === undefined ? [] : [...(tables.get(owner)?.values() ?? [])];
    },
    named: (name) => names.get(name) ?? [],
    dangling: uses.unresolved,
    orphans: mentions.unresolved.filter(({ kind }) => kind !== 'indices'),
  };
}

/** Places sorted by the value that they name. */
class Sorted<Place extends { readonly owner: ScopeOwner; readonly name: string }> {
  readonly unresolved: Place[] = [];
  private readonly places = new Map<Definition, Place[]>();

  constructor(private readonly resolve: (owner: ScopeOwner, name: string) => Definition | null) {}

  add(place: Place): void {
    const definition = this.resolve(place.owner, place.name);
    const known = definition === null ? this.unresolved : this.places.get(definition);
    if (known !== undefined) known.push(place);
    else if (definition !== null) this.places.set(definition, [place]);
  }

  of(definition: Definition): readonly Place[] {
    return this.places.get(definition) ?? [];
  }
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [item]);
    else known.push(item);
  }
  return groups;
}
