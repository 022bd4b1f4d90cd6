import { BitReader } from './bitReader';
import { crc32Msb } from './crc32Msb';
import { type HuffmanTable, makeHuffmanTable } from './huffmanTable';

/** Symbols that a Huffman table of bzip2 is used for before the next selector. */
const GROUP_SIZE = 50;
const MAX_CODE_LENGTH = 20;

/**
 * Decodes bzip2 streams (one or several behind each other) that must fill `target` exactly and use up `bytes` exactly; checksums are
 * checked. Format after the description by Julian Seward's bzip2 1.0: big-endian bits; a block is Huffman codes of a move-to-front list
 * of the Burrows-Wheeler transform of run-length coded bytes. Node has no bzip2.
 * @returns whether the streams were sound
 */
export function decodeBzip2(bytes: Uint8Array, target: Uint8Array): boolean {
  const bits = new BitReader(bytes);
  let write = 0;
  do {
    const end = decodeStream(bits, target, write);
    if (end === null) return false;
    write = end;
    bits.alignToByte();
  } while (bits.position < bytes.byteLength);
  return write === target.byteLength && !bits.overrun;
}

/** @returns the new write position, or `null` when the stream is damaged */
function decodeStream(bits: BitReader, target: Uint8Array, start: number): number | null {
  if (bits.read(24) !== 0x425a68) return null;
  const level = bits.read(8) - 0x30;
  if (level < 1 || level > 9) return null;
  let write = start;
  let combined = 0;
  for (;;) {
    const high = bits.read(24);
    const low = bits.read(24);
    const checksum = readWord(bits);
    if (high === 0x177245 && low === 0x385090) return checksum === combined >>> 0 && !bits.overrun ? write : null;
    if (high !== 0x314159 || low !== 0x265359) return null;
    const end = decodeBlock(bits, target, { write, limit: level * 100_000 });
    if (end === null) return null;
    const sum = crc32Msb(target.subarray(write, end));
    if (sum !== checksum) return null;
    combined = ((combined << 1) | (combined >>> 31)) ^ sum;
    write = end;
  }
}

function readWord(bits: BitReader): number {
  return ((bits.read(16) << 16) | bits.read(16)) >>> 0;
}

function decodeBlock(bits: BitReader, target: Uint8Array, at: { readonly write: number; readonly limit: number }): number | null {
  // Randomised blocks were dropped in 1996; no writer makes them.
  if (bits.read(1) !== 0) return null;
  const origin = bits.read(24);
  const symbols = readSymbols(bits);
  if (symbols.length === 0) return null;
  const selectors = readSelectors(bits);
  if (selectors === null) return null;
  const tables: HuffmanTable[] = [];
  for (let i = 0; i < selectors.tables; i++) {
    const lengths = readCodeLengths(bits, symbols.length + 2);
    const table = lengths === null ? null : makeHuffmanTable(lengths, MAX_CODE_LENGTH);
    if (table === null) return null;
    tables.push(table);
  }
  const order = selectors.order.map((index) => tables[index]);
  const column = readColumn(bits, { symbols, order, limit: at.limit });
  if (column === null || origin >= column.length) return null;
  return writeRuns(column, target, { origin, write: at.write });
}

/** The byte values that occur, in order: a bit map of a bit map. */
function readSymbols(bits: BitReader): number[] {
  const ranges = bits.read(16);
  const symbols: number[] = [];
  for (let range = 0; range < 16; range++) {
    if ((ranges & (0x8000 >>> range)) === 0) continue;
    const used = bits.read(16);
    for (let i = 0; i < 16; i++) if ((used & (0x8000 >>> i)) !== 0) symbols.push(16 * range + i);
  }
  return symbols;
}

function readSelectors(bits: BitReader): { readonly tables: number; readonly order: number[] } | null {
  const tables = bits.read(3);
  const count = bits.read(15);
  if (tables < 2 || tables > 6 || count === 0) return null;
  const recent = Array.from({ length: tables }, (_, index) => index);
  const order: number[] = [];
  for (let i = 0; i < count; i++) {
    let steps = 0;
    while (bits.read(1) === 1) if (++steps >= tables) return null;
    const [selected = 0] = recent.splice(steps, 1);
    recent.unshift(selected);
    order.push(selected);
  }
  return bits.overrun ? null : { tables, order };
}

function readCodeLengths(bits: BitReader, count: number): number[] | null {
  const lengths: number[] = [];
  let length = bits.read(5);
  for (let i = 0; i < count; i++) {
    while (bits.read(1) === 1) {
      length += bits.read(1) === 0 ? 1 : -1;
      if (length < 1 || length > MAX_CODE_LENGTH) return null;
    }
    if (length < 1 || length > MAX_CODE_LENGTH) return null;
    lengths.push(length);
  }
  return lengths;
}

interface Coded {
  readonly symbols: readonly number[];
  readonly order: readonly (HuffmanTable | undefined)[];
  readonly limit: number;
}

/** The last column of the Burrows-Wheeler transform. Symbols 0 and 1 are digits of a run length in bijective base 2. */
function readColumn(bits: BitReader, { symbols, order, limit }: Coded): Uint8Array | null {
  const column = new Uint8Array(limit);
  const recent = Uint8Array.from(symbols);
  const endOfBlock = symbols.length + 1;
  let length = 0;
  let run = 0;
  let weight = 1;
  for (let read = 0; ; read++) {
    const table = order[Math.floor(read / GROUP_SIZE)];
    if (table === undefined) return null;
    const symbol = table.read(bits);
    if (symbol < 0 || bits.overrun) return null;
    if (symbol <= 1) {
      run += weight << symbol;
      weight <<= 1;
      if (run > limit) return null;
      continue;
    }
    if (run > 0) {
      if (length + run > limit) return null;
      column.fill(recent[0] ?? 0, length, length + run);
      length += run;
      run = 0;
      weight = 1;
    }
    if (symbol === endOfBlock) return column.subarray(0, length);
    if (length >= limit) return null;
    const from = symbol - 1;
    const byte = recent[from] ?? 0;
    recent.copyWithin(1, 0, from);
    recent[0] = byte;
    column[length++] = byte;
  }
}

/** Inverts the transform and the first run-length coding: four equal bytes are followed by how many more there are. */
function writeRuns(column: Uint8Array, target: Uint8Array, at: { readonly origin: number; readonly write: number }): number | null {
  const starts = new Uint32Array(257);
  for (const byte of column) starts[byte + 1] = (starts[byte + 1] ?? 0) + 1;
  for (let byte = 0; byte < 256; byte++) starts[byte + 1] = (starts[byte + 1] ?? 0) + (starts[byte] ?? 0);
  const next = new Uint32Array(column.length);
  for (let i = 0; i < column.length; i++) {
    const byte = column[i] ?? 0;
    const row = starts[byte] ?? 0;
    starts[byte] = row + 1;
    next[row] = i;
  }
  let { write } = at;
  let row = next[at.origin] ?? 0;
  let equal = 0;
  let last = -1;
  for (let i = 0; i < column.length; i++) {
    const byte = column[row] ?? 0;
    row = next[row] ?? 0;
    if (equal === 4) {
      if (write + byte > target.byteLength) return null;
      target.fill(last, write, write + byte);
      write += byte;
      equal = 0;
      last = -1;
      continue;
    }
    equal = byte === last ? equal + 1 : 1;
    last = byte;
    if (write >= target.byteLength) return null;
    target[write++] = byte;
  }
  return write;
}
