import type { StatusEntry } from '../../gitWriter';
import { runWriter } from './runWriter';
import type { WriterContext } from './writerContext';
import { nulFields } from './writerPaths';

/** What differs between HEAD, index and work tree, as `git status` finds it: like it, notes files that turned out equal in the index. */
export async function readStatus(context: WriterContext, signal?: AbortSignal): Promise<readonly StatusEntry[]> {
  const args = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--find-renames', '--no-ahead-behind'];
  const { output } = await runWriter(context, args, { what: 'compare the work tree with the index', signal });
  return parseStatus(nulFields(output));
}

/** Spaces before the path in records of each kind (git-status(1), "Porcelain Format Version 2"). */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 };

export function parseStatus(records: readonly string[]): readonly StatusEntry[] {
  const entries = new Map<string, StatusEntry>();
  for (let i = 0; i < records.length; i++) {
    const record = records[i] ?? '';
    const kind = record.charAt(0);
    const fields = FIELDS_BEFORE_PATH[kind];
    if (fields === undefined) continue;
    const path = afterSpaces(record, fields);
    if (kind === '?') {
      // A repository inside this one is shown as a folder; it is no file that could be tracked.
      if (!path.endsWith('/')) entries.set(path, { ...(entries.get(path) ?? { path, staged: 'unchanged' }), work: 'untracked' });
    } else if (kind === 'u') {
      entries.set(path, { path, staged: 'conflict', work: 'conflict' });
    } else {
      const entry: StatusEntry = { path, staged: stagedOf(record.charAt(2)), work: workOf(record.charAt(3)) };
      const from = kind === '2' ? records[++i] : undefined;
      entries.set(path, from === undefined || entry.staged !== 'renamed' ? entry : { ...entry, from });
    }
  }
  return [...entries.values()];
}

function afterSpaces(record: string, count: number): string {
  let position = 0;
  for (let i = 0; i < count; i++) position = record.indexOf(' ', position) + 1;
  return record.slice(position);
}

function stagedOf(letter: string): StatusEntry['staged'] {
  if (letter === '.') return 'unchanged';
  if (letter === 'A' || letter === 'C') return 'added';
  if (letter === 'D') return 'deleted';
  return letter === 'R' ? 'renamed' : 'modified';
}

function workOf(letter: string): StatusEntry['work'] {
  if (letter === '.') return 'unchanged';
  if (letter === 'D') return 'deleted';
  // `git add --intent-to-add`: the name is in the index, the content is not.
  return letter === 'A' ? 'untracked' : 'modified';
}
