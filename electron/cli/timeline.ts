import { formatBytes } from '../../shared/base/formatBytes';
import { CheckpointError } from '../../shared/contract/errors';
import { formatShape } from '../../shared/model/shape';
import { formatShare } from '../../shared/model/summariseComparison';
import { TIMELINE_KINDS, type TimelineColumn, type TimelineIndex } from '../../shared/model/timeline';
import { formatError } from './formatError';
import type { Session } from './session';
import { formatTable, terminalText } from './terminalText';
import { changedCells, measuredCells, type TimelineCell } from './timelineCells';
import { timelineCsv, timelineJson } from './timelineDocuments';
import { readNamedTimeline } from './timelineTarget';

export interface TimelineOptions {
  /** Groups whose values are measured too; `null`: what commits did, without numbers. */
  readonly isWanted: ((name: string) => boolean) | null;
  /** Every branch and tag instead of HEAD. */
  readonly all: boolean;
  readonly output: 'text' | 'json' | 'csv';
}

/**
 * `theta timeline`: what every commit did to the parameter groups of a checkpoint, oldest first; for some groups, with numbers of every version.
 * Returns the exit code: 1 when a version or a group of it cannot be read.
 */
export async function timeline(session: Session, name: string, { isWanted, all, output }: TimelineOptions): Promise<number> {
  const { path, index } = await readNamedTimeline(session, name, { kind: all ? 'all' : 'head' });
  const changed = changedCells(index, isWanted ?? (() => true));
  if (isWanted !== null && changed.length === 0) {
    throw new CheckpointError('not-found', `No version of ${path} has a parameter group that the pattern names.`, { place: { file: path } });
  }
  const cells = isWanted === null ? changed : await measuredCells(session, path, changed);
  const document = { path, index, cells, measured: isWanted !== null };
  const { terminal } = session;
  if (output === 'json') terminal.out(`${JSON.stringify(timelineJson(document), null, 2)}\n`);
  else if (output === 'csv') terminal.out(timelineCsv(document));
  else terminal.out(isWanted === null ? formatCommits(path, index) : formatGroups(path, cells));
  const errors = [...index.columns, ...cells].flatMap(({ error }) => (error === null ? [] : [error]));
  for (const error of errors) terminal.err(formatError(CheckpointError.fromData(error)));
  return errors.length > 0 ? 1 : 0;
}

/** Commits that changed the checkpoint, with what they did to how many groups. */
function formatCommits(path: string, index: TimelineIndex): string {
  const { columns, rows, omitted } = index;
  const shown = [...columns.entries()].filter(([, { touched, error }]) => touched || error !== null);
  const lines = [`${terminalText(path)}: ${columns.length} commits, ${shown.length} changed it; ${rows.length} parameter groups in all`];
  if (omitted > 0) lines.push(`${omitted} older commits are left out.`);
  const table = shown.map(([place, column]) => [shortHash(column), dateOf(column), ...whatChanged(index, place), column.title]);
  return `${[...lines, '', formatTable([{ title: 'commit' }, { title: 'date' }, { title: 'groups' }, { title: 'stored', align: 'right' }, { title: 'title' }], table)].join('\n')}\n`;
}

function whatChanged({ columns, changes }: TimelineIndex, place: number): [string, string] {
  const error = columns[place]?.error ?? null;
  if (error !== null) return [`cannot be read: ${error.code}`, ''];
  const counts = new Array<number>(TIMELINE_KINDS.length).fill(0);
  let bytes = 0;
  for (let at = changes.starts[place] ?? 0; at < (changes.starts[place + 1] ?? 0); at++) {
    const kind = changes.kinds[at] ?? 0;
    counts[kind] = (counts[kind] ?? 0) + 1;
    bytes += changes.storedBytes[at] ?? 0;
  }
  const parts = TIMELINE_KINDS.flatMap((kind, code) => ((counts[code] ?? 0) > 0 ? [`${counts[code]} ${kind}`] : []));
  return [parts.join(', ') || 'none', formatBytes(bytes)];
}

const COLUMNS = [
  { title: 'commit' },
  { title: 'date' },
  { title: 'update' },
  { title: 'stored', align: 'right' },
  { title: 'norm', align: 'right' },
  { title: 'mean', align: 'right' },
  { title: 'std', align: 'right' },
  { title: '‖Δ‖', align: 'right' },
  { title: 'rel. L2', align: 'right' },
  { title: 'changed', align: 'right' },
  { title: 'title' },
] as const;

/** A table for each group: a line for every version. */
function formatGroups(path: string, cells: readonly TimelineCell[]): string {
  const names = [...new Set(cells.map(({ row }) => row.name))];
  const tables = names.map((name) => {
    const own = cells.filter(({ row }) => row.name === name);
    const [first] = own;
    const head = first === undefined ? '' : `${terminalText(name)}  ${first.row.dtype}  ${formatShape(first.row.shape)}`;
    return `${head}\n${formatTable(COLUMNS, own.map(cellTexts))}`;
  });
  return `${terminalText(path)}\n\n${tables.join('\n\n')}\n`;
}

function cellTexts({ column, change, otherName, storedBytes, stats, difference, error }: TimelineCell): string[] {
  const number = (value: number | null | undefined) => (value == null ? '' : value === 0 ? '0' : value.toPrecision(4));
  const share = difference === null || difference.elements === 0 ? '' : formatShare(difference.changed / difference.elements);
  return [
    shortHash(column),
    dateOf(column),
    `${change}${otherName === null ? '' : change === 'removed' ? ` (now ${otherName})` : ` from ${otherName}`}${error === null ? '' : ' (damaged)'}`,
    change === 'removed' ? '' : formatBytes(storedBytes),
    number(stats?.norm),
    number(stats?.mean),
    number(stats?.std),
    number(difference?.norm),
    number(difference?.relativeL2),
    share,
    column.title,
  ];
}

function shortHash({ commit }: TimelineColumn): string {
  return commit.slice(0, 10);
}

function dateOf({ time }: TimelineColumn): string {
  return new Date(time * 1000).toISOString().slice(0, 16).replace('T', ' ');
}
