import type { PickleEntry, PickleObject, PickleValue } from '../../encodings/pickle/pickleValue';
import type { Budget } from './budget';
import { dictEntries } from './dictEntries';

/** A pickled torch.nn.Module as data. */
export interface ModuleState {
  /** Parameters, buffers, then the modules inside, in the order of `state_dict()`. */
  readonly children: readonly PickleEntry[];
  /** What else it keeps: sizes, hooks, flags. */
  readonly attributes: readonly PickleEntry[];
}

const PARTS = ['_parameters', '_buffers', '_modules'] as const;

/** `null` when the object's state is not that of a module (torch/nn/modules/module.py). No class is imported. */
export function moduleState(value: PickleObject, budget: Budget): ModuleState | null {
  const state = stateEntries(value, budget);
  if (state === null) return null;
  const parts = new Map<string, PickleValue>();
  for (const [key, part] of state) if (key.kind === 'string') parts.set(key.value, part);
  if (!parts.has('_parameters') || !parts.has('_modules')) return null;
  const children: PickleEntry[] = [];
  for (const name of PARTS) {
    const part = parts.get(name);
    // `bias=None` registers a parameter without a value.
    for (const entry of (part === undefined ? null : dictEntries(part, budget)) ?? []) if (entry[1].kind !== 'none') children.push(entry);
  }
  return { children, attributes: state.filter(([key]) => key.kind !== 'string' || !PARTS.some((name) => name === key.value)) };
}

/** The attributes of an instance whose class keeps them in a dictionary (with slots: the first part of a pair). */
export function stateEntries(value: PickleObject, budget: Budget): readonly PickleEntry[] | null {
  const { state } = value;
  if (state === null) return null;
  if (state.kind === 'tuple' && state.items.length === 2) {
    const [attributes] = state.items;
    return attributes === undefined ? null : dictEntries(attributes, budget);
  }
  return dictEntries(state, budget);
}
