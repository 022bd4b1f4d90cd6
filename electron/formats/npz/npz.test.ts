import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { layoutStoredZip } from '../../encodings/zip/storedZipLayout';
import type { GroupToWrite } from '../format';
import { fuzz } from '../testing/fuzz';
import { materialise } from '../testing/materialise';
import { groupBytes, groupDigest, readMemory } from '../testing/readBack';
import { sampleBytes, sampleGroups } from '../testing/sampleGroups';
import { combineCrc32 } from './combineCrc32';
import { DTYPE_RECORD } from './dtypeRecord';
import { layoutNpz } from './layoutNpz';
import { npzFormat } from './npzFormat';

const FIXTURES = new URL('../../../e2e/fixtures/npz/', import.meta.url);
const fixture = (name: string) => readFileSync(new URL(name, FIXTURES));

/** A zip of one member with these bytes. */
function zipOf(name: string, content: Uint8Array): Buffer {
  const zip = layoutStoredZip([{ name, bytes: content.byteLength, content }], { alignment: 1 });
  return materialise({ ...zip, tensors: [], notes: [] }, []);
}

function npy(header: string, data: number, version = 1): Buffer {
  const prefix = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0, 0, 0, ...(version === 1 ? [] : [0, 0])]);
  prefix.writeUInt16LE(Buffer.byteLength(header), 8);
  return Buffer.concat([prefix, Buffer.from(header), Buffer.alloc(data, 1)]);
}

describe('files of numpy.savez', () => {
  it('arrays of every type and order', async () => {
    const bytes = fixture('arrays.npz');
    expect(npzFormat.matches(bytes.subarray(0, 4096), bytes.byteLength)).toBe(true);
    const expected: { groups: unknown[]; skipped: string[] } = JSON.parse(fixture('expected.json').toString())['arrays.npz'];
    const { groups, skipped } = await readMemory(npzFormat, bytes);
    const found = await Promise.all(
      groups.map(async (group) => ({ name: group.keys[0], dtype: group.dtype, shape: group.shape, sha256: await groupDigest(group) })),
    );
    expect(found).toEqual(expected.groups);
    expect(skipped.map(({ name }) => name)).toEqual(expected.skipped);
  });

  it('compressed arrays are listed, with an error for their data', async () => {
    const { groups } = await readMemory(npzFormat, fixture('compressed.npz'));
    expect(groups).toMatchObject([
      { keys: ['w'], dtype: 'float32', shape: [4, 5], data: { code: 'unsupported-format', place: { group: 'w' } } },
      { keys: ['f'], dtype: 'float64', shape: [2, 3], data: { code: 'unsupported-format' } },
    ]);
  });
});

describe('headers of .npy', () => {
  it.each([
    ['single quotes', "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", 1],
    ['double quotes and no last comma', '{"descr": "<f4", "fortran_order": False, "shape": (2,)}', 1],
    ['numbers of Python 2', "{'shape': (2L,), 'fortran_order': False, 'descr': '<f4'}", 1],
    ['a list as shape', "{'descr': '<f4', 'fortran_order': False, 'shape': [2]}", 1],
    ['version 2', "{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }", 2],
    ['version 3', "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 3],
  ])('%s', async (_, header, version) => {
    const { groups } = await readMemory(npzFormat, zipOf('a.npy', npy(header, 8, version)));
    expect(groups).toMatchObject([{ keys: ['a'], dtype: 'float32', shape: [2] }]);
    const [group] = groups;
    if (group === undefined) throw new Error('no group');
    expect(await groupBytes(group)).toEqual(Buffer.alloc(8, 1));
  });

  it.each([
    ['a number in brackets, which is no tuple', "{'descr': '<f4', 'fortran_order': False, 'shape': (2)}"],
    ['a negative extent', "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}"],
    ['no shape', "{'descr': '<f4', 'fortran_order': False}"],
    ['a call', "{'descr': '<f4', 'fortran_order': False, 'shape': tuple(2)}"],
    ['no dictionary', '[1]'],
    ['a name twice', "{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}"],
    ['brackets without end', `{'descr': '<f4', 'fortran_order': False, 'shape': ${'('.repeat(5000)}`],
    ['an order that is a text', "{'descr': '<f4', 'fortran_order': 'x', 'shape': (2,)}"],
  ])('refuses %s', async (_, header) => {
    const { groups, skipped } = await readMemory(npzFormat, zipOf('a.npy', npy(header, 8)));
    expect(groups).toEqual([]);
    expect(skipped).toEqual([{ name: 'a', reason: expect.stringContaining('broken') }]);
  });

  it.each([
    ['too little', 7, 'truncated'],
    ['too much', 9, 'malformed'],
  ])('marks an array with %s data', async (_, data, code) => {
    const { groups } = await readMemory(npzFormat, zipOf('a.npy', npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", data)));
    expect(groups).toMatchObject([{ data: { code, place: { group: 'a' } } }]);
  });

  it('skips a member that ends inside its header, and one that is no array', async () => {
    expect((await readMemory(npzFormat, zipOf('a.npy', npy('', 0).subarray(0, 9)))).skipped).toHaveLength(1);
    expect((await readMemory(npzFormat, zipOf('a.npy', Buffer.from([...npy('', 0).subarray(0, 8), 0xff, 0xff])))).skipped).toHaveLength(1);
    expect((await readMemory(npzFormat, zipOf('readme.txt', Buffer.from('hello')))).skipped).toEqual([{ name: 'readme.txt', reason: expect.any(String) }]);
  });
});

describe('layout', () => {
  const groups = sampleGroups().filter(({ keys }) => keys[0] !== '');
  const contents = sampleBytes(groups);
  const layout = layoutNpz(groups, [{ key: 'a', value: 'b' }]);
  const bytes = materialise(layout, contents);

  it('is read back as it was given, types that NumPy does not have included', async () => {
    const checkpoint = await readMemory(npzFormat, bytes);
    expect(checkpoint.groups.map(({ keys, dtype, shape }) => ({ keys, dtype, shape }))).toEqual(groups);
    for (const [i, group] of checkpoint.groups.entries()) expect((await groupBytes(group)).equals(contents[i] ?? Buffer.alloc(1))).toBe(true);
    expect(checkpoint.skipped).toEqual([]);
  });

  it('aligns the data and says what was lost', () => {
    expect(layout.tensors.every((offset) => offset !== null && offset % 64 === 0)).toBe(true);
    expect(layout.notes).toContainEqual(expect.stringContaining('metadata'));
    for (const dtype of ['bfloat16', 'complex32', 'float8_e4m3fn']) expect(layout.notes).toContainEqual(expect.stringContaining(`${dtype}:`));
  });

  it('writes the name without anything before .npy', async () => {
    const empty: GroupToWrite[] = [{ keys: [''], dtype: 'float32', shape: [1] }];
    expect((await readMemory(npzFormat, materialise(layoutNpz(empty, []), [Buffer.alloc(4)]))).groups).toMatchObject([{ keys: [''] }]);
  });

  it('does without the record when every type is known to NumPy', async () => {
    const plain = layoutNpz([{ keys: ['m', 'w'], dtype: 'float32', shape: [1] }], []);
    const file = materialise(plain, [Buffer.alloc(4)]);
    expect(file.includes(DTYPE_RECORD)).toBe(false);
    expect(plain.notes).toEqual([expect.stringContaining('joined')]);
    expect((await readMemory(npzFormat, file)).groups).toMatchObject([{ keys: ['m/w'] }]);
  });

  it.each([
    ['the name of the record', DTYPE_RECORD],
    ['a name with a NUL', 'a\0b'],
  ])('refuses %s', (_, name) => {
    expect(() => layoutNpz([{ keys: [name], dtype: 'float32', shape: [1] }], [])).toThrow(expect.objectContaining({ code: 'unsupported-format' }));
  });

  it('gives only CheckpointErrors for files that were cut or changed', async () => {
    const few: GroupToWrite[] = [
      { keys: ['a'], dtype: 'float32', shape: [2] },
      { keys: ['b'], dtype: 'bfloat16', shape: [2] },
    ];
    const file = materialise(layoutNpz(few, []), sampleBytes(few));
    expect((await fuzz(npzFormat, file, { headerBytes: file.byteLength })).refused).toBeGreaterThan(0);
  });
});

describe('combineCrc32', () => {
  it.each([0, 1, 2, 63, 64, 1000, 65536])('equals the checksum of the whole with a second part of %i bytes', (length) => {
    const first = Buffer.from('\x93NUMPY and a header', 'latin1');
    const second = Buffer.from(Array.from({ length }, (_, i) => (i * 31 + 7) & 0xff));
    expect(combineCrc32(crc32(first), crc32(second), length)).toBe(crc32(Buffer.concat([first, second])));
  });
});
