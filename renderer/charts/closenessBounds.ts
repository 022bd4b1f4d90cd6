import type { Closeness, PairNumbers } from '../../shared/model/pairNumbers';

export interface Tolerance {
  readonly rtol: number;
  readonly atol: number;
}

/** Nothing is tolerated: an element changed when its bits did. */
export const BITS: Tolerance = { rtol: 0, atol: 0 };

export function isBits({ rtol, atol }: Tolerance): boolean {
  return rtol === 0 && atol === 0;
}

/** A table of `Closeness` without its empty cells: a few hundred bytes where the table has kilobytes. */
export interface PackedCloseness {
  readonly deltaFrom: number;
  readonly baseFrom: number;
  readonly rows: number;
  readonly columns: number;
  /** Places in the table, ascending. */
  readonly cells: Uint32Array<ArrayBuffer>;
  readonly counts: Float64Array<ArrayBuffer>;
}

export function packCloseness({ counts: table, ...place }: Closeness): PackedCloseness {
  let used = 0;
  for (const count of table) if (count > 0) used++;
  const cells = new Uint32Array(used);
  const counts = new Float64Array(used);
  let at = 0;
  table.forEach((count, cell) => {
    if (count === 0) return;
    cells[at] = cell;
    counts[at++] = count;
  });
  return { ...place, cells, counts };
}

/** Least and most elements that can be beyond a tolerance; equal where that is known. */
export interface BeyondBounds {
  readonly least: number;
  readonly most: number;
}

/**
 * How many elements are beyond `|b - a| <= atol + rtol · |a|`, judged from what was measured with another tolerance: a cell of the table is
 * beyond, or within, with all of its elements when its whole range is. Elements that are finite on one side only are always beyond.
 */
export function boundBeyond(numbers: PairNumbers, closeness: PackedCloseness | null, tolerance: Tolerance): BeyondBounds {
  const exact = (count: number) => ({ least: count, most: count });
  if (isBits(tolerance)) return exact(numbers.changed);
  if (numbers.changed === 0) return exact(0);
  if (numbers.rtol === tolerance.rtol && numbers.atol === tolerance.atol) return exact(numbers.beyond);
  if (numbers.maxAbs <= tolerance.atol) return exact(numbers.notFinite);
  if (closeness === null) return { least: numbers.notFinite, most: Math.max(numbers.notFinite, numbers.changed) };
  let [least, most] = [numbers.notFinite, numbers.notFinite];
  closeness.cells.forEach((cell, at) => {
    const count = closeness.counts[at] ?? 0;
    const side = judgeCell(closeness, cell, tolerance);
    if (side !== 'within') most += count;
    if (side === 'beyond') least += count;
  });
  return { least, most };
}

function judgeCell({ deltaFrom, baseFrom, rows, columns }: PackedCloseness, cell: number, { rtol, atol }: Tolerance): 'beyond' | 'within' | 'unknown' {
  const [row, column] = [Math.floor(cell / columns), cell % columns];
  const [leastDelta, mostDelta] = rangeOf(row, rows, deltaFrom);
  const [leastBase, mostBase] = rangeOf(column, columns, baseFrom);
  // A threshold at the end of a range decides for the range, which is open there.
  if (mostDelta <= atol + rtol * leastBase) return 'within';
  const farthest = rtol === 0 ? atol : atol + rtol * mostBase;
  if (leastDelta >= farthest && leastDelta > 0) return leastDelta > farthest || rtol > 0 ? 'beyond' : 'unknown';
  return 'unknown';
}

/** Numbers that a row or column stands for; the first reaches down to zero, the last up without end. */
function rangeOf(place: number, count: number, from: number): readonly [least: number, most: number] {
  return [place === 0 ? 0 : 2 ** (from + place), place === count - 1 ? Number.POSITIVE_INFINITY : 2 ** (from + place + 1)];
}
