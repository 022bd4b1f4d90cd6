import type { ErrorData } from '../../shared/contract/errors';
import type { PairNumbers } from '../../shared/model/pairNumbers';
import type { TensorStats } from '../../shared/model/tensorStats';
import { TIMELINE_KINDS, type TimelineColumn, type TimelineIndex, type TimelineKind, type TimelineRow } from '../../shared/model/timeline';
import { compareCells, measureCells } from '../services/timeline/measureCells';
import { createProgressLine } from './progressLine';
import type { Session } from './session';
import { cellContext } from './timelineTarget';

const BATCH = 64;

/** A change of one group by one commit. */
export interface TimelineCell {
  readonly row: TimelineRow;
  readonly column: TimelineColumn;
  readonly change: TimelineKind;
  /** Of a renamed group: its former name; of one that a rename took away: the new name. */
  readonly otherName: string | null;
  readonly storedBytes: number;
  /** `null` where nothing was measured, or there is nothing to measure. */
  readonly stats: TensorStats | null;
  /** Against the first parent. */
  readonly difference: PairNumbers | null;
  readonly error: ErrorData | null;
}

/** The changes of some groups, commit by commit, oldest first. */
export function changedCells({ columns, rows, changes, renames }: TimelineIndex, isWanted: (name: string) => boolean): readonly TimelineCell[] {
  const wanted = rows.map(({ name }) => isWanted(name));
  const cells: TimelineCell[] = [];
  const otherNames = new Map(
    renames.flatMap(({ column, from, to }) => [[`${column} ${from}`, rows[to]?.name ?? null] as const, [`${column} ${to}`, rows[from]?.name ?? null] as const]),
  );
  for (const [place, column] of columns.entries()) {
    for (let at = changes.starts[place] ?? 0; at < (changes.starts[place + 1] ?? 0); at++) {
      const number = changes.rows[at] ?? 0;
      const row = rows[number];
      const change = TIMELINE_KINDS[changes.kinds[at] ?? 0];
      if (row === undefined || change === undefined || wanted[number] !== true) continue;
      cells.push({
        row,
        column,
        change,
        otherName: otherNames.get(`${place} ${number}`) ?? null,
        storedBytes: changes.storedBytes[at] ?? 0,
        stats: null,
        difference: null,
        error: null,
      });
    }
  }
  return cells;
}

/** The same cells with their statistics and differences. One that cannot be read says why. */
export async function measuredCells(session: Session, path: string, cells: readonly TimelineCell[]): Promise<readonly TimelineCell[]> {
  const context = await cellContext(session, path);
  const line = createProgressLine(session.terminal, 'Reading');
  const measured: TimelineCell[] = [];
  try {
    for (let at = 0; at < cells.length; at += BATCH) {
      const batch = cells.slice(at, at + BATCH);
      const there = batch.filter(({ change }) => change !== 'removed');
      const wanted = there.map(({ row, column }) => ({ commit: column.commit, group: row.name }));
      const [stats, differences] = [await measureCells(context, wanted, null), await compareCells(context, wanted)];
      const places = new Map(there.map((cell, place) => [cell, place]));
      for (const cell of batch) {
        const place = places.get(cell);
        const found = place === undefined ? undefined : stats[place];
        const difference = place === undefined ? undefined : differences[place];
        // A change of shape has no difference, and is no failure.
        measured.push({ ...cell, stats: found?.stats ?? null, difference: difference?.numbers ?? null, error: found?.error ?? null });
      }
      line.update({ phase: 'Reading', done: measured.length, total: cells.length, unit: 'groups' });
    }
    return measured;
  } finally {
    line.clear();
  }
}
