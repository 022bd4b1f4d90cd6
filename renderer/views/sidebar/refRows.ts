import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { CommitHash, RefKind } from '../../../shared/model/commit';

export interface RefRow {
  readonly kind: RefKind | 'detached';
  readonly name: string;
  /** `null`: the branch has no commits yet. */
  readonly commit: CommitHash | null;
  readonly isHead: boolean;
}

/** Rows of one kind of ref; branches begin with where HEAD is, also when that is no branch or one without commits. */
export function refRows(repository: Pick<RepositoryDescription, 'refs' | 'head'>, kind: RefKind): RefRow[] {
  const { head, refs } = repository;
  const headName = head.kind === 'detached' ? null : head.name;
  const rows = refs
    .filter((ref) => ref.kind === kind)
    .map((ref): RefRow => ({ kind, name: ref.name, commit: ref.commit, isHead: kind === 'branch' && ref.name === headName }));
  rows.sort((a, b) => Number(b.isHead) - Number(a.isHead) || collator.compare(a.name, b.name));
  if (kind !== 'branch') return rows;
  if (head.kind === 'detached') rows.unshift({ kind: 'detached', name: head.commit.slice(0, 10), commit: head.commit, isHead: true });
  if (head.kind === 'unborn') rows.unshift({ kind, name: head.name, commit: null, isHead: true });
  return rows;
}

/** Rows that are shown at once: more are only in the way, and are found by name. */
const MOST_ROWS = 100;

/** Rows whose name holds the filter, and how many more there are than are shown. */
export function rowsInView(rows: readonly RefRow[], filter: string): { readonly rows: readonly RefRow[]; readonly hidden: number } {
  const text = filter.trim().toLowerCase();
  const matching = text === '' ? rows : rows.filter((row) => row.name.toLowerCase().includes(text));
  return { rows: matching.slice(0, MOST_ROWS), hidden: Math.max(0, matching.length - MOST_ROWS) };
}

/** `v2` before `v10`. */
const collator = new Intl.Collator('en', { numeric: true });
