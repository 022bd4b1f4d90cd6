import type { PickleEntry, PickleObject, PickleValue } from '../../encodings/pickle/pickleValue';
import type { Budget } from './budget';
import { dictEntries } from './dictEntries';
import { moduleState, stateEntries } from './moduleState';
import { isTensor } from './rebuildTensor';
import { clip, leafText } from './scalarText';
import { globalName } from './torchNames';

/** What lies inside a value that is neither a tensor nor a plain value. */
export interface Inside {
  readonly children: readonly PickleEntry[];
  /** For people: what the value is, when that is not plain to see. */
  readonly note: string | null;
  /** Names of tensors inside that are not part of it, with reasons. */
  readonly ignored: readonly (readonly [key: string, reason: string])[];
}

/** TorchScript wraps lists and dictionaries to tell the types of their items. */
const TYPE_TAG = 'torch.jit._pickle.restore_type_tag';

/** The entries of dictionaries, lists, modules and other instances; a reason for people when nothing inside is looked at. */
export function childrenOf(value: PickleValue, budget: Budget): Inside | { readonly reason: string } {
  switch (value.kind) {
    case 'list':
    case 'tuple':
    case 'set':
    case 'frozenset':
      return numbered(value.items, null, budget);
    case 'dict':
      return dictionary(value, budget);
    case 'object':
      return insideObject(value, budget);
    case 'persistent':
      return { reason: 'a reference to something outside the pickle that is not a tensor' };
    default:
      return { reason: 'it is not a tensor' };
  }
}

function dictionary(value: PickleValue, budget: Budget): Inside | { readonly reason: string } {
  const children = dictEntries(value, budget);
  if (children === null) return { reason: 'it is not a dictionary' };
  return { children, note: children.length === 0 ? '{}' : null, ignored: [] };
}

function insideObject(value: PickleObject, budget: Budget): Inside | { readonly reason: string } {
  const name = globalName(value.callable);
  if (name === null) return { reason: 'an object of no known class' };
  const [first] = value.args.items;
  if (name === TYPE_TAG && first !== undefined) return childrenOfTagged(first, budget);
  if (dictEntries(value, budget) !== null) return dictionary(value, budget);
  const module = moduleState(value, budget);
  if (module !== null) {
    const ignored = module.attributes
      .filter(([, attribute]) => isTensor(attribute, budget))
      .map(([key]) => [leafText(key, budget) ?? '…', 'an attribute of a module, neither a parameter nor a buffer'] as const);
    return { children: module.children, note: `module ${clip(name)}`, ignored };
  }
  if (value.items.length > 0) return numbered(value.items, `object ${clip(name)}`, budget);
  const state = value.made === 'new' || name === 'copy_reg._reconstructor' || name === 'copyreg._reconstructor' ? stateEntries(value, budget) : null;
  if (state !== null) return { children: state, note: `object ${clip(name)}`, ignored: [] };
  return { reason: value.made === 'call' ? `what ${clip(name)} would return; nothing in a file is ever called` : `an object ${clip(name)}` };
}

function childrenOfTagged(value: PickleValue, budget: Budget): Inside | { readonly reason: string } {
  return value.kind === 'object' && globalName(value.callable) === TYPE_TAG ? { reason: 'a list that is tagged twice' } : childrenOf(value, budget);
}

function numbered(items: readonly PickleValue[], note: string | null, budget: Budget): Inside {
  budget.spend(items.length);
  return { children: items.map((item, index) => [{ kind: 'int', value: index }, item]), note, ignored: [] };
}
