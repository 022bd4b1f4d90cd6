import { TIMELINE_KINDS } from '../../../shared/model/timeline';
import { ABSENT, UNCHANGED } from '../../charts/timelineStates';
import type { ExportTable, TableValue } from '../../components/tableText';
import { MEASURE_LOOKS } from '../../state/cellNumbers';
import type { ShownTimeline } from './useTimeline';

/** One line for each group at each shown commit where it is there: what happened, and the numbers that are known. */
export function timelineTable(shown: ShownTimeline): ExportTable {
  const { measure } = shown.options;
  const columns = ['group', 'dtype', 'shape', 'commit', 'date', 'title', 'author', 'update', 'stored_bytes', ...(measure === 'update' ? [] : [measure])];
  return { columns, rows: lines(shown) };
}

function* lines({ states, rows, columns, numbers, options }: ShownTimeline): Generator<readonly TableValue[]> {
  const { index } = states;
  const { measure } = options;
  for (const row of rows.rowAt) {
    const group = index.rows[row];
    if (group === undefined) continue;
    const entries = states.statesOf(row);
    for (const column of columns) {
      const version = index.columns[column];
      const entry = entries[column] ?? -1;
      const kind = states.kindAt(row, column);
      if (version === undefined || kind === ABSENT) continue;
      const isHere = kind > UNCHANGED;
      const line: TableValue[] = [
        group.name,
        group.dtype,
        group.shape.join('x'),
        version.commit,
        isoTime(version.time),
        version.title,
        version.author,
        isHere ? (TIMELINE_KINDS[kind] ?? 'other') : 'unchanged',
        isHere ? (index.changes.storedBytes[entry] ?? 0) : 0,
      ];
      if (measure !== 'update') {
        const { source } = MEASURE_LOOKS[measure];
        const isStill = source === 'differences' && !isHere;
        line.push(isStill ? 0 : numbers.isKnown(source, entry) ? numbers.value(measure, entry) : null);
      }
      yield line;
    }
  }
}

/** Empty for a time that no calendar has. */
function isoTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
