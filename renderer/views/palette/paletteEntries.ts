import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { ParameterGroup } from '../../../shared/model/checkpoint';
import type { CommitHash, RefKind } from '../../../shared/model/commit';
import { fuzzyMatcher } from '../../components/fuzzyMatch';
import type { Command } from '../../state/commandStore';

/** One line of the palette; what it does is told by `target`, so that this stays data. */
export interface PaletteEntry {
  readonly id: string;
  readonly text: string;
  readonly note?: string;
  readonly shortcut?: string;
  readonly target:
    | { readonly kind: 'command'; readonly id: string }
    | { readonly kind: 'checkpoint'; readonly path: string }
    | { readonly kind: 'commit'; readonly commit: CommitHash; readonly of: RefKind }
    | { readonly kind: 'group'; readonly name: string };
}

export interface PaletteSection {
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
}

export interface PaletteSources {
  readonly commands: readonly Command[];
  readonly repository: RepositoryDescription | undefined;
  readonly groups: readonly ParameterGroup[];
}

const MOST_PER_SECTION = 30;
/** Before anything is typed: enough to see what there is. */
const MOST_UNASKED = 6;

/**
 * What the palette shows for a query: the sections in which something matches, the best first in each. A section whose best holds what
 * was typed stands before one whose letters only occur; among equals the order is fixed.
 */
export function paletteSections(sources: PaletteSources, query: string): PaletteSection[] {
  const { commands, repository, groups } = sources;
  const asked = query.trim() !== '';
  const most = asked ? MOST_PER_SECTION : MOST_UNASKED;
  const refs = (kind: RefKind) => (repository?.refs ?? []).filter((ref) => ref.kind === kind);
  const refEntry = (ref: RepositoryDescription['refs'][number]): PaletteEntry => ({
    id: `${ref.kind}:${ref.name}`,
    text: ref.name,
    note: ref.commit.slice(0, 8),
    target: { kind: 'commit', commit: ref.commit, of: ref.kind },
  });
  const sections = [
    ...commandSections(commands, query),
    section('Checkpoints', repository?.checkpoints ?? [], { text: ({ path }) => path, entry: checkpointEntry, query, most }),
    section('Branches', refs('branch'), { text: ({ name }) => name, entry: refEntry, query, most }),
    section('Remote branches', asked ? refs('remote-branch') : [], { text: ({ name }) => name, entry: refEntry, query, most }),
    section('Tags', asked ? refs('tag') : [], { text: ({ name }) => name, entry: refEntry, query, most }),
    section('Parameter groups', asked ? groups : [], { text: ({ name }) => name, entry: groupEntry, query, most }),
  ];
  return sections
    .filter(({ entries }) => entries.length > 0)
    .sort((a, b) => b.best - a.best)
    .map(({ title, entries }) => ({ title, entries }));
}

interface RankedSection extends PaletteSection {
  /** 1 when its first entry holds what was typed, 0 when only the letters occur in it. */
  readonly best: 0 | 1;
}

interface SectionOptions<T> {
  readonly text: (item: T) => string;
  readonly entry: (item: T) => PaletteEntry;
  readonly query: string;
  readonly most: number;
}

function section<T>(title: string, items: readonly T[], { text, entry, query, most }: SectionOptions<T>): RankedSection {
  const scored: { item: T; score: number }[] = [];
  const match = fuzzyMatcher(query);
  for (const item of items) {
    const score = match(text(item));
    if (score !== null) scored.push({ item, score });
  }
  if (query.trim() !== '') scored.sort((a, b) => b.score - a.score);
  const first = scored[0];
  const best = first !== undefined && holdsWords(text(first.item), query) ? 1 : 0;
  return { title, best, entries: scored.slice(0, most).map(({ item }) => entry(item)) };
}

function holdsWords(text: string, query: string): boolean {
  const lower = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

/** Commands under their own headings, in the order in which the headings first appear. */
function commandSections(commands: readonly Command[], query: string): RankedSection[] {
  const bySection = new Map<string, Command[]>();
  const inForce = new Map(commands.map((command) => [command.id, command]));
  for (const command of commands) {
    if (inForce.get(command.id) !== command || command.id === 'palette.open' || command.enabled?.() === false) continue;
    bySection.set(command.section, [...(bySection.get(command.section) ?? []), command]);
  }
  const options = { text: ({ title, section: heading }: Command) => `${title} ${heading}`, entry: commandEntry, query, most: MOST_PER_SECTION };
  return [...bySection].map(([title, list]) => section(title, list, options));
}

function commandEntry({ id, title, shortcut }: Command): PaletteEntry {
  return { id: `command:${id}`, text: title, target: { kind: 'command', id }, ...(shortcut === undefined ? {} : { shortcut }) };
}

function checkpointEntry({ path }: { readonly path: string }): PaletteEntry {
  return { id: `checkpoint:${path}`, text: path, target: { kind: 'checkpoint', path } };
}

function groupEntry({ name, dtype }: ParameterGroup): PaletteEntry {
  return { id: `group:${name}`, text: name, note: dtype, target: { kind: 'group', name } };
}
