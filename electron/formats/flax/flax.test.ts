import { readFileSync } from 'node:fs';
import { decode, ExtensionCodec } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { DTYPES } from '../../../shared/model/dtype';
import type { GroupToWrite } from '../format';
import { fuzz } from '../testing/fuzz';
import { materialise } from '../testing/materialise';
import { groupBytes, groupDigest, readMemory } from '../testing/readBack';
import { sampleBytes, sampleGroups } from '../testing/sampleGroups';
import { flaxFormat } from './flaxFormat';
import { layoutFlax } from './layoutFlax';

const FIXTURES = new URL('../../../e2e/fixtures/flax/', import.meta.url);
const fixture = (name: string) => readFileSync(new URL(name, FIXTURES));
const expected: { keys: string[]; dtype: string; shape: number[]; sha256: string }[] = JSON.parse(fixture('expected.json').toString())['params.msgpack'];

const bytesOf = (...parts: (number | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.of(part))));

describe('files of flax.serialization', () => {
  it('parameters of every type, shape and nesting', async () => {
    const bytes = fixture('params.msgpack');
    expect(flaxFormat.matches(bytes.subarray(0, 4096), bytes.byteLength)).toBe(true);
    const { groups, skipped } = await readMemory(flaxFormat, bytes);
    const found = await Promise.all(
      groups.map(async (group) => ({ keys: group.keys, dtype: group.dtype, shape: group.shape, sha256: await groupDigest(group) })),
    );
    expect(found).toEqual(expected);
    expect(skipped).toEqual([]);
  });

  it('a training state with scalars, lists, texts and an array in chunks', async () => {
    const bytes = fixture('state.msgpack');
    expect(flaxFormat.matches(bytes, bytes.byteLength)).toBe(true);
    const { groups, skipped } = await readMemory(flaxFormat, bytes);
    expect(groups.map(({ keys, dtype, shape }) => [keys.join('/'), dtype, shape])).toEqual([
      ['step', 'int32', []],
      ['list/0', 'float32', [2]],
      ['list/2/0', 'int16', [1]],
      ['params/w', 'float32', [2]],
      ['chunked', 'float32', [3, 2]],
      ['after', 'uint8', [1]],
    ]);
    expect(groups[4]?.data).toMatchObject({ code: 'unsupported-format', message: expect.stringContaining('2 chunks'), place: { group: 'chunked' } });
    expect(skipped.map(({ name }) => name)).toEqual(['count', 'rate', 'name', 'flag', 'none', 'z', 'empty', 'list/1', 'text']);
  });
});

describe('layout', () => {
  it('writes the very bytes that Flax writes', async () => {
    const bytes = fixture('params.msgpack');
    const { groups } = await readMemory(flaxFormat, bytes);
    const contents = await Promise.all(groups.map(groupBytes));
    expect(materialise(layoutFlax(groups, []), contents).equals(bytes)).toBe(true);
  });

  it('is read back as it was given', async () => {
    const groups = sampleGroups(DTYPES.filter((dtype) => dtype !== 'complex32')).map((group, i) =>
      i % 3 === 0 ? { ...group, keys: ['outer', 'inner', ...group.keys] } : group,
    );
    const contents = sampleBytes(groups);
    const layout = layoutFlax(groups, [{ key: 'a', value: 'b' }]);
    const file = materialise(layout, contents);
    const back = await readMemory(flaxFormat, file);
    const byKeys = new Map(back.groups.map((group) => [JSON.stringify(group.keys), group]));
    expect(byKeys.size).toBe(groups.length);
    for (const [i, { keys, dtype, shape }] of groups.entries()) {
      const group = byKeys.get(JSON.stringify(keys));
      expect(group).toMatchObject({ dtype, shape });
      if (group !== undefined) expect((await groupBytes(group)).equals(contents[i] ?? Buffer.alloc(1))).toBe(true);
    }
    expect(layout.notes).toEqual([expect.stringContaining('metadata')]);
  });

  it('is read by an independent reader', () => {
    const groups = Array.from({ length: 70_000 }, (_, i): GroupToWrite => ({ keys: ['p', `w${i}`], dtype: 'uint8', shape: [1] }));
    const file = materialise(layoutFlax(groups, []), sampleBytes(groups));
    const extensionCodec = new ExtensionCodec();
    extensionCodec.register({ type: 1, encode: () => null, decode: (data) => decode(data) });
    const value = decode(file, { extensionCodec }) as { p: Record<string, unknown> };
    expect(Object.keys(value.p)).toHaveLength(70_000);
    expect(value.p.w0).toEqual([[1], 'uint8', expect.any(Uint8Array)]);
  });

  it('plans large tensors without their data', () => {
    const layout = layoutFlax([{ keys: ['w'], dtype: 'float32', shape: [400_000_000] }], []);
    expect(layout.bytes).toBeGreaterThan(1_600_000_000);
  });

  it.each<[string, GroupToWrite[]]>([
    ['complex32', [{ keys: ['a'], dtype: 'complex32', shape: [] }]],
    ['a tensor over 2 GiB', [{ keys: ['a'], dtype: 'float32', shape: [2 ** 29] }]],
    [
      'a group inside another group',
      [
        { keys: ['a'], dtype: 'float32', shape: [] },
        { keys: ['a', 'b'], dtype: 'float32', shape: [] },
      ],
    ],
    [
      'a group around another group',
      [
        { keys: ['a', 'b'], dtype: 'float32', shape: [] },
        { keys: ['a'], dtype: 'float32', shape: [] },
      ],
    ],
  ])('refuses %s', (_, groups) => {
    expect(() => layoutFlax(groups, [])).toThrow(expect.objectContaining({ code: 'unsupported-format' }));
  });
});

describe('broken files', () => {
  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'truncated'],
    ['a dictionary that ends', bytesOf(0x81, 0xa1, 'a'), 'truncated'],
    ['more members than bytes', bytesOf(0xdf, 0x7f, 0xff, 0xff, 0xff), 'truncated'],
    ['a list longer than the file', bytesOf(0xdd, 0xff, 0xff, 0xff, 0xff, 0xc0), 'truncated'],
    ['an array longer than the file', bytesOf(0x81, 0xa1, 'a', 0xc9, 0x7f, 0xff, 0xff, 0xff, 0x01, 0x93), 'truncated'],
    ['a key that is a list', bytesOf(0x81, 0x90, 0xc0), 'malformed'],
    ['a key twice', bytesOf(0x82, 0xa1, 'a', 0xc0, 0xa1, 'a', 0xc0), 'malformed'],
    ['a key that is not UTF-8', bytesOf(0x81, 0xa1, 0xff, 0xc0), 'malformed'],
    ['a byte that begins nothing', bytesOf(0x81, 0xa1, 'a', 0xc1), 'malformed'],
    ['something after the end', bytesOf(0x80, 0x80), 'malformed'],
    ['an array that is no list of three', bytesOf(0x81, 0xa1, 'a', 0xd4, 0x01, 0x90), 'malformed'],
    ['an array that reaches over its extension', bytesOf(0x81, 0xa1, 'a', 0xc7, 0x08, 0x01, 0x93, 0x91, 0x02, 0xa2, 'u1', 0xc4, 0x02, 0x01, 0x01), 'truncated'],
    ['nesting without end', Buffer.alloc(100_000, 0x91), 'too-large'],
  ])('%s', async (_, bytes, code) => {
    await expect(readMemory(flaxFormat, bytes)).rejects.toMatchObject({ code });
  });

  it('marks an array whose data does not fit its shape', async () => {
    const bytes = bytesOf(0x81, 0xa1, 'a', 0xc7, 0x0d, 0x01, 0x93, 0x91, 0x03, 0xa5, 'uint8', 0xc4, 0x02, 0x01, 0x01);
    expect((await readMemory(flaxFormat, bytes)).groups).toMatchObject([{ dtype: 'uint8', shape: [3], data: { code: 'malformed', place: { group: 'a' } } }]);
  });

  it('does not repeat a long key without limit', async () => {
    const key = Buffer.alloc(60_000, 0x61);
    const bytes = Buffer.concat([bytesOf(0x81, 0xda, key.byteLength >> 8, key.byteLength & 0xff), key, bytesOf(0xdc, 0xff, 0xff), Buffer.alloc(0xffff, 0xc0)]);
    await expect(readMemory(flaxFormat, bytes)).rejects.toMatchObject({ code: 'too-large' });
  });

  it('gives only CheckpointErrors for files that were cut or changed', async () => {
    const bytes = fixture('state.msgpack');
    expect((await fuzz(flaxFormat, bytes, { headerBytes: bytes.byteLength })).refused).toBeGreaterThan(bytes.byteLength);
  });
});

describe('matches', () => {
  it.each<[string, Buffer]>([
    ['a pickle', bytesOf(0x80, 0x02, '}q', 0x00, '.')],
    ['a dictionary of bytes', bytesOf(0x81, 0xa1, 'w', 0x81, 0xa1, '0', 0xc4, 0x01, 0x00)],
    ['a dictionary of numbers', bytesOf(0x81, 0xa1, 'w', 0x01)],
    ['a list', bytesOf(0x91, 0xc0)],
    ['a safetensors file', bytesOf(0x82, 0, 0, 0, 0, 0, 0, 0, '{"a":')],
    ['an extension of another type', bytesOf(0x81, 0xa1, 't', 0xd6, 0xff, 0, 0, 0, 0)],
    ['text', Buffer.from('version https://git-lfs')],
  ])('refuses %s', (_, bytes) => {
    expect(flaxFormat.matches(bytes, bytes.byteLength)).toBe(false);
  });
});
