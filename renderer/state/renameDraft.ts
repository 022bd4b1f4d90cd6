import type { GraphView } from '../../shared/model/graph';
import type { EditReview, GraphEdit, NameProposal, ProposalSource, ValueAddress } from '../../shared/model/graphEdit';
import type { MappingEntry } from '../../shared/model/nameMapping/mapping';

/** Where a new name of the draft comes from. */
export type NameOrigin = 'typed' | 'pattern' | 'mapping' | ProposalSource;

/** A new name that is not applied yet. */
export interface DraftName {
  readonly address: ValueAddress;
  readonly to: string;
  readonly origin: NameOrigin;
  /** Why it was proposed; empty for names of the user's own. */
  readonly reason: string;
}

/** New names by the key of the value's address. Values that keep their name are not in it. */
export type RenameDraft = ReadonlyMap<string, DraftName>;

export const NO_DRAFT: RenameDraft = new Map();

/** Names hold no NUL in a model that can be read, and paths of graphs have none. */
export function addressKey({ graph, name }: ValueAddress): string {
  return `${graph}\0${name}`;
}

export function addressOf(view: GraphView, initializer: number): ValueAddress | null {
  const found = view.initializers[initializer];
  return found === undefined ? null : { graph: view.scopes[found.scope]?.path ?? '', name: found.name };
}

/** The draft with other new names; an empty one, or the name that the value has, takes it out. */
export function withNames(draft: RenameDraft, names: readonly DraftName[]): RenameDraft {
  if (names.length === 0) return draft;
  const next = new Map(draft);
  for (const name of names) {
    const key = addressKey(name.address);
    if (name.to === '' || name.to === name.address.name) next.delete(key);
    else next.set(key, name);
  }
  return next;
}

export function withoutNames(draft: RenameDraft, keys: Iterable<string>): RenameDraft {
  const next = new Map(draft);
  for (const key of keys) next.delete(key);
  return next.size === draft.size ? draft : next;
}

/** What of a map by addresses still stands for a value of this graph. */
export function ofGraph<Entry>(entries: ReadonlyMap<string, Entry>, view: GraphView): ReadonlyMap<string, Entry> {
  if (entries.size === 0) return entries;
  const known = keysOf(view);
  const kept = [...entries].filter(([key]) => known.has(key));
  return kept.length === entries.size ? entries : new Map(kept);
}

function keysOf(view: GraphView): Set<string> {
  return new Set(view.initializers.map(({ scope, name }) => addressKey({ graph: view.scopes[scope]?.path ?? '', name })));
}

export function renameEdit(draft: RenameDraft): Extract<GraphEdit, { kind: 'rename' }> {
  return { kind: 'rename', renames: [...draft.values()].map(({ address, to }) => ({ ...address, to })) };
}

export function proposedName({ address, to, source, reason }: NameProposal): DraftName {
  return { address, to, origin: source, reason };
}

/** What stands against a draft. */
export interface DraftCheck {
  /** Sentences by the key of the value that they concern. */
  readonly problems: ReadonlyMap<string, readonly string[]>;
  /** Refusals that concern no single value. */
  readonly general: readonly string[];
  readonly warnings: readonly string[];
}

export const NO_CHECK: DraftCheck = { problems: new Map(), general: [], warnings: [] };

export function checkOf({ conflicts, refusals, warnings }: EditReview): DraftCheck {
  const problems = new Map<string, string[]>();
  for (const { address, text } of conflicts) {
    const key = addressKey(address);
    const known = problems.get(key);
    if (known === undefined) problems.set(key, [text]);
    else known.push(text);
  }
  const atValues = new Set(conflicts.map(({ text }) => text));
  // "There are 5 more reasons": each stands at its value.
  const general = conflicts.length > 0 ? refusals.filter((text) => !atValues.has(text) && !/^There are \d+ more reasons\.$/.test(text)) : refusals;
  return { problems, general, warnings };
}

export interface MappedNames {
  readonly names: readonly DraftName[];
  /** Old names that the model does not have, in the order of the file. */
  readonly unknown: readonly string[];
  /** Old names that are values of several graphs; the file does not say which is meant. */
  readonly ambiguous: readonly string[];
}

/** The entries of a mapping as new names of this model's initializers. One without a graph means the only value of that name, in whatever graph it is. */
export function namesOfMapping(view: GraphView, entries: readonly MappingEntry[]): MappedNames {
  const places = new Map<string, Set<string>>();
  for (const { scope, name } of view.initializers) {
    const graph = view.scopes[scope]?.path ?? '';
    const known = places.get(name);
    if (known === undefined) places.set(name, new Set([graph]));
    else known.add(graph);
  }
  const mapped = { names: [] as DraftName[], unknown: [] as string[], ambiguous: [] as string[] };
  for (const { graph, name, to } of entries) {
    const graphs = places.get(name);
    const place = graph ?? (graphs?.size === 1 ? [...graphs][0] : undefined);
    if (graphs === undefined || (graph !== null && !graphs.has(graph))) mapped.unknown.push(name);
    else if (place === undefined) mapped.ambiguous.push(name);
    else mapped.names.push({ address: { graph: place, name }, to, origin: 'mapping', reason: '' });
  }
  return mapped;
}

/** The draft as entries of a mapping; the graph is said only where a name alone would not do. */
export function mappingOf(draft: RenameDraft, view: GraphView): Omit<MappingEntry, 'line'>[] {
  const [once, several] = [new Set<string>(), new Set<string>()];
  for (const name of view.values.names) (once.has(name) ? several : once).add(name);
  return [...draft.values()].map(({ address: { graph, name }, to }) => ({ graph: several.has(name) ? graph : null, name, to }));
}
