import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { CheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import { memorySource } from '../../bytes/memorySource';
import { walkObject } from './walkObject';

interface Found {
  readonly member: string;
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

async function walk(source: ByteSource): Promise<Found[]> {
  const found: Found[] = [];
  let member = '';
  await walkObject(source, {
    inline: '.zarray',
    member: (name) => {
      member = name;
    },
    file: ({ name, offset, length }) => {
      found.push({ member, name, offset, length });
    },
  });
  return found;
}

const text = (value: string) => Uint8Array.from(Buffer.from(value));

describe('walkObject', () => {
  it.each([
    ['small', 3, 10],
    ['16-bit lengths', 20, 300],
    ['32-bit lengths', 70_000, 1],
    ['large contents', 3, 100_000],
  ])('finds every file of an object with %s, as another encoder writes it', async (_, files, length) => {
    const contents = Array.from({ length: files }, (_unused, i) => new Uint8Array(length).fill(i));
    const object = { a: { '.zarray': text('{}'), ...Object.fromEntries(contents.map((content, i) => [`${i}.${'0'.repeat(i % 40)}`, content])) }, 'β/1': {} };
    const bytes = encode(object);
    const found = await walk(memorySource(bytes));
    expect(found).toHaveLength(files + 1);
    const byName = new Map(found.map((file) => [file.name, file]));
    for (const [i, content] of contents.entries()) {
      const name = `${i}.${'0'.repeat(i % 40)}`;
      const { member, offset, length: size } = byName.get(name) ?? { member: '', offset: 0, length: 0 };
      if (member !== 'a' || Buffer.compare(bytes.subarray(offset, offset + size), content) !== 0) throw new Error(`${name} is wrong`);
    }
  });

  it('reads a few kilobytes of an object with large contents', async () => {
    const bytes = encode({ a: Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`${i}`, new Uint8Array(1_000_000)])) });
    let read = 0;
    const whole = memorySource(bytes);
    await walk({
      length: whole.length,
      read: (offset, length) => {
        read += length;
        return whole.read(offset, length);
      },
      close: async () => {},
    });
    expect(read).toBeLessThan(80_000);
  });

  const head = Uint8Array.of(0x81, 0xa1, 0x61, 0x81, 0xa1, 0x30);
  it.each([
    ['nothing', Uint8Array.of()],
    ['a list', encode([1])],
    ['a text', encode('a')],
    ['a member that is no map', encode({ a: 1 })],
    ['a file that is text', encode({ a: { b: 'text' } })],
    ['a file that is nothing', encode({ a: { b: null } })],
    ['a number as name', Uint8Array.of(0x81, 0x01, 0x80)],
    ['bytes as name', Uint8Array.of(0x81, 0xc4, 1, 0x61, 0x80)],
    ['a name that is not UTF-8', Uint8Array.of(0x81, 0xa1, 0xff, 0x80)],
    ['a name of 4 GB', Uint8Array.of(0x81, 0xdb, 0xff, 0xff, 0xff, 0xff, 0x61)],
    ['a file of 4 GB', Buffer.concat([head, Uint8Array.of(0xc6, 0xff, 0xff, 0xff, 0xff)])],
    ['4 billion members', Uint8Array.of(0xdf, 0xff, 0xff, 0xff, 0xff)],
    ['4 billion files', Uint8Array.of(0x81, 0xa1, 0x61, 0xdf, 0xff, 0xff, 0xff, 0xff)],
    ['a member twice', Uint8Array.of(0x82, 0xa1, 0x61, 0x80, 0xa1, 0x61, 0x80)],
    ['trailing bytes', Buffer.concat([encode({ a: {} }), Uint8Array.of(0x80)])],
    ['a .zarray of 2 MB', encode({ a: { '.zarray': new Uint8Array(2_000_000) } })],
  ])('refuses %s', async (_, bytes) => {
    const error = await walk(memorySource(bytes)).catch((thrown: unknown) => thrown);
    if (!(error instanceof CheckpointError)) throw new Error(`No CheckpointError: ${String(error)}`);
    expect(error.code).toBe('malformed');
  });
});
