import type { KeyboardEvent } from 'react';
import { type CellPlace, moveCell } from '../../charts/timelineMoves';
import { UNCHANGED } from '../../charts/timelineStates';
import { stepZoom } from '../../charts/timelineZoom';
import { asksToCopy, copyText } from '../../components/copyText';
import type { ActiveCellUse } from './useActiveCell';
import type { GridChoices } from './useGridChoices';
import type { ShownTimeline } from './useTimeline';

/** Size that the key 0 goes back to. */
export const USUAL_CELL = 28;

interface GridKeysOptions {
  readonly shown: ShownTimeline;
  readonly cursor: ActiveCellUse;
  readonly choices: GridChoices;
  readonly zoom: (size: number) => void;
  readonly show: (cell: CellPlace) => void;
  /** Rows in view. */
  readonly page: number;
  /** The active cell in words, for the clipboard. */
  readonly text: string;
  readonly isHovered: boolean;
  readonly leave: () => void;
  readonly onOpenGroup: () => void;
}

/**
 * Arrows go from cell to cell, with Ctrl to the next change, with Shift they choose versions; Space marks one end of a range and then the other;
 * Enter chooses group and commit, or opens a module; + - 0 zoom; Escape forgets the range.
 */
export function useGridKeys(options: GridKeysOptions): (event: KeyboardEvent) => void {
  return (event) => {
    const { cursor } = options;
    if (cursor.active === null || !(act(event, options, cursor.active) || move(event, options, cursor.active))) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function act(event: KeyboardEvent, options: GridKeysOptions, active: CellPlace): boolean {
  const { shown, cursor, choices, zoom } = options;
  if (asksToCopy(event)) {
    void copyText(options.text);
    return true;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  switch (event.key) {
    case '+':
    case '=':
    case '-':
      zoom(stepZoom(shown.options.cell, event.key === '-' ? -1 : 1));
      return true;
    case '0':
      zoom(USUAL_CELL);
      return true;
    case 'Escape':
      if (!options.isHovered && shown.range === null && cursor.anchor === null) return false;
      options.leave();
      cursor.setAnchor(null);
      choices.clearRange();
      return true;
    case ' ':
      if (cursor.anchor !== null && cursor.anchor !== active.column) {
        choices.setRange(cursor.anchor, active.column);
        cursor.setAnchor(null);
      } else cursor.setAnchor(cursor.anchor === null ? active.column : null);
      return true;
    case 'Enter':
      if (shown.rows.tree[shown.places[active.row] ?? -1]?.kind === 'module') choices.chooseRow(active.row);
      else {
        choices.choose(active);
        // The detail is rendered only after this choice.
        requestAnimationFrame(options.onOpenGroup);
      }
      return true;
    default:
      return false;
  }
}

function move(event: KeyboardEvent, { shown, cursor, choices, show, page, leave }: GridKeysOptions, active: CellPlace): boolean {
  if (event.altKey) return false;
  const move = { key: event.key, far: event.ctrlKey || event.metaKey };
  const target = moveCell(active, move, {
    rows: shown.places.length,
    columns: shown.columns.length,
    page: Math.max(1, page - 1),
    isChanged: (row, column) => isChanged(shown, { row, column }),
  });
  if (target === null) return false;
  if (event.shiftKey && target.column !== active.column) {
    const from = cursor.anchor ?? active.column;
    cursor.setAnchor(from);
    choices.setRange(from, target.column);
  }
  leave();
  cursor.setActive(target);
  show(target);
  return true;
}

function isChanged({ states, rows, places, columns, changesOf }: ShownTimeline, at: CellPlace): boolean {
  const place = places[at.row] ?? -1;
  const column = columns[at.column] ?? -1;
  const row = rows.rowAt[place] ?? -1;
  return row >= 0 ? states.kindAt(row, column) > UNCHANGED : (changesOf(place).counts[column] ?? 0) > 0;
}
