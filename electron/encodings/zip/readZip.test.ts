import { once } from 'node:events';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import yazl from 'yazl';
import { isCheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import { memorySource } from '../../bytes/memorySource';
import { readZip } from './readZip';
import { readZipEntry } from './readZipEntry';
import { layoutStoredZip } from './storedZipLayout';

interface Content {
  readonly name: string;
  readonly data: Buffer;
  readonly compress: boolean;
}

/** A zip as another library writes it. */
async function pack(contents: readonly Content[], options: { forceZip64Format?: boolean } = {}): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const { name, data, compress } of contents) zip.addBuffer(data, name, { compress, ...options });
  zip.end({ forceZip64Format: options.forceZip64Format ?? false, comment: '' });
  const parts: Buffer[] = [];
  zip.outputStream.on('data', (part: Buffer) => parts.push(part));
  await once(zip.outputStream, 'end');
  return Buffer.concat(parts);
}

const CONTENTS: readonly Content[] = [
  { name: 'r/data.pkl', data: Buffer.from('pickle'), compress: true },
  { name: 'r/data/0', data: Buffer.alloc(100_000, 'abc'), compress: false },
  { name: 'r/层', data: Buffer.alloc(0), compress: false },
  { name: 'r/back', data: Buffer.from([1, 2, 3]), compress: false },
];

async function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error: unknown) => (isCheckpointError(error) ? error.code : String(error)),
  );
}

describe('readZip', () => {
  it.each([{ forceZip64Format: false }, { forceZip64Format: true }])('finds entries and their places, %j', async (options) => {
    const source = memorySource(await pack(CONTENTS, options));
    const entries = await readZip(source, { file: 'a.zip' });
    expect(entries.map(({ name, bytes, method }) => [name, bytes, method])).toEqual(
      CONTENTS.map(({ name, data, compress }) => [name, data.byteLength, compress ? 8 : 0]),
    );
    for (const [index, entry] of entries.entries()) {
      const content = await readZipEntry(source, entry, { maxBytes: 1e6, file: 'a.zip' });
      expect(CONTENTS[index]?.data.equals(content)).toBe(true);
    }
    const [, stored] = entries;
    expect(CONTENTS[1]?.data.equals(await source.read(stored?.dataOffset ?? 0, 100_000))).toBe(true);
  });

  it('reads headers only, in few reads', async () => {
    const bytes = 50_000_000;
    const layout = layoutStoredZip([...Array.from({ length: 100 }, (_, index) => ({ name: `data/${index}`, bytes, content: null }))], { alignment: 64 });
    const pieces = layout.finish(Array.from({ length: 100 }, () => 0));
    const reads: number[] = [];
    const source: ByteSource = {
      length: layout.bytes,
      read: async (offset, length) => {
        reads.push(length);
        const into = new Uint8Array(length);
        for (const piece of pieces) {
          const from = Math.max(offset, piece.offset);
          const to = Math.min(offset + length, piece.offset + piece.bytes.byteLength);
          if (from < to) into.set(piece.bytes.subarray(from - piece.offset, to - piece.offset), from - offset);
        }
        return into;
      },
      close: async () => {},
    };
    expect((await readZip(source, { file: 'big.zip' })).map(({ dataOffset }) => dataOffset)).toEqual(layout.offsets);
    expect(reads.length).toBeLessThan(110);
    expect(reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(1_000_000);
  });

  it('stops when it is cancelled', async () => {
    const source = memorySource(await pack(CONTENTS));
    expect(await failure(readZip(source, { file: 'a.zip', signal: AbortSignal.abort() }))).toBe('cancelled');
  });
});

describe('readZip of hostile zips', () => {
  /** Central directory records of `pack`'s zips, found by their signature. */
  function directory(zip: Buffer): number[] {
    const offsets: number[] = [];
    for (let at = zip.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 1, 'latin1')) offsets.push(at);
    return offsets;
  }

  async function changed(change: (zip: Buffer, records: readonly number[]) => void): Promise<string> {
    const zip = await pack(CONTENTS);
    change(zip, directory(zip));
    return failure(readZip(memorySource(zip), { file: 'bad.zip' }));
  }

  it('is sound before it is changed', async () => {
    expect(await changed(() => {})).toBe('none');
  });

  it('refuses entries that overlap', async () => {
    // The last entry's header is said to be the first one's.
    expect(await changed((zip, records) => zip.writeUInt32LE(0, (records[3] ?? 0) + 42))).toBe('malformed');
  });

  it('refuses a name that occurs twice', async () => {
    expect(await failure(readZip(memorySource(await pack([...CONTENTS, ...CONTENTS.slice(1, 2)])), { file: 'bad.zip' }))).toBe('malformed');
  });

  it('refuses an entry that ends behind the file', async () => {
    const longer = (zip: Buffer, records: readonly number[]) => {
      zip.writeUInt32LE(0x7fff_fff0, (records[3] ?? 0) + 20);
      zip.writeUInt32LE(0x7fff_fff0, (records[3] ?? 0) + 24);
    };
    expect(await changed(longer)).toBe('malformed');
  });

  it('refuses a header behind the file', async () => {
    expect(await changed((zip, records) => zip.writeUInt32LE(0x7fff_fff0, (records[3] ?? 0) + 42))).toMatch(/^(truncated|malformed)$/);
  });

  it('refuses a stored entry with two sizes', async () => {
    expect(await changed((zip, records) => zip.writeUInt32LE(7, (records[1] ?? 0) + 24))).toBe('malformed');
  });

  it('refuses more entries than anyone needs before it reads them', async () => {
    const zip64 = await pack(CONTENTS, { forceZip64Format: true });
    const end = zip64.indexOf('PK\x06\x06', 0, 'latin1');
    zip64.writeBigUInt64LE(1n << 40n, end + 32);
    expect(await failure(readZip(memorySource(zip64), { file: 'bad.zip' }))).toBe('too-large');
  });

  it.each([
    ['a checksum that does not fit', 1, (zip: Buffer, record: number) => zip.writeUInt32LE(1, record + 16), 'malformed'],
    ['an unknown method', 0, (zip: Buffer, record: number) => zip.writeUInt16LE(14, record + 10), 'unsupported-format'],
    ['encryption', 0, (zip: Buffer, record: number) => zip.writeUInt16LE(0x0801, record + 8), 'unsupported-format'],
    ['a deflated entry that is longer than it says', 0, (zip: Buffer, record: number) => zip.writeUInt32LE(3, record + 24), 'malformed'],
    ['a deflated entry that is shorter than it says', 0, (zip: Buffer, record: number) => zip.writeUInt32LE(30, record + 24), 'malformed'],
  ] as const)('refuses %s when the entry is read', async (_, index, change, code) => {
    const zip = await pack(CONTENTS);
    change(zip, directory(zip)[index] ?? 0);
    const source = memorySource(zip);
    const entry = (await readZip(source, { file: 'bad.zip' }))[index];
    expect(entry && (await failure(readZipEntry(source, entry, { maxBytes: 1e6, file: 'bad.zip' })))).toBe(code);
  });

  it('refuses an entry above the limit of the caller', async () => {
    const source = memorySource(await pack(CONTENTS));
    const entry = (await readZip(source, { file: 'a.zip' }))[1];
    expect(entry?.checksum).toBe(crc32(CONTENTS[1]?.data ?? ''));
    expect(entry && (await failure(readZipEntry(source, entry, { maxBytes: 99_999, file: 'a.zip' })))).toBe('too-large');
  });
});
