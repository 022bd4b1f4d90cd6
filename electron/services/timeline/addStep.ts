import { type ReadBudget, sameTensors } from './sameTensors';
import { kindCode, type RowRename, type TimelineStore } from './timelineStore';
import type { Version } from './version';

const ADDED = kindCode('added');
const REMOVED = kindCode('removed');
const RENAMED = kindCode('renamed');
const NONE: ReadonlySet<number> = new Set();

/** Names of a group before and after a step. */
export interface NameRename {
  readonly from: string;
  readonly to: string;
}

export interface StepOptions {
  readonly budget: ReadBudget;
  /** Groups of two versions of git-theta that kept their value under another name. */
  readonly renamesOf: (before: Version, after: Version) => Promise<readonly NameRename[]>;
  readonly signal: AbortSignal;
}

interface StepEntry {
  readonly row: number;
  kind: number;
  readonly content: number;
}

/** Notes what happened from one version to the next; a `null` version has nothing. One for each timeline that is built: it keeps a column of all rows. */
export class StepWriter {
  readonly #store: TimelineStore;
  /** By row: the content in the version before; 0 where it has none. */
  #was = new Uint32Array(1024);

  constructor(store: TimelineStore) {
    this.#store = store;
  }

  /**
   * By row, ascending: what is new is added, or renamed when its value is that of a group which is gone, what is gone removed, and what has another content is of the kind of its entry. Tensors of two
   * plain versions that cannot be compared now count as replaced until the next look.
   */
  async add({ before, after }: { readonly before: Version | null; readonly after: Version | null }, options: StepOptions): Promise<void> {
    const same = before === null || after === null ? NONE : await sameTensors(before, after, options);
    this.#place(before);
    const changed: number[] = [];
    const { rows, contents, kinds } = after ?? NOTHING;
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] ?? 0;
      const old = row < this.#was.length ? (this.#was[row] ?? 0) : 0;
      if (old === 0 || (old !== contents[index] && same?.has(row) !== true)) changed.push(index);
    }
    const entries: StepEntry[] = changed.map((index) => {
      const row = rows[index] ?? 0;
      const isNew = row >= this.#was.length || this.#was[row] === 0;
      return { row, kind: isNew ? ADDED : (kinds[index] ?? 0), content: contents[index] ?? 0 };
    });
    for (const row of rows) if (row < this.#was.length) this.#was[row] = 0;
    for (const row of before?.rows ?? []) if (this.#was[row] !== 0) entries.push({ row, kind: REMOVED, content: 0 });
    for (const row of before?.rows ?? []) this.#was[row] = 0;
    const renames = await this.#renames({ before, after }, entries, options);
    const renamed = new Set(renames.map(({ to }) => to));
    for (const entry of entries) if (renamed.has(entry.row)) entry.kind = RENAMED;
    entries.sort((a, b) => a.row - b.row);
    this.#store.addStep({ before: before?.blob ?? null, after: after?.blob ?? null, final: same !== null, renames }, (push) => {
      for (const { row, kind, content } of entries) push(row, kind, content);
    });
  }

  /** Whole metadata files are parsed for it, so only where a group of the type and shape of a new one is gone. */
  async #renames(
    { before, after }: { readonly before: Version | null; readonly after: Version | null },
    entries: readonly StepEntry[],
    { renamesOf }: StepOptions,
  ): Promise<readonly RowRename[]> {
    if (before?.storage !== 'theta' || after?.storage !== 'theta') return [];
    const gone = new Set(entries.filter(({ kind }) => kind === REMOVED).map(({ row }) => row));
    if (gone.size === 0) return [];
    const { rows, contents } = this.#store.tables;
    const forms = new Set<number>();
    before.rows.forEach((row, index) => {
      if (gone.has(row)) forms.add(contents.formOf(before.contents[index] ?? 0));
    });
    if (!entries.some(({ kind, content }) => kind === ADDED && forms.has(contents.formOf(content)))) return [];
    return (await renamesOf(before, after)).map(({ from, to }) => ({ from: rows.number(from), to: rows.number(to) }));
  }

  #place(before: Version | null): void {
    if (before === null) return;
    let last = 0;
    for (const row of before.rows) if (row > last) last = row;
    if (last >= this.#was.length) this.#was = new Uint32Array(last * 2);
    for (let index = 0; index < before.rows.length; index++) this.#was[before.rows[index] ?? 0] = before.contents[index] ?? 0;
  }
}

const NOTHING = { rows: new Uint32Array(0), contents: new Uint32Array(0), kinds: new Uint8Array(0) };
