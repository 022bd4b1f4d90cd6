import type { PickleEntry, PickleValue } from '../../encodings/pickle/pickleValue';
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
export function dictEntries(value: PickleValue): readonly PickleEntry[] | null {
  if (value.kind === 'dict') return latest(value.entries);
  if (value.kind !== 'object') return null;
  const known = DICTIONARIES.has(globalName(value.callable) ?? '');
  if (!known && value.entries.length === 0) return null;
  return latest(known ? [...constructorPairs(value.args.items), ...value.entries] : value.entries);
}

/** Python 2 gives OrderedDict its entries as a list of pairs. */
function constructorPairs(args: readonly PickleValue[]): PickleEntry[] {
  const [first] = args;
  if (first?.kind === 'dict') return [...first.entries];
  if (first?.kind !== 'list' && first?.kind !== 'tuple') return [];
  const entries: PickleEntry[] = [];
  for (const pair of first.items) {
    if (pair.kind !== 'list' && pair.kind !== 'tuple') continue;
    const [key, value] = pair.items;
    if (key !== undefined && value !== undefined) entries.push([key, value]);
  }
  return entries;
}

function latest(entries: readonly PickleEntry[]): readonly PickleEntry[] {
  const places = new Map<string, PickleEntry>();
  let others = 0;
  for (const entry of entries) {
    const [key] = entry;
    // Keys that are compared by identity or by their parts never stand for each other here.
    const name = key.kind === 'string' || key.kind === 'int' || key.kind === 'long' || key.kind === 'bool' ? `${key.kind} ${key.value}` : `other ${others++}`;
    places.set(name, entry);
  }
  return [...places.values()];
}
