import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { isCheckpointError } from '../../../shared/contract/errors';
import { layoutStoredZip, type Placed, type StoredEntry } from './storedZipLayout';

const text = (value: string) => new TextEncoder().encode(value);

/** Writes the planned pieces the way a writer does and checks that they cover the file without a gap or an overlap. */
function assemble(bytes: number, pieces: readonly Placed[]): Buffer {
  const file = Buffer.alloc(bytes);
  let end = 0;
  for (const piece of [...pieces].sort((a, b) => a.offset - b.offset || a.bytes.byteLength - b.bytes.byteLength)) {
    if (piece.offset !== end) throw new Error(`A piece starts at ${piece.offset}, the one before ends at ${end}`);
    file.set(piece.bytes, piece.offset);
    end += piece.bytes.byteLength;
  }
  expect(end).toBe(bytes);
  return file;
}

async function readBack(file: Buffer): Promise<Map<string, Buffer>> {
  const zip = await yauzl.fromBufferPromise(file);
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const parts: Buffer[] = [];
    for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part);
    const content = Buffer.concat(parts);
    expect(crc32(content)).toBe(entry.crc32);
    entries.set(entry.fileName, content);
  }
  return entries;
}

describe('layoutStoredZip', () => {
  const later = [Uint8Array.of(1, 2, 3, 4, 5), new Uint8Array(0)];
  const entries: readonly StoredEntry[] = [
    { name: 'archive/data.pkl', bytes: 6, content: text('pickle') },
    { name: 'archive/data/0', bytes: 5, content: null },
    { name: 'archive/层/empty', bytes: 0, content: text('') },
    { name: 'archive/data/1', bytes: 0, content: null },
    { name: 'archive/version', bytes: 2, content: text('3\n') },
  ];

  it.each([1, 16, 64, 4096])('gives a zip that another reader reads back, aligned to %i', async (alignment) => {
    const layout = layoutStoredZip(entries, { alignment });
    const data: Placed[] = [
      { offset: layout.offsets[1] ?? -1, bytes: later[0] ?? text('') },
      { offset: layout.offsets[3] ?? -1, bytes: later[1] ?? text('') },
    ];
    const file = assemble(layout.bytes, [...layout.pieces, ...data, ...layout.finish(later.map((bytes) => crc32(bytes)))]);
    for (const offset of layout.offsets) expect(offset % alignment).toBe(0);
    expect([...(await readBack(file))].map(([name, bytes]) => [name, bytes.toString('latin1')])).toEqual([
      ['archive/data.pkl', 'pickle'],
      ['archive/data/0', '\x01\x02\x03\x04\x05'],
      ['archive/层/empty', ''],
      ['archive/data/1', ''],
      ['archive/version', '3\n'],
    ]);
  });

  it('reads back without entries and with more entries than 16 bits count', async () => {
    const none = layoutStoredZip([], { alignment: 64 });
    expect((await readBack(assemble(none.bytes, none.finish([])))).size).toBe(0);
    const many = layoutStoredZip(
      Array.from({ length: 66_000 }, (_, index) => ({ name: `${index}`, bytes: 0, content: text('') })),
      { alignment: 1 },
    );
    const zip = await yauzl.fromBufferPromise(assemble(many.bytes, [...many.pieces, ...many.finish([])]));
    expect(zip.entryCount).toBe(66_000);
  });

  it.each([0xffff_fffe, 0xffff_ffff, 5 * 2 ** 32])('plans an entry of %i bytes and one behind it', async (bytes) => {
    const layout = layoutStoredZip(
      [
        { name: 'big', bytes, content: null },
        { name: 'behind', bytes: 3, content: text('abc') },
      ],
      { alignment: 64 },
    );
    const pieces = [...layout.pieces, ...layout.finish([0x1234_5678])];
    const reader = new SparseReader(pieces);
    const zip = await yauzl.fromRandomAccessReaderPromise(reader, layout.bytes);
    const seen: unknown[] = [];
    for await (const entry of zip.eachEntry()) {
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      seen.push([entry.fileName, entry.uncompressedSize, entry.crc32, fileDataStart]);
    }
    expect(seen).toEqual([
      ['big', bytes, 0x1234_5678, layout.offsets[0]],
      ['behind', 3, crc32(text('abc')), layout.offsets[1]],
    ]);
  });

  it('is the same for the same entries', () => {
    const once = layoutStoredZip(entries, { alignment: 64 });
    const twice = layoutStoredZip(entries, { alignment: 64 });
    expect(once.finish([1, 2])).toEqual(twice.finish([1, 2]));
    expect(once.pieces).toEqual(twice.pieces);
  });

  it('refuses names that a zip cannot hold', () => {
    const code = (names: readonly string[]) => {
      try {
        layoutStoredZip(
          names.map((name) => ({ name, bytes: 0, content: null })),
          { alignment: 1 },
        );
      } catch (error) {
        return isCheckpointError(error) ? error.code : error;
      }
      return null;
    };
    expect(code(['a', 'a'])).toBe('invalid-request');
    expect(code(['层'.repeat(22_000)])).toBe('unsupported-format');
    expect(code(['a', 'b'])).toBeNull();
  });
});

/** A file of which only some pieces exist; the rest is zeros. */
class SparseReader extends yauzl.RandomAccessReader {
  readonly #pieces: readonly Placed[];
  constructor(pieces: readonly Placed[]) {
    super();
    this.#pieces = pieces;
  }
  override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void): void {
    buffer.fill(0, offset, offset + length);
    for (const piece of this.#pieces) {
      const from = Math.max(position, piece.offset);
      const to = Math.min(position + length, piece.offset + piece.bytes.byteLength);
      if (from < to) buffer.set(piece.bytes.subarray(from - piece.offset, to - piece.offset), offset + from - position);
    }
    setImmediate(() => callback(null));
  }
}
