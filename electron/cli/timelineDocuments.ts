import type { TimelineIndex } from '../../shared/model/timeline';
import type { TimelineCell } from './timelineCells';

/** Numbers of a cell by the names of JSON and CSV, the same as those of conditions where these have one. */
function numbersOf({ stats, difference }: TimelineCell) {
  return {
    min: stats?.min ?? null,
    max: stats?.max ?? null,
    mean: stats?.mean ?? null,
    std: stats?.std ?? null,
    l1: stats?.l1 ?? null,
    norm: stats?.norm ?? null,
    elements: stats?.count ?? null,
    zeros: stats?.zeros ?? null,
    nan: stats?.nan ?? null,
    inf: stats === null ? null : stats.positiveInfinity + stats.negativeInfinity,
    subnormals: stats?.subnormals ?? null,
    distinct: stats?.distinct.count ?? null,
    delta: difference?.norm ?? null,
    relative_l2: difference?.relativeL2 ?? null,
    max_abs: difference?.maxAbs ?? null,
    mean_abs: difference?.meanAbs ?? null,
    cosine: difference?.cosine ?? null,
    changed_share: difference === null || difference.elements === 0 ? null : difference.changed / difference.elements,
  };
}

export interface TimelineDocument {
  readonly path: string;
  readonly index: TimelineIndex;
  readonly cells: readonly TimelineCell[];
  /** Whether cells hold numbers. */
  readonly measured: boolean;
}

/** The document of `theta timeline --json`. Infinite numbers, which JSON does not have, are `null`. */
export function timelineJson({ path, index, cells, measured }: TimelineDocument) {
  const byRow = new Map<string, TimelineCell[]>();
  for (const cell of cells) {
    const known = byRow.get(cell.row.name);
    if (known === undefined) byRow.set(cell.row.name, [cell]);
    else known.push(cell);
  }
  return {
    path,
    omitted: index.omitted,
    commits: index.columns.map(({ commit, parents, author, time, title, storage, touched, error }) => ({
      commit,
      parents: parents.map((parent) => index.columns[parent]?.commit),
      author,
      date: new Date(time * 1000).toISOString(),
      title,
      storage,
      touched,
      ...(error === null ? {} : { error }),
    })),
    groups: [...byRow.values()].map((versions) => {
      const { name, dtype, shape, bytes } = versions[0]?.row ?? { name: '', dtype: '', shape: [], bytes: 0 };
      return {
        name,
        dtype,
        shape,
        bytes,
        versions: versions.map((cell) => ({
          commit: cell.column.commit,
          change: cell.change,
          ...(cell.otherName === null ? {} : { [cell.change === 'removed' ? 'renamed_to' : 'renamed_from']: cell.otherName }),
          stored_bytes: cell.storedBytes,
          ...(measured ? numbersOf(cell) : {}),
          ...(cell.error === null ? {} : { error: cell.error }),
        })),
      };
    }),
  };
}

/** One line for each change, after a line of titles; RFC 4180, with line feeds. */
export function timelineCsv({ cells, measured }: TimelineDocument): string {
  const lines = cells.map((cell) => ({
    group: cell.row.name,
    commit: cell.column.commit,
    date: new Date(cell.column.time * 1000).toISOString(),
    author: cell.column.author,
    title: cell.column.title,
    change: cell.change,
    stored_bytes: cell.storedBytes,
    ...(measured ? { ...numbersOf(cell), error: cell.error?.message ?? null } : {}),
  }));
  const titles = ['group', 'commit', 'date', 'author', 'title', 'change', 'stored_bytes', ...(measured ? [...Object.keys(numbersOf(NOTHING)), 'error'] : [])];
  return `${[titles.join(','), ...lines.map((line) => Object.values(line).map(field).join(','))].join('\n')}\n`;
}

const NOTHING = { stats: null, difference: null } as TimelineCell;

/** Text that a spreadsheet would take for a formula gets an apostrophe before it. */
function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
