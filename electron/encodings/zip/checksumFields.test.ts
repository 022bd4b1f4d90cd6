import { once } from 'node:events';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import yazl from 'yazl';
import { memorySource } from '../../bytes/memorySource';
import { checksumFields } from './checksumFields';
import { readZip } from './readZip';

const CONTENTS = [
  { name: 'a/first', data: Buffer.from('one') },
  { name: 'a/层', data: Buffer.alloc(5000, 'xyz') },
  { name: 'a/last', data: Buffer.from([1, 2, 3]) },
];

/** A zip as another library writes it: with checksums in the local headers, or (streamed) behind the data. */
async function pack({ streamed, forceZip64Format }: { streamed: boolean; forceZip64Format: boolean }): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const { name, data } of CONTENTS) {
    if (streamed) zip.addReadStream(Readable.from([data]), name, { compress: false, forceZip64Format });
    else zip.addBuffer(data, name, { compress: false, forceZip64Format });
  }
  zip.end({ forceZip64Format, comment: 'a comment' });
  const parts: Buffer[] = [];
  zip.outputStream.on('data', (part: Buffer) => parts.push(part));
  await once(zip.outputStream, 'end');
  return Buffer.concat(parts);
}

async function fieldsOf(bytes: Buffer): Promise<readonly (readonly number[])[]> {
  const source = memorySource(bytes);
  return checksumFields(source, await readZip(source, { file: 'a.zip' }));
}

describe('checksumFields', () => {
  it.each([
    { streamed: false, forceZip64Format: false },
    { streamed: false, forceZip64Format: true },
    { streamed: true, forceZip64Format: false },
    { streamed: true, forceZip64Format: true },
  ])('finds the checksum in the directory and beside the data, %j', async (how) => {
    const bytes = await pack(how);
    const found = (await fieldsOf(bytes)).map((offsets) => offsets.map((offset) => bytes.readUInt32LE(offset)));
    // A streamed entry has nothing in its local header yet.
    expect(found).toEqual(CONTENTS.map(({ data }) => (how.streamed ? [crc32(data), 0, crc32(data)] : [crc32(data), crc32(data)])));
  });

  it('finds nothing where the structure is another one', async () => {
    const bytes = await pack({ streamed: false, forceZip64Format: false });
    const source = memorySource(bytes);
    const entries = await readZip(source, { file: 'a.zip' });
    const [first] = entries;
    const moved = entries.map((entry) => (entry === first ? { ...entry, dataOffset: entry.dataOffset + 1 } : entry));
    expect((await checksumFields(source, moved)).map((offsets) => offsets.length)).toEqual([1, 2, 2]);
    expect(await checksumFields(memorySource(bytes.subarray(0, -30)), entries)).toEqual([[], [], []]);
    expect(await checksumFields(memorySource(Buffer.alloc(3)), entries)).toEqual([[], [], []]);
  });
});
