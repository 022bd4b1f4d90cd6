import { decodeName, encodeName } from '../../encodings/protobuf/names';
import { KEPT_TEXT_BYTES } from '../../encodings/protobuf/skeleton';
import type { OnnxModel } from '../model/onnxModel';
import { outwards } from '../scopes/outerOf';
import type { ScopeIndex, ScopeOwner } from '../scopes/scopeIndex';
import { placeOfValue } from './locateValue';
import { shownName } from './places';

/** Why a graph cannot get a new value of a name, in a sentence: it, one around it or one inside it has one. `null` when it can. */
export function refusedNewName(model: OnnxModel, index: ScopeIndex, { owner, name }: { readonly owner: ScopeOwner; readonly name: string }): string | null {
  if (name === '') return 'An empty name means that an optional input is left out: a value needs a name.';
  const bytes = encodeName(name);
  if (bytes.byteLength > KEPT_TEXT_BYTES) return `The name has ${bytes.byteLength} bytes; up to ${KEPT_TEXT_BYTES} are read.`;
  if (decodeName(bytes) !== name) return 'The name is not text that a file can hold: it has half of a character.';
  const around = new Set<ScopeOwner>([owner, ...outwards(model, owner)]);
  const other = index.named(name).find((each) => around.has(each.owner) || [...outwards(model, each.owner)].includes(owner));
  return other === undefined ? null : `The model defines ${shownName(name)} already, by ${placeOfValue(other)}.`;
}

/** Every name that a model uses for a value, in any graph or function, defined or not. */
export function allValueNames(index: ScopeIndex): Set<string> {
  const names = new Set<string>();
  for (const owner of index.owners) {
    for (const { name } of index.definitions(owner)) names.add(name);
    for (const { name } of owner.valueInfos) names.add(name);
  }
  for (const { name } of [...index.dangling, ...index.orphans]) names.add(name);
  return names;
}

/** A name that is not taken: the wanted one, or with `_1`, `_2` ... behind it; it is taken from then on. */
export function freshName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 1; taken.has(name); count++) name = `${wanted}_${count}`;
  taken.add(name);
  return name;
}
