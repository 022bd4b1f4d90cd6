import { type RefObject, useLayoutEffect, useRef } from 'react';
import { ROW_HEIGHT } from '../../components/gridRows';
import type { HistoryList } from '../../state/historyList';

/** Height of the sticky head, which covers rows. */
export const HEAD_HEIGHT = 28;

/** Scroll position that brings a row into view: none when it is there, the least for a near one, the middle for one far away. */
export function scrollToShow(row: number, { top, height }: { readonly top: number; readonly height: number }): number {
  const [rowTop, rowBottom] = [row * ROW_HEIGHT, (row + 1) * ROW_HEIGHT];
  if (rowTop >= top && rowBottom <= top + height) return top;
  const distance = rowTop < top ? top - rowTop : rowBottom - (top + height);
  if (distance > height) return Math.max(0, rowTop - (height - ROW_HEIGHT) / 2);
  return rowTop < top ? rowTop : rowBottom - height;
}

interface Anchor {
  readonly hash: string;
  /** Pixels from the top of the view. */
  readonly offset: number;
}

/**
 * Keeps the list where it is. When another list takes the place of the one in view (the order changed), the selected commit, or else the first
 * one in view, stays at its place on the screen; a wish to show a row scrolls as little as possible.
 */
export function useListScroll(
  scroller: RefObject<HTMLElement | null>,
  options: { readonly list: HistoryList; readonly selected: string | null; readonly reveal: { readonly row: number; readonly turn: number } | null },
): void {
  const { list, selected, reveal } = options;
  const shown = useRef(list);
  const lastTurn = useRef(0);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || shown.current === list) return;
    // The rows are those of the new list already, but the place is still that of the old one.
    const kept = findAnchor(shown.current, selected, element);
    shown.current = list;
    const row = kept === null ? undefined : list.rowOf(kept.hash);
    if (kept !== null && row !== undefined) element.scrollTop = row * ROW_HEIGHT - kept.offset;
  }, [scroller, list, selected]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || reveal === null || reveal.turn === lastTurn.current) return;
    lastTurn.current = reveal.turn;
    element.scrollTop = scrollToShow(reveal.row, { top: element.scrollTop, height: element.clientHeight - HEAD_HEIGHT });
  }, [scroller, reveal]);
}

function findAnchor(list: HistoryList, selected: string | null, element: HTMLElement): Anchor | null {
  const top = element.scrollTop;
  const row = selected === null ? undefined : list.rowOf(selected);
  const isInView = row !== undefined && row * ROW_HEIGHT >= top && row * ROW_HEIGHT < top + element.clientHeight;
  const kept = isInView ? row : Math.ceil(top / ROW_HEIGHT);
  const hash = list.commitAt(kept)?.hash;
  return hash === undefined ? null : { hash, offset: kept * ROW_HEIGHT - top };
}
