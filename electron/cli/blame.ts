import { CheckpointError } from '../../shared/contract/errors';
import type { CommitHash } from '../../shared/model/commit';
import { type Blame, blameGroup } from '../services/timeline/blame';
import { repositoryTarget } from './repositoryTarget';
import type { Session } from './session';
import { formatTable, terminalText } from './terminalText';
import { cellContext, readTimeline } from './timelineTarget';

export interface BlameOptions {
  /** Name the rows too, in stretches that one commit changed last. */
  readonly rows: boolean;
  readonly json: boolean;
}

interface Stretch {
  readonly from: number;
  /** Excluded. */
  readonly to: number;
  readonly commit: CommitHash;
}

/** `theta blame`: which commit last changed each row of a group (leading axes × last axis). Returns the exit code. */
export async function blame(session: Session, target: string, wanted: { readonly group: string; readonly options: BlameOptions }): Promise<number> {
  const { group, options } = wanted;
  const { commit, path } = await repositoryTarget(session, target);
  const index = await readTimeline(session, path, { kind: 'commit', commit });
  const found = await blameGroup(await cellContext(session, path), index, { commit, group, window: null });
  const columns = new Map(index.columns.map((column) => [column.commit, column]));
  const counts = found.commits.map((_, place) => found.rows.reduce((sum, value) => sum + (value === place ? 1 : 0), 0));
  const stretches = stretchesOf(found);
  if (options.json) {
    const commits = found.commits.map((hash, place) => ({
      commit: hash,
      title: columns.get(hash)?.title ?? '',
      author: columns.get(hash)?.author ?? '',
      rows: counts[place],
    }));
    const document = { path, commit, group, rows: found.rows.length, commits, note: found.note, ...(options.rows ? { stretches } : {}) };
    session.terminal.out(`${JSON.stringify(document, null, 2)}\n`);
    return 0;
  }
  const table = found.commits.map((hash, place) => {
    const column = columns.get(hash);
    const date = column === undefined ? '' : new Date(column.time * 1000).toISOString().slice(0, 16).replace('T', ' ');
    return [hash.slice(0, 10), date, column?.author ?? '', String(counts[place]), column?.title ?? ''];
  });
  const lines = [
    `${terminalText(group)} in ${terminalText(path)} at ${commit.slice(0, 10)}: ${found.rows.length} ${found.rows.length === 1 ? 'row' : 'rows'}`,
    '',
    formatTable([{ title: 'commit' }, { title: 'date' }, { title: 'author' }, { title: 'rows', align: 'right' }, { title: 'title' }], table),
  ];
  if (options.rows) {
    const rows = stretches.map(({ from, to, commit: hash }) => [
      to - from === 1 ? String(from) : `${from}-${to - 1}`,
      hash.slice(0, 10),
      columns.get(hash)?.title ?? '',
    ]);
    lines.push('', formatTable([{ title: 'rows' }, { title: 'commit' }, { title: 'title' }], rows));
  }
  session.terminal.out(`${lines.join('\n')}\n`);
  if (found.note !== null) session.terminal.err(`${terminalText(found.note)}\n`);
  return 0;
}

/** Neighbouring rows that one commit changed last. */
function stretchesOf({ rows, commits }: Blame): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (let from = 0; from < rows.length; ) {
    let to = from + 1;
    while (to < rows.length && rows[to] === rows[from]) to++;
    const commit = commits[rows[from] ?? -1];
    if (commit === undefined) throw new CheckpointError('internal', 'A row was left without a commit.');
    stretches.push({ from, to, commit });
    from = to;
  }
  return stretches;
}
