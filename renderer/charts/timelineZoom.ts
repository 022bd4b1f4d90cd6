/** Sides of a cell in CSS pixels, from the overview to single cells. */
export const CELL_SIZES = [2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28] as const;
/** From here on a cell has room for a sign. */
export const GLYPH_SIZE = 14;

/** The next size; the same one at the end. */
export function stepZoom(size: number, direction: 1 | -1): number {
  const sizes: readonly number[] = direction > 0 ? CELL_SIZES : CELL_SIZES.toReversed();
  return sizes.find((candidate) => (direction > 0 ? candidate > size : candidate < size)) ?? size;
}

/** Side of a cell such that cells begin at whole device pixels: nothing is blurred or uneven. */
export function snapCell(size: number, ratio: number): number {
  return Math.max(1, Math.round(size * ratio)) / ratio;
}

/** Scroll position along one axis such that what is under the pointer stays there. @param pointer pixels from the edge of the view */
export function zoomAround(scroll: number, pointer: number, { from, to }: { readonly from: number; readonly to: number }): number {
  return Math.max(0, ((scroll + pointer) / from) * to - pointer);
}

/** First and end (excluded) of the cells in view along one axis. */
export function cellsInView(scroll: number, length: number, { cell, count }: { readonly cell: number; readonly count: number }): readonly [number, number] {
  const first = Math.max(0, Math.min(count, Math.floor(scroll / cell)));
  return [first, Math.max(first, Math.min(count, Math.ceil((scroll + length) / cell)))];
}

/** Scroll position along one axis that shows a cell, moved as little as possible. */
export function scrollToCell(place: number, scroll: number, { cell, length }: { readonly cell: number; readonly length: number }): number {
  const start = place * cell;
  if (start < scroll) return start;
  const end = start + cell - length;
  return end > scroll ? Math.max(0, Math.min(start, end)) : scroll;
}

/** Every how many cells a label of a size has room. */
export function labelStride(cell: number, label: number): number {
  return Math.max(1, Math.ceil(label / cell));
}

/**
 * Which rows have a label when not all of them have room: outer modules before inner ones before groups, none closer to another than a label is high.
 * @param depths depth of each row in view; groups count as deeper than any module
 * @returns places, ascending
 */
export function chooseLabels(depths: readonly number[], { cell, label }: { readonly cell: number; readonly label: number }): number[] {
  const reach = labelStride(cell, label);
  const taken = new Uint8Array(depths.length);
  const chosen: number[] = [];
  const order = depths.map((_, place) => place).sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0) || a - b);
  for (const place of order) {
    if (taken[place] === 1) continue;
    chosen.push(place);
    taken.fill(1, Math.max(0, place - reach + 1), place + reach);
  }
  return chosen.sort((a, b) => a - b);
}

export interface PlacedLabel {
  /** Which one of those that were given. */
  readonly index: number;
  readonly left: number;
  readonly width: number;
}

/**
 * Labels above their columns, in one line: a label begins at its column, or ends there where the view does, or follows another one of the same
 * column; one that has no room beside those that were given before it is left out.
 */
export function placeLabels(
  labels: readonly { readonly at: number; readonly width: number }[],
  { length, cell, gap }: { readonly length: number; readonly cell: number; readonly gap: number },
): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  labels.forEach(({ at, width: wanted }, index) => {
    if (at + cell <= 0 || at >= length) return;
    const width = Math.min(wanted, length);
    const own = Math.max(0, at + width > length ? Math.min(length, at + cell) - width : at);
    const beside = placed.filter((other) => labels[other.index]?.at === at).map((other) => other.left + other.width + gap);
    const isFree = (left: number) => placed.every((other) => left >= other.left + other.width + gap || left + width + gap <= other.left);
    const left = [own, ...beside].find((candidate) => candidate + width <= length && isFree(candidate));
    if (left !== undefined) placed.push({ index, left, width });
  });
  return placed;
}
