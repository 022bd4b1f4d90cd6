/** Height of a row of a grid in pixels: `--row` of the tokens. */
export const ROW_HEIGHT = 28;

/** Rows that a page key moves by: those in view, less the head and one to keep the place by. */
export function rowsOfPage(scroller: HTMLElement | null): number {
  return Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / ROW_HEIGHT) - 2);
}

/** Scrolls as little as it takes; the sticky head covers the first row of the view. */
export function showRow(scroller: HTMLElement | null, row: number): void {
  if (scroller === null || row < 0) return;
  const [top, bottom] = [row * ROW_HEIGHT, (row + 1) * ROW_HEIGHT];
  const height = scroller.clientHeight - ROW_HEIGHT;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (bottom > scroller.scrollTop + height) scroller.scrollTop = bottom - height;
}
