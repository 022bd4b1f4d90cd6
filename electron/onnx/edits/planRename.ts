import type { ValueAddress } from '../../../shared/model/graphEdit';
import type { FieldSite } from '../../encodings/protobuf/frame';
import { decodeName, encodeName } from '../../encodings/protobuf/names';
import { KEPT_TEXT_BYTES } from '../../encodings/protobuf/skeleton';
import type { OnnxModel } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import type { Definition, ScopeIndex, ScopeOwner } from '../scopes/scopeIndex';
import { Captures, type Moves } from './captures';
import type { EditPlan } from './editPlan';
import { definedInTraining, definedTwice, locateValue } from './locateValue';
import { placeOfDefinition, placeOfMention, placeOfUse, shownName } from './places';
import { finish, newDraft, type PlanDraft } from './planDraft';
import { renameWarnings } from './renameWarnings';
import { renameSite } from './wireEdits';

/** A value and its new name. */
export type Rename = ValueAddress & { readonly to: string };

/** Refusals that are listed; of more, only how many. */
const MAX_REFUSALS = 100;

/**
 * Gives values other names: initializers, inputs, outputs of nodes, formal parameters inside their function. Every place in the model that
 * names the value follows: uses at any depth up to a body that has a value of that name itself, value_info, annotations, sharding and the
 * bindings of training. Only the name fields are written anew. All renames are checked as one, by the names after them: values may swap names.
 */
export function planRename(model: OnnxModel, renames: readonly Rename[], index: ScopeIndex = indexScopes(model)): EditPlan {
  const draft = newDraft('');
  const moves = collectMoves({ model, index, renames }, draft);
  draft.title = titleOf(moves);
  const captures = new Captures(model, index, moves);
  for (const [definition, to] of moves)
    for (const text of captures.of(definition, to)) refuse(draft, { graph: definition.owner.path, name: definition.name }, text);
  for (const place of placesOf(index, moves)) {
    draft.sites.push({ graph: place.owner.path, place: place.words, before: place.before, after: place.after });
    draft.edits.push(renameSite({ text: place.before, site: place.site }, place.after));
  }
  if (draft.refusals.length === 0) draft.warnings.push(...renameWarnings(model, index, moves));
  else if (draft.refusals.length > MAX_REFUSALS) {
    const more = draft.refusals.length - MAX_REFUSALS;
    draft.refusals.splice(MAX_REFUSALS, more, `There are ${more} more reasons.`);
  }
  return finish(draft);
}

/** New name of each value, without those that keep theirs. What has no single meaning is refused. */
function collectMoves(
  { model, index, renames }: { readonly model: OnnxModel; readonly index: ScopeIndex; readonly renames: readonly Rename[] },
  draft: PlanDraft,
): Moves {
  const moves = new Map<Definition, string>();
  for (const rename of renames) {
    const definition = locateValue(index, rename);
    const problem =
      typeof definition === 'string'
        ? definition
        : (definedTwice(definition) ?? definedInTraining(model, index, definition) ?? wrongName(definition.name, rename.to));
    if (problem !== null) refuse(draft, rename, problem);
    if (typeof definition === 'string') continue;
    const known = moves.get(definition);
    if (known !== undefined && known !== rename.to) {
      refuse(draft, rename, `${shownName(definition.name)} cannot become both ${shownName(known)} and ${shownName(rename.to)}.`);
    } else if (problem === null) moves.set(definition, rename.to);
  }
  for (const [definition, to] of moves) if (definition.name === to) moves.delete(definition);
  return moves;
}

function refuse(draft: PlanDraft, { graph, name }: ValueAddress, text: string): void {
  draft.refusals.push(text);
  draft.conflicts.push({ address: { graph, name }, text });
}

/** Why a text is no name, in a sentence. Any other is: readers do not hold names to C's identifiers. */
function wrongName(name: string, to: string): string | null {
  if (to === '') return `The new name of ${shownName(name)} is empty: an empty name means that an optional input is left out.`;
  const bytes = encodeName(to);
  if (bytes.byteLength > KEPT_TEXT_BYTES) return `The new name of ${shownName(name)} has ${bytes.byteLength} bytes; up to ${KEPT_TEXT_BYTES} are read.`;
  return decodeName(bytes) === to ? null : `The new name of ${shownName(name)} is not text that a file can hold: it has half of a character.`;
}

function titleOf(moves: Moves): string {
  const [first, ...others] = moves;
  if (first === undefined) return 'Rename nothing';
  if (others.length === 0) return `Rename ${shownName(first[0].name)} to ${shownName(first[1])}`;
  const isStored = [...moves.keys()].every(({ tensor }) => tensor !== null);
  return `Rename ${moves.size} ${isStored ? 'initializers' : 'values'}`;
}

interface Place {
  readonly owner: ScopeOwner;
  readonly words: string;
  readonly site: FieldSite;
  readonly before: string;
  readonly after: string;
}

/** Every name field that changes, in the order of the file. */
function placesOf(index: ScopeIndex, moves: Moves): Place[] {
  const places: Place[] = [];
  for (const [definition, after] of moves) {
    const before = definition.name;
    for (const at of definition.at) places.push({ owner: definition.owner, words: placeOfDefinition(definition, at), site: at.site, before, after });
    for (const use of index.uses(definition)) places.push({ owner: use.owner, words: placeOfUse(use), site: use.site, before, after });
    for (const mention of index.mentions(definition)) places.push({ owner: mention.owner, words: placeOfMention(mention), site: mention.site, before, after });
  }
  return places.sort((a, b) => a.site.start - b.site.start);
}
