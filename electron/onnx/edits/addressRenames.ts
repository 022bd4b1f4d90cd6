import type { MappingEntry } from '../../../shared/model/nameMapping/mappingEntry';
import type { OnnxModel } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import type { ScopeIndex } from '../scopes/scopeIndex';
import { listed } from './listed';
import { placeInGraph, placesOfDefinition, shownName } from './places';
import type { Rename } from './planRename';
import { addressed, structuralAddress } from './structuralAddress';

/**
 * Entries of a mapping as renames of this model. An entry without a graph means the one value of that name, in whatever graph it is. A name that no value
 * has may say where the value stands (`structuralAddress`), in the main graph when no other one is named.
 * @returns `problems`: entries that name nothing, or more than one value, each in a sentence with its line and the places
 */
export function addressRenames(
  model: OnnxModel,
  entries: readonly MappingEntry[],
  index: ScopeIndex = indexScopes(model),
): { readonly renames: readonly Rename[]; readonly problems: readonly string[] } {
  const renames: Rename[] = [];
  const problems: string[] = [];
  for (const { graph, name, to, line } of entries) {
    if (graph !== null) {
      if (index.ownersAt(graph).length === 0) problems.push(`Line ${line}: the model has no graph ${shownName(graph)}.`);
      else renames.push({ ...addressed(index, { graph, name }), to });
      continue;
    }
    const values = index.named(name);
    const [only] = values;
    if (only === undefined) {
      const placed = structuralAddress(index, '', name);
      if (placed === null) problems.push(`Line ${line}: no value of the model is called ${shownName(name)}.`);
      else renames.push({ ...placed, to });
    } else if (values.length > 1) {
      const places = values.map((value) => placesOfDefinition(value)[0] ?? placeInGraph('a value', value.owner));
      const paths = values.map(({ owner }) => shownName(owner.path));
      problems.push(`Line ${line}: ${shownName(name)} is ${values.length} values: ${listed(places)}. Say in which graph it is meant: ${listed(paths)}.`);
    } else renames.push({ graph: only.owner.path, name, to });
  }
  return { renames, problems };
}
