import { commonLength } from './commonLength';
import { type FormTexts, parseMember } from './parseMember';
import { type TimelineStore, updateKindCode } from './timelineStore';
import type { MemberText, VersionColumns } from './version';

const BEGIN = Buffer.from('{\n    "');
const MEMBER_END = Buffer.from('\n    }');
const NEXT_MEMBER = Buffer.from(',\n    "');
const FILE_END = Buffer.from('\n    }\n}');
/** Larger files could hold longer names than parseMetadata takes; they are rare enough to be parsed whole. */
const MAX_BYTES = 128 * 1024 * 1024;

export interface MembersRead extends VersionColumns {
  readonly text: MemberText;
}

/** Reads metadata files of one timeline one after another, and remembers which rows it saw in which of them. */
export class MemberReader {
  readonly #store: TimelineStore;
  readonly #forms: FormTexts = new Map();
  /** By row: the number of the last file that has it, and where it stands in the base. */
  #seen = new Uint32Array(1024);
  #place = new Uint32Array(1024);
  #file = 0;

  constructor(store: TimelineStore) {
    this.#store = store;
  }

  /**
   * The groups of a metadata file whose text is a member for each group, as `json.dumps(…, indent=4)` writes it: members whose bytes stand in
   * `base` too are taken from there, the others are parsed. A line break cannot stand inside a JSON text, so lines part members safely, and
   * members that are JSON each make a file that is.
   * @returns `null` for a file of any other make (nested groups, other spaces, names given twice, damage): parse the whole of it
   */
  read(bytes: Buffer, base: (VersionColumns & { readonly text: MemberText }) | null): MembersRead | null {
    if (bytes.length > MAX_BYTES || !startsAt(bytes, 0, BEGIN) || !startsAt(bytes, bytes.length - FILE_END.length, FILE_END)) return null;
    const columns = new Columns(base === null ? 1024 : base.rows.length + 16);
    this.#file++;
    let baseIndex = 0;
    let placed = false;
    for (let at = 2; at < bytes.length; ) {
      if (base !== null && baseIndex < base.rows.length) {
        const run = sameMembers(base, baseIndex, bytes, at);
        for (let index = baseIndex; index < run.end; index++) {
          const row = base.rows[index] ?? 0;
          if (!this.#see(row)) return null;
          columns.add((base.text.starts[index] ?? 0) + run.shift, row, base.contents[index] ?? 0, base.kinds[index] ?? 0);
        }
        baseIndex = run.end;
        at = run.at;
        if (at === bytes.length) break;
      }
      const end = bytes.indexOf(MEMBER_END, at);
      if (end === -1) return null;
      const after = end + MEMBER_END.length;
      const last = after === bytes.length - 2;
      if (!last && !startsAt(bytes, after, NEXT_MEMBER)) return null;
      const entry = parseMember(bytes.toString('latin1', at, after), this.#store, this.#forms);
      if (entry === null || !this.#see(entry.row)) return null;
      columns.add(at, entry.row, this.#store.content(entry), updateKindCode(entry.updateType));
      if (base !== null) {
        if (base.rows[baseIndex] === entry.row) baseIndex++;
        else {
          if (!placed) this.#placeAll(base);
          placed = true;
          const place = this.#place[entry.row] ?? 0;
          if (place > baseIndex) baseIndex = place;
        }
      }
      at = last ? bytes.length : after + 2;
    }
    return columns.finish(bytes);
  }

  /** Whether the row is new in this file. */
  #see(row: number): boolean {
    if (row >= this.#seen.length) this.#grow(row);
    if (this.#seen[row] === this.#file) return false;
    this.#seen[row] = this.#file;
    return true;
  }

  #grow(row: number): void {
    const length = Math.max(row + 1, this.#seen.length * 2);
    const seen = new Uint32Array(length);
    seen.set(this.#seen);
    this.#seen = seen;
  }

  /** Behind the place of each row of the base; a row that is not there has 0. */
  #placeAll({ rows }: VersionColumns): void {
    if (this.#place.length < this.#seen.length) this.#place = new Uint32Array(this.#seen.length);
    this.#place.fill(0);
    for (const [index, row] of rows.entries()) if (row < this.#place.length) this.#place[row] = index + 1;
  }
}

/** Members of the base from `first` on that stand at `at`, byte for byte, with what parts them from the next. */
function sameMembers({ rows, text }: VersionColumns & { readonly text: MemberText }, first: number, bytes: Buffer, at: number) {
  const start = text.starts[first] ?? 0;
  const same = commonLength(text.bytes, start, bytes, at);
  const count = rows.length;
  let end = first;
  while (end < count && (text.starts[end + 1] ?? 0) - start <= same) end++;
  // The last member has the end of the file behind it; here another may follow.
  if (end === count && at + (text.bytes.length - start) !== bytes.length) end--;
  return { end, at: at + ((text.starts[end] ?? 0) - start), shift: at - start };
}

function startsAt(bytes: Buffer, at: number, wanted: Buffer): boolean {
  return at >= 0 && at + wanted.length <= bytes.length && bytes.compare(wanted, 0, wanted.length, at, at + wanted.length) === 0;
}

/** Typed columns that are filled member by member. */
class Columns {
  #starts: Uint32Array<ArrayBuffer>;
  #rows: Uint32Array<ArrayBuffer>;
  #contents: Uint32Array<ArrayBuffer>;
  #kinds: Uint8Array<ArrayBuffer>;
  #count = 0;

  constructor(capacity: number) {
    this.#starts = new Uint32Array(capacity + 1);
    this.#rows = new Uint32Array(capacity);
    this.#contents = new Uint32Array(capacity);
    this.#kinds = new Uint8Array(capacity);
  }

  add(start: number, row: number, content: number, kind: number): void {
    if (this.#count === this.#rows.length) this.#resize(this.#count * 2);
    this.#starts[this.#count] = start;
    this.#rows[this.#count] = row;
    this.#contents[this.#count] = content;
    this.#kinds[this.#count++] = kind;
  }

  finish(bytes: Buffer): MembersRead {
    this.#resize(this.#count);
    this.#starts[this.#count] = bytes.length;
    return { rows: this.#rows, contents: this.#contents, kinds: this.#kinds, text: { bytes, starts: this.#starts } };
  }

  #resize(capacity: number): void {
    const kept = Math.min(capacity, this.#count);
    const larger = <T extends Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(values: T, fresh: T): T => {
      fresh.set(values.subarray(0, kept));
      return fresh;
    };
    this.#starts = larger(this.#starts, new Uint32Array(capacity + 1));
    this.#rows = larger(this.#rows, new Uint32Array(capacity));
    this.#contents = larger(this.#contents, new Uint32Array(capacity));
    this.#kinds = larger(this.#kinds, new Uint8Array(capacity));
  }
}
