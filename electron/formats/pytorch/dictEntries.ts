import type { PickleEntry, PickleValue } from '../../encodings/pickle/pickleValue';
import type { Budget } from './budget';
import { globalName } from './torchNames';

/** Classes of dictionaries that are made by calling them, without or with a default factory or pairs. */
const DICTIONARIES: ReadonlySet<string> = new Set([
  'collections.OrderedDict',
  'collections.defaultdict',
  'collections.Counter',
  'builtins.dict',
  '__builtin__.dict',
]);

/**
 * The entries of a dictionary or of an object that was filled like one, in Python's order: a key that occurs again keeps its first
 * place and takes the later value. `null` when the value is no dictionary.
 */
export function dictEntries(value: PickleValue, budget: Budget): readonly PickleEntry[] | null {
  if (value.kind === 'dict') return latest(value.entries, budget);
  if (value.kind !== 'object') return null;
  const known = DICTIONARIES.has(globalName(value.callable) ?? '');
  if (!known && value.entries.length === 0) return null;
  if (!known) return latest(value.entries, budget);
  const given = constructorPairs(value.args.items, budget);
  return latest(given.length === 0 ? value.entries : [...given, ...value.entries], budget);
}

/** Python 2 gives OrderedDict its entries as a list of pairs. */
function constructorPairs(args: readonly PickleValue[], budget: Budget): readonly PickleEntry[] {
  const [first] = args;
  if (first?.kind === 'dict') return first.entries;
  if (first?.kind !== 'list' && first?.kind !== 'tuple') return [];
  budget.spend(first.items.length);
  const entries: PickleEntry[] = [];
  for (const pair of first.items) {
    if (pair.kind !== 'list' && pair.kind !== 'tuple') continue;
    const [key, value] = pair.items;
    if (key !== undefined && value !== undefined) entries.push([key, value]);
  }
  return entries;
}

function latest(entries: readonly PickleEntry[], budget: Budget): readonly PickleEntry[] {
  budget.spend(entries.length);
  const places = new Map<unknown, PickleEntry>();
  for (const entry of entries) {
    const [key] = entry;
    // Numbers and text by value, as in Python; other keys never stand for each other here.
    places.set(key.kind === 'string' || key.kind === 'int' || key.kind === 'long' || key.kind === 'bool' ? key.value : key, entry);
  }
  return [...places.values()];
}
