import type { Closeness } from '../../../shared/model/pairNumbers';

/** Powers of two that are told apart: |b - a| and |a| from 2^-128 on, 256 of each; what is smaller or larger is at the edges. */
const FROM = -128;
const SIDE = 256;
/** What exponents in a double are counted from. */
const BIAS = 1023;

/**
 * Counts elements by the exponents of |b - a| and |a|. A checkpoint may have ten thousand small groups: a table is used again and only looked at
 * where it was written to.
 */
export class ClosenessTable {
  readonly #counts = new Float64Array(SIDE * SIDE);
  #top = SIDE;
  #bottom = -1;
  #left = SIDE;
  #right = 0;

  /** @param delta, base exponent bits of two doubles; 0 has the lowest there are */
  add(delta: number, base: number, count = 1): void {
    const row = placeOf(delta);
    const column = placeOf(base);
    if (row < this.#top) this.#top = row;
    if (row > this.#bottom) this.#bottom = row;
    if (column < this.#left && column > 0) this.#left = column;
    if (column > this.#right) this.#right = column;
    const place = row * SIDE + column;
    this.#counts[place] = (this.#counts[place] as number) + count;
  }

  /**
   * What was counted, cut down to the rows and columns that hold something, and an empty table. Column 0 stays the one of zeros and of what is
   * smaller than the columns; it holds nothing else unless the columns reach down to the lowest of the whole table.
   */
  take(): Closeness {
    const left = this.#left === SIDE ? 0 : this.#left - 1;
    const columns = Math.max(left, this.#right) - left + 1;
    const rows = Math.max(0, this.#bottom - this.#top + 1);
    const counts = new Float64Array(rows * columns);
    for (let row = 0; row < rows; row++) {
      const from = (this.#top + row) * SIDE;
      for (let column = 1; column < columns; column++) counts[row * columns + column] = this.#counts[from + left + column] as number;
      counts[row * columns] = this.#counts[from] as number;
      this.#counts.fill(0, from, from + SIDE);
    }
    const found = { deltaFrom: FROM + (rows === 0 ? 0 : this.#top), baseFrom: FROM + left, rows, columns, counts };
    this.#top = SIDE;
    this.#bottom = -1;
    this.#left = SIDE;
    this.#right = 0;
    return found;
  }
}

function placeOf(bits: number): number {
  const place = bits - BIAS - FROM;
  return place < 0 ? 0 : place >= SIDE ? SIDE - 1 : place;
}

/** Both together. */
export function joinCloseness(one: Closeness, other: Closeness): Closeness {
  const table = new ClosenessTable();
  for (const { deltaFrom, baseFrom, columns, counts } of [one, other]) {
    for (const [i, count] of counts.entries()) {
      if (count === 0) continue;
      const column = i % columns;
      // Column 0 may hold zeros, which are in the table's own column 0, wherever its columns begin.
      table.add(deltaFrom + Math.floor(i / columns) + BIAS, column === 0 ? 0 : baseFrom + column + BIAS, count);
    }
  }
  return table.take();
}

export function noCloseness(): Closeness {
  return { deltaFrom: 0, baseFrom: 0, rows: 0, columns: 0, counts: new Float64Array(0) };
}
