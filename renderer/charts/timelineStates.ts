import { BoundedMap } from '../../shared/base/boundedMap';
import { TIMELINE_KINDS, type TimelineIndex } from '../../shared/model/timeline';

/** Numbers of cells whose states are remembered: 64 MB. */
const REMEMBERED = 16 << 20;
const REMOVED = TIMELINE_KINDS.indexOf('removed');

/**
 * Reads a timeline by row: which entry of the changes gives the value of a group at a commit. Follows first parents, as the changes do; the states
 * of a row are computed when they are first asked for, and the ones that were not asked for the longest are forgotten.
 */
export class TimelineStates {
  readonly index: TimelineIndex;
  /** Column of each entry of the changes. */
  readonly columnOfEntry: Uint32Array<ArrayBuffer>;
  /** Entries of row r stand at `rowStarts[r]` … `rowStarts[r + 1]` of `rowEntries`, ascending by column. */
  readonly rowStarts: Uint32Array<ArrayBuffer>;
  readonly rowEntries: Uint32Array<ArrayBuffer>;
  readonly #parents: Int32Array<ArrayBuffer>;
  readonly #states = new BoundedMap<number, Int32Array<ArrayBuffer>>(REMEMBERED, { weigh: (states) => states.length, atLeast: 1 });

  constructor(index: TimelineIndex) {
    this.index = index;
    const { starts, rows } = index.changes;
    const columns = index.columns.length;
    this.#parents = Int32Array.from(index.columns, (column) => column.parents[0] ?? -1);
    this.columnOfEntry = new Uint32Array(rows.length);
    for (let column = 0; column < columns; column++) this.columnOfEntry.fill(column, starts[column] ?? 0, starts[column + 1] ?? 0);
    this.rowStarts = new Uint32Array(index.rows.length + 1);
    for (const row of rows) this.rowStarts[row + 1] = (this.rowStarts[row + 1] ?? 0) + 1;
    for (let row = 1; row < this.rowStarts.length; row++) this.rowStarts[row] = (this.rowStarts[row] ?? 0) + (this.rowStarts[row - 1] ?? 0);
    const next = this.rowStarts.slice();
    this.rowEntries = new Uint32Array(rows.length);
    rows.forEach((row, entry) => {
      const place = next[row] ?? 0;
      this.rowEntries[place] = entry;
      next[row] = place + 1;
    });
  }

  /** For each column the entry that gives the row's value there, or -1: the group is not there. A removal stands only in its own column. */
  statesOf(row: number): Int32Array<ArrayBuffer> {
    const known = this.#states.get(row);
    if (known !== undefined) return known;
    const { kinds } = this.index.changes;
    const states = new Int32Array(this.#parents.length);
    let at = this.rowStarts[row] ?? 0;
    const end = this.rowStarts[row + 1] ?? at;
    for (let column = 0; column < states.length; column++) {
      const entry = at < end ? (this.rowEntries[at] ?? -1) : -1;
      if (entry >= 0 && this.columnOfEntry[entry] === column) {
        states[column] = entry;
        at++;
        continue;
      }
      const parent = this.#parents[column] ?? -1;
      // Parents stand before their children.
      const inherited = parent < 0 || parent >= column ? -1 : (states[parent] ?? -1);
      states[column] = inherited >= 0 && kinds[inherited] === REMOVED ? -1 : inherited;
    }
    this.#states.set(row, states);
    return states;
  }

  /** Code of what the commit did to the group; -1: it is as it was, -2: it is not there. */
  kindAt(row: number, column: number): number {
    const entry = this.statesOf(row)[column] ?? -1;
    if (entry < 0) return ABSENT;
    return this.columnOfEntry[entry] === column ? (this.index.changes.kinds[entry] ?? UNCHANGED) : UNCHANGED;
  }

  /** Whether the group differs between two columns: another stored value, or only there on one side. */
  differs(row: number, a: number, b: number): boolean {
    const states = this.statesOf(row);
    const { contents, kinds } = this.index.changes;
    const content = (column: number) => {
      const entry = states[column] ?? -1;
      return entry < 0 || kinds[entry] === REMOVED ? 0 : (contents[entry] ?? 0);
    };
    return content(a) !== content(b);
  }
}

export const UNCHANGED = -1;
export const ABSENT = -2;
