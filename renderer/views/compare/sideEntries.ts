import type { RepositoryDescription } from '../../../shared/contract/requests';
import { headCommit } from '../../../shared/model/commit';
import { fuzzyMatcher } from '../../components/fuzzyMatch';

/** Something that a side can be. */
export interface SideEntry {
  readonly id: string;
  readonly kind: 'head' | 'worktree' | 'branch' | 'tag' | 'commit';
  readonly text: string;
  readonly note: string;
  /** `null`: the working tree. */
  readonly revision: string | null;
}

export interface SideSection {
  readonly title: string;
  readonly entries: readonly SideEntry[];
}

interface SideFacts {
  readonly repository: RepositoryDescription;
  /** Newest first. */
  readonly commits: readonly { readonly hash: string; readonly title: string }[];
  /** Commits that the host found by the text. */
  readonly found: readonly { readonly hash: string; readonly title: string }[];
  /** Commit that the whole text names; `null` when it names none. */
  readonly resolved: { readonly text: string; readonly commit: string } | null;
}

const MOST = 60;

/** Everything that fits the text, the best first within its kind. */
export function sideSections({ repository, commits, found, resolved }: SideFacts, text: string): readonly SideSection[] {
  const query = text.trim();
  const score = fuzzyMatcher(query);
  const head = headCommit(repository.head);
  const short = (hash: string) => hash.slice(0, 8);
  const refs = (kind: 'branch' | 'tag' | 'remote-branch'): SideEntry[] =>
    repository.refs
      .filter((ref) => ref.kind === kind)
      .map((ref) => ({ id: `${kind}:${ref.name}`, kind: kind === 'tag' ? 'tag' : 'branch', text: ref.name, note: short(ref.commit), revision: ref.name }));
  const here: SideEntry[] = [
    ...(head === null ? [] : [{ id: 'head', kind: 'head' as const, text: 'HEAD', note: short(head), revision: 'HEAD' }]),
    ...(repository.bare ? [] : [{ id: 'worktree', kind: 'worktree' as const, text: 'Working tree', note: 'the file as it is now', revision: null }]),
  ];
  const named = new Set(repository.refs.map((ref) => ref.name));
  const exact: SideEntry[] =
    resolved === null || resolved.text !== query || query === 'HEAD' || named.has(query)
      ? []
      : [{ id: `revision:${query}`, kind: 'commit', text: query, note: short(resolved.commit), revision: query }];
  const listed = new Map([...found, ...commits].map((commit) => [commit.hash, commit]));
  const all = [...listed.values()].map(
    ({ hash, title }): SideEntry => ({ id: `commit:${hash}`, kind: 'commit', text: title === '' ? 'No message' : title, note: short(hash), revision: hash }),
  );
  const hits = new Set(found.map(({ hash }) => hash));
  const best = (entries: readonly SideEntry[]) => {
    if (query === '') return entries.slice(0, MOST);
    return entries
      .map((entry) => ({ entry, points: entry.revision !== null && hits.has(entry.revision) ? 10 : score(`${entry.text} ${entry.note}`) }))
      .filter((scored): scored is { entry: SideEntry; points: number } => scored.points !== null)
      .sort((x, y) => y.points - x.points)
      .slice(0, MOST)
      .map(({ entry }) => entry);
  };
  return [
    { title: 'Revision', entries: exact },
    { title: 'Now', entries: best(here) },
    { title: 'Branches', entries: best(refs('branch')) },
    { title: 'Tags', entries: best(refs('tag')) },
    { title: 'Remote branches', entries: best(refs('remote-branch')) },
    { title: 'Commits', entries: best(all) },
  ].filter((section) => section.entries.length > 0);
}
