import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { Output } from '../../../shared/contract/requests';
import type { CommitHash, CommitInfo } from '../../../shared/model/commit';
import { diffMetadata } from '../../theta/diffMetadata';
import { storedAs } from '../storedAs';
import type { ChangesContext } from './changesOfCommits';
import type { HistoryIndex } from './historyIndex';

type Found = Output<'history/search'>;
type Match = Found['matches'][number];

export interface SearchOptions {
  readonly text: string;
  /** Checkpoint whose changed parameter groups and update types are searched too. */
  readonly path: string | null;
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly onCount: (done: number, total: number | null) => void;
}

/** Case-insensitive search over the whole history; matches in the order of the pages, one per commit, the plainest field first. */
export async function searchHistory(context: ChangesContext, history: HistoryIndex, options: SearchOptions): Promise<Found> {
  const { signal, limit } = options;
  const text = options.text.toLowerCase();
  const { generation, commits, indexOf } = await history.all(signal, (count) => options.onCount(count, null));
  const found = new Map<number, Match>();
  commits.forEach((commit, index) => {
    const match = matchCommit(commit, text);
    if (match !== null) found.set(index, { index, commit: commit.hash, ...match });
  });
  if (options.path !== null) await matchChanges(context, { ...options, path: options.path, text, commits, indexOf, found });
  const matches = [...found.values()].sort((a, b) => a.index - b.index);
  return { generation, matches: matches.slice(0, limit), truncated: matches.length > limit };
}

function matchCommit(commit: CommitInfo, text: string): Pick<Match, 'field' | 'text'> | null {
  if (commit.title.toLowerCase().includes(text)) return { field: 'message', text: commit.title };
  const author = `${commit.author.name} <${commit.author.email}>`;
  if (author.toLowerCase().includes(text)) return { field: 'author', text: author };
  if (text.length >= 4 && commit.hash.startsWith(text)) return { field: 'hash', text: commit.hash };
  return null;
}

interface ChangeSearch extends SearchOptions {
  readonly path: string;
  readonly commits: readonly CommitInfo[];
  readonly indexOf: ReadonlyMap<CommitHash, number>;
  readonly found: Map<number, Match>;
}

/** Adds commits that changed a group whose name (of a renamed one: either), or with an update type that, holds the text. */
async function matchChanges(context: ChangesContext, search: ChangeSearch): Promise<void> {
  const { commits, indexOf, found, path, signal } = search;
  const entries = await context.repository.entries(
    commits.map((commit) => commit.hash),
    path,
    signal,
  );
  const blobAt = (index: number | undefined): string | null => {
    const entry = index === undefined ? null : entries[index];
    return entry?.kind === 'blob' ? entry.oid : null;
  };
  for (const [index, commit] of commits.entries()) {
    if (index % 500 === 0) search.onCount(index, commits.length);
    throwIfCancelled(signal);
    const parent = commit.parents[0];
    const after = blobAt(index);
    const before = parent === undefined ? null : blobAt(indexOf.get(parent));
    if (after === before || found.has(index)) continue;
    const match = await matchChange(context, search, { before, after });
    if (match !== null) found.set(index, { index, commit: commit.hash, ...match });
  }
}

async function matchChange(
  context: ChangesContext,
  { path, text }: ChangeSearch,
  pair: { before: string | null; after: string | null },
): Promise<Pick<Match, 'field' | 'text'> | null> {
  const parse = async (blob: string | null) => {
    if (blob === null || (await storedAs(context, blob)).storage !== 'theta') return null;
    // A metadata file that cannot be read is said where it is shown; it matches nothing here.
    return context.metadata.parsed(blob, path).catch(() => null);
  };
  const diff = diffMetadata(await parse(pair.before), await parse(pair.after));
  const changed = [...diff.added, ...diff.modified, ...diff.removed];
  const named = changed.find((entry) => entry.name.toLowerCase().includes(text));
  if (named !== undefined) return { field: 'parameter', text: named.name };
  const renamed = diff.renamed.find(({ a, b }) => a.name.toLowerCase().includes(text) || b.name.toLowerCase().includes(text));
  if (renamed !== undefined) return { field: 'parameter', text: `${renamed.a.name} → ${renamed.b.name}` };
  const typed = [...diff.added, ...diff.modified].find((entry) => entry.updateType.toLowerCase().includes(text));
  return typed === undefined ? null : { field: 'update-type', text: `${typed.updateType}: ${typed.name}` };
}
