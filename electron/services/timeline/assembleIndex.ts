import type { CommitHash, CommitInfo } from '../../../shared/model/commit';
import { type DType, isDType } from '../../../shared/model/dtype';
import { tensorBytes } from '../../../shared/model/shape';
import type { TimelineColumn, TimelineIndex, TimelineRename, TimelineRow } from '../../../shared/model/timeline';
import type { Followed } from './followVersions';
import { kindCode, type RowRename, type Step, type TimelineStore } from './timelineStore';

/** Changes that one index holds at most: 17 bytes each. */
const MAX_CELLS = 12_000_000;
const MAX_COLUMNS = 200_000;
const NO_STEP: Step = { start: 0, end: 0 };

export interface Assembly {
  readonly store: TimelineStore;
  /** Parents first. */
  readonly commits: readonly CommitInfo[];
  readonly followed: ReadonlyMap<CommitHash, Followed>;
  readonly maxCells?: number;
}

/** The index of some commits, from steps that the store knows. The oldest columns are left out where there would be too many changes. */
export function assembleIndex({ store, commits, followed, maxCells = MAX_CELLS }: Assembly): TimelineIndex {
  const lengths = commits.map((commit) => {
    const { start, end } = stepOf(store, followed.get(commit.hash));
    return end - start;
  });
  const omitted = omittedColumns(lengths, maxCells);
  const kept = commits.slice(omitted);
  const places = new Map(kept.map(({ hash }, index) => [hash, index]));
  const bases = omitted === 0 ? NO_BASES : basesOf(store, commits, { kept, places, followed });
  const total = lengths.slice(omitted).reduce((sum, length) => sum + length, 0) + [...bases.values()].reduce((sum, base) => sum + base.size, 0);
  const columns = new Packed(total);
  const starts = new Uint32Array(kept.length + 1);
  const renames: TimelineRename[] = [];
  for (const [index, { hash }] of kept.entries()) {
    const base = bases.get(hash);
    if (base === undefined) {
      columns.addStep(store, stepOf(store, followed.get(hash)));
      for (const rename of renamesOf(store, followed.get(hash))) renames.push({ column: index, ...rename });
    } else columns.addBase(store, base);
    starts[index + 1] = columns.count;
  }
  const { rows, numbers } = columns.numberRows(store);
  return {
    columns: kept.map((commit) => columnOf(store, commit, { places, followed })),
    rows,
    changes: { starts, ...columns.finish() },
    renames: renames.map(({ column, from, to }) => ({ column, from: numbers[from] ?? 0, to: numbers[to] ?? 0 })),
    omitted,
  };
}

function stepOf(store: TimelineStore, followed: Followed | undefined): Step {
  if (followed === undefined || followed.error !== null || followed.blob === followed.before) return NO_STEP;
  return store.step(followed.before, followed.blob) ?? NO_STEP;
}

function renamesOf(store: TimelineStore, followed: Followed | undefined): readonly RowRename[] {
  if (followed === undefined || followed.error !== null) return [];
  return store.renames(followed.before, followed.blob);
}

function omittedColumns(lengths: readonly number[], maxCells: number): number {
  let cells = 0;
  for (let index = lengths.length - 1; index >= 0; index--) {
    cells += lengths[index] ?? 0;
    if (cells > maxCells || lengths.length - index > MAX_COLUMNS) return Math.min(index + 1, lengths.length - 1);
  }
  return 0;
}

type Base = ReadonlyMap<number, number>;
const NO_BASES: ReadonlyMap<CommitHash, Base> = new Map();

/** All that the first columns of each line have, whose first parents were left out: contents by row. */
function basesOf(
  store: TimelineStore,
  commits: readonly CommitInfo[],
  { kept, places, followed }: { kept: readonly CommitInfo[]; places: ReadonlyMap<CommitHash, number>; followed: ReadonlyMap<CommitHash, Followed> },
): ReadonlyMap<CommitHash, Base> {
  const byHash = new Map(commits.map((commit) => [commit.hash, commit]));
  const bases = new Map<CommitHash, Base>();
  for (const { hash, parents } of kept) {
    const [parent] = parents;
    if (parent === undefined || places.has(parent) || !byHash.has(parent)) continue;
    const line: CommitInfo[] = [];
    for (let at = byHash.get(hash); at !== undefined; at = at.parents[0] === undefined ? undefined : byHash.get(at.parents[0])) line.push(at);
    const contents = new Map<number, number>();
    const { changed } = store.tables;
    for (const commit of line.reverse()) {
      const { start, end } = stepOf(store, followed.get(commit.hash));
      for (let index = start; index < end; index++) {
        const content = changed.contents.at(index);
        if (content === 0) contents.delete(changed.rows.at(index));
        else contents.set(changed.rows.at(index), content);
      }
    }
    bases.set(hash, new Map([...contents].sort(([a], [b]) => a - b)));
  }
  return bases;
}

function columnOf(
  store: TimelineStore,
  { hash, parents, title, author }: CommitInfo,
  { places, followed }: { places: ReadonlyMap<CommitHash, number>; followed: ReadonlyMap<CommitHash, Followed> },
): TimelineColumn {
  const { blob = null, error = null } = followed.get(hash) ?? {};
  const [first] = parents;
  return {
    commit: hash,
    parents: parents.flatMap((parent) => places.get(parent) ?? []),
    title,
    author: author.name,
    time: author.time,
    storage: blob === null ? null : (store.tables.storages.get(blob) ?? 'blob'),
    touched: blob !== (first === undefined ? null : (followed.get(first)?.blob ?? null)),
    error,
  };
}

/** The columns of the answer, rows numbered as in the store until `numberRows`. */
class Packed {
  readonly #rows: Uint32Array<ArrayBuffer>;
  readonly #kinds: Uint8Array<ArrayBuffer>;
  readonly #contents: Uint32Array<ArrayBuffer>;
  readonly #storedBytes: Float64Array<ArrayBuffer>;
  count = 0;

  constructor(total: number) {
    this.#rows = new Uint32Array(total);
    this.#kinds = new Uint8Array(total);
    this.#contents = new Uint32Array(total);
    this.#storedBytes = new Float64Array(total);
  }

  addStep(store: TimelineStore, { start, end }: Step): void {
    const { rows, kinds, contents } = store.tables.changed;
    for (let index = start; index < end; index++) this.#add(store, rows.at(index), kinds.at(index), contents.at(index));
  }

  addBase(store: TimelineStore, base: Base): void {
    for (const [row, content] of base) this.#add(store, row, kindCode('added'), content);
  }

  #add(store: TimelineStore, row: number, kind: number, content: number): void {
    this.#rows[this.count] = row;
    this.#kinds[this.count] = kind;
    this.#contents[this.count] = content;
    this.#storedBytes[this.count++] = content === 0 ? 0 : store.tables.contents.bytesOf(content);
  }

  /** Numbers the rows that occur anew, in the order of the store, and describes them in their latest form. */
  numberRows(store: TimelineStore): { readonly rows: readonly TimelineRow[]; readonly numbers: Uint32Array } {
    const { rows: names, contents } = store.tables;
    const latest = new Uint32Array(names.texts.length);
    for (let index = 0; index < this.count; index++) {
      const content = this.#contents[index] ?? 0;
      if (content !== 0) latest[this.#rows[index] ?? 0] = content;
    }
    const numbers = new Uint32Array(names.texts.length);
    const described: TimelineRow[] = [];
    for (let row = 0; row < latest.length; row++) {
      const content = latest[row] ?? 0;
      if (content === 0) continue;
      numbers[row] = described.length;
      described.push({ name: names.texts[row] ?? '', ...formOf(store.tables.forms.texts[contents.formOf(content)] ?? '') });
    }
    for (let index = 0; index < this.count; index++) this.#rows[index] = numbers[this.#rows[index] ?? 0] ?? 0;
    return { rows: described, numbers };
  }

  /** Copies that are no longer than they need be. */
  finish() {
    const end = this.count;
    const whole = end === this.#rows.length;
    return {
      rows: whole ? this.#rows : this.#rows.slice(0, end),
      kinds: whole ? this.#kinds : this.#kinds.slice(0, end),
      contents: whole ? this.#contents : this.#contents.slice(0, end),
      storedBytes: whole ? this.#storedBytes : this.#storedBytes.slice(0, end),
    };
  }
}

function formOf(text: string): { readonly dtype: DType; readonly shape: readonly number[]; readonly bytes: number } {
  const [dtype = '', extents = ''] = text.split(' ');
  if (!isDType(dtype)) throw new TypeError(`${dtype} is no type`);
  const shape = extents === '' ? [] : extents.split(',').map(Number);
  return { dtype, shape, bytes: tensorBytes(dtype, shape) };
}
