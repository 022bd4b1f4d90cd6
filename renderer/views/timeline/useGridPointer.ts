import { type MouseEvent, type PointerEvent, type RefObject, useCallback, useState } from 'react';
import type { CellPlace } from '../../charts/timelineMoves';
import { HEAD_HEIGHT } from './gridSize';
import type { ActiveCellUse } from './useActiveCell';
import type { GridChoices } from './useGridChoices';

export interface HoveredCell extends CellPlace {
  /** The pointer, in pixels of the view. */
  readonly x: number;
  readonly y: number;
}

interface GridPointerOptions {
  readonly rows: number;
  readonly columns: number;
  readonly cell: number;
  readonly headWidth: number;
  readonly cursor: ActiveCellUse;
  readonly choices: GridChoices;
}

interface GridPointer {
  readonly hover: HoveredCell | null;
  readonly leave: () => void;
  readonly handleMove: (event: PointerEvent) => void;
  readonly handleClick: (event: MouseEvent) => void;
}

/** The pointer reads a cell; a click chooses it, or what its head names; with Shift the versions from the active cell to it. */
export function useGridPointer(scroller: RefObject<HTMLElement | null>, options: GridPointerOptions): GridPointer {
  const { cursor, choices } = options;
  const [hover, setHover] = useState<HoveredCell | null>(null);
  const leave = useCallback(() => setHover(null), []);

  const handleMove = (event: PointerEvent) => {
    const under = placeUnder(scroller.current, event, options);
    const next = under?.part === 'cells' && under.row >= 0 && under.column >= 0 ? under : null;
    setHover((before) => (before !== null && next !== null && before.row === next.row && before.column === next.column ? before : next));
  };
  const handleClick = (event: MouseEvent) => {
    const under = placeUnder(scroller.current, event, options);
    if (under === null) return;
    const { active } = cursor;
    if (under.part === 'names') {
      if (under.row < 0) return;
      cursor.setActive({ row: under.row, column: active?.column ?? options.columns - 1 });
      choices.chooseRow(under.row);
      return;
    }
    if (under.column < 0 || (under.part === 'cells' && under.row < 0)) return;
    const next = { row: under.part === 'cells' ? under.row : (active?.row ?? 0), column: under.column };
    if (event.shiftKey && active !== null) {
      const from = cursor.anchor ?? active.column;
      cursor.setAnchor(from);
      choices.setRange(from, next.column);
    } else {
      cursor.setAnchor(null);
      if (under.part === 'cells') choices.choose(next);
      else choices.chooseColumn(next.column);
    }
    cursor.setActive(next);
  };
  return { hover, leave, handleMove, handleClick };
}

interface PlaceUnder extends HoveredCell {
  readonly part: 'cells' | 'names' | 'commits';
}

/** Row and column are -1 where there are none; labels stand for their row or column also where they are larger than it. */
function placeUnder(
  element: HTMLElement | null,
  event: { readonly clientX: number; readonly clientY: number; readonly target: EventTarget },
  { rows, columns, cell, headWidth }: GridPointerOptions,
): PlaceUnder | null {
  if (element === null) return null;
  const box = element.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  if (x < headWidth && y < HEAD_HEIGHT) return null;
  const label = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row], [data-column]') : null;
  const at = (pixel: number, count: number) => (pixel < 0 || pixel >= count * cell ? -1 : Math.floor(pixel / cell));
  const row = label?.dataset.row === undefined ? at(y - HEAD_HEIGHT + element.scrollTop, rows) : Number(label.dataset.row);
  const column = label?.dataset.column === undefined ? at(x - headWidth + element.scrollLeft, columns) : Number(label.dataset.column);
  return { x, y, row, column, part: x < headWidth ? 'names' : y < HEAD_HEIGHT ? 'commits' : 'cells' };
}
