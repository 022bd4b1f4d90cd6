import type { FieldSite, Frame } from '../../encodings/protobuf/frame';
import { isGraph } from '../scopes/outerOf';
import type { Definition, DefinitionSite, Mention, ScopeIndex } from '../scopes/scopeIndex';
import { typeAndShape } from '../values/elementTypes';
import { storedType } from './constantNode';
import { namedPlace, placeOfMention } from './places';
import type { PlanDraft } from './planDraft';
import { removeMessage } from './wireEdits';

/** Removes an initializer wherever it stands: the tensor, the input of that name, value_info, its quantization annotation. */
export function removeStored(draft: PlanDraft, index: ScopeIndex, definition: Definition): void {
  const type = storedType(definition);
  for (const at of definition.at) {
    const frame = frameOf(definition, at);
    if (frame === null) continue;
    draft.edits.push(removeMessage(frame));
    draft.sites.push({
      graph: definition.owner.path,
      place: namedPlace(definition, at),
      before: type === null ? '' : typeAndShape(type.type, type.dims),
      after: 'removed',
    });
  }
  removeEntries(draft, index, definition);
}

/** Removes what is said about a value that is no more: value_info and its quantization annotation. */
export function removeEntries(draft: PlanDraft, index: ScopeIndex, definition: Definition): void {
  for (const mention of index.mentions(definition)) {
    const frame = entryOf(mention);
    if (frame === null) continue;
    draft.edits.push(removeMessage(frame));
    draft.sites.push({ graph: mention.owner.path, place: placeOfMention(mention), before: mention.name, after: 'removed' });
  }
}

function frameOf({ owner }: Definition, { kind, index, tensor }: DefinitionSite): Frame | null {
  if (!isGraph(owner)) return null;
  if (kind === 'initializer') return tensor?.frame ?? null;
  if (kind === 'sparse') return owner.sparse[index]?.frame ?? null;
  return kind === 'input' ? (owner.inputs[index]?.frame ?? null) : null;
}

function entryOf({ kind, site }: Mention): FieldSite['frame'] | null {
  return kind === 'value-info' || kind === 'annotation' ? site.frame : null;
}
