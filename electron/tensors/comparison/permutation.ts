import { dtypeBytes } from '../../../shared/model/dtype';
import type { PairStructure } from '../../../shared/model/pairNumbers';
import { wordsOf } from './decodePair';
import type { PairSource } from './pairSource';

export type Permutation = NonNullable<PairStructure['permutation']>;

/** Rows or columns up to which an order is looked for: it is handed on whole. */
const MOST_LINES = 2 ** 18;

/** Two independent hashes of 32 bits for every line: among a quarter of a million lines, two that differ agree in both with a chance of 2 in 10⁹. */
interface Hashes {
  readonly one: Int32Array;
  readonly other: Int32Array;
}

/**
 * Whether `b` holds the rows (axis 0) or columns (last axis) of `a` in another order, bit for bit. One pass over both.
 * @returns `null` when it does not, or of lines that are all in their places
 */
export async function findPermutation(source: PairSource): Promise<Permutation | null> {
  const { shape, elements } = source;
  const [rows = 0, columns = 0] = [shape[0], shape.at(-1)];
  if (elements === 0 || source.a !== source.b || shape.length === 0) return null;
  const create = (count: number): Hashes => ({ one: new Int32Array(count), other: new Int32Array(count) });
  const counts = { rows: rows <= MOST_LINES ? rows : 0, columns: columns <= MOST_LINES && shape.length > 1 ? columns : 0 };
  const a = { rows: create(counts.rows), columns: create(counts.columns) };
  const b = { rows: create(counts.rows), columns: create(counts.columns) };
  const extents = { perRow: elements / rows, columns, size: dtypeBytes(source.dtype) };
  await source.read((left, right, at) => {
    addHashes(left, at, { ...extents, hashes: a });
    addHashes(right, at, { ...extents, hashes: b });
    return undefined;
  });
  for (const along of ['rows', 'columns'] as const) {
    const order = orderOf(a[along], b[along]);
    const moved = order?.filter((from, to) => from !== to).length ?? 0;
    if (order !== null && moved > 0) return { along, order, moved };
  }
  return null;
}

interface HashOptions {
  readonly perRow: number;
  readonly columns: number;
  readonly size: number;
  readonly hashes: { readonly rows: Hashes; readonly columns: Hashes };
}

/** Takes the elements into the hashes of their rows and columns, in order. */
function addHashes(bytes: Uint8Array, at: number, { perRow, columns, size, hashes }: HashOptions): void {
  const lanes = lanesOfSize(bytes, size);
  const each = Math.max(1, size / 4);
  const [byRow, byColumn] = [hashes.rows.one.length > 0, hashes.columns.one.length > 0];
  for (let i = 0; i < lanes.length; i++) {
    const place = at + Math.floor(i / each);
    const word = lanes[i] as number;
    if (byRow) mix(hashes.rows, Math.floor(place / perRow), word);
    if (byColumn) mix(hashes.columns, place % columns, word);
  }
}

function lanesOfSize(bytes: Uint8Array, size: number): Uint8Array | Uint16Array | Uint32Array {
  if (size === 1) return bytes;
  if (size > 2) return wordsOf(bytes);
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : Uint8Array.from(bytes);
  return new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 2);
}

/** A step of Murmur3, and one of the same form with other constants. */
function mix({ one, other }: Hashes, line: number, word: number): void {
  let h = Math.imul(word, 0xcc9e2d51);
  h = Math.imul((h << 15) | (h >>> 17), 0x1b873593) ^ (one[line] as number);
  one[line] = Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64;
  let g = Math.imul(word ^ 0x5bd1e995, 0x239b961b);
  g = Math.imul((g << 16) | (g >>> 16), 0xab0e9789) ^ (other[line] as number);
  other[line] = Math.imul((g << 17) | (g >>> 15), 3) + 0x561ccd1b;
}

/** For each line of `b` its place in `a`: its own where that is the same line, else the first one not yet taken. `null` when one is missing. */
function orderOf(a: Hashes, b: Hashes): number[] | null {
  const count = a.one.length;
  if (count === 0) return null;
  const key = ({ one, other }: Hashes, line: number) => (one[line] as number) * 2 ** 21 + ((other[line] as number) & 0x1fffff);
  const same = (line: number) => a.one[line] === b.one[line] && a.other[line] === b.other[line];
  const free = new Map<number, number[]>();
  for (let line = count - 1; line >= 0; line--) {
    if (same(line)) continue;
    const places = free.get(key(a, line));
    if (places === undefined) free.set(key(a, line), [line]);
    else places.push(line);
  }
  const order = new Array<number>(count);
  for (let line = 0; line < count; line++) {
    const from = same(line) ? line : free.get(key(b, line))?.pop();
    if (from === undefined || a.one[from] !== b.one[line] || a.other[from] !== b.other[line]) return null;
    order[line] = from;
  }
  return order;
}
