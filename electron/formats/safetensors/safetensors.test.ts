import { readFileSync } from 'node:fs';
import { SafeTensor } from 'safetensors';
import { describe, expect, it } from 'vitest';
import { DTYPES } from '../../../shared/model/dtype';
import { memorySource } from '../../bytes/memorySource';
import type { GroupToWrite } from '../format';
import { fuzz } from '../testing/fuzz';
import { materialise } from '../testing/materialise';
import { groupBytes, groupDigest, readMemory } from '../testing/readBack';
import { sampleBytes, sampleGroups } from '../testing/sampleGroups';
import { layoutSafetensors } from './layoutSafetensors';
import { parseHeader } from './parseHeader';
import { nameOf } from './safetensorsDtypes';
import { safetensorsFormat } from './safetensorsFormat';
import { scanHeader } from './scanHeader';

const FIXTURES = new URL('../../../e2e/fixtures/checkpoints/', import.meta.url);
const fixture = (name: string) => readFileSync(new URL(name, FIXTURES));

interface Expected {
  readonly metadata: Record<string, string> | null;
  readonly groups: readonly { name: string; dtype: string; shape: number[]; sha256: string }[];
}
const expected: Record<string, Expected> = JSON.parse(fixture('expected.json').toString());

function file(header: string, data = 0): Buffer {
  const text = Buffer.from(header);
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(BigInt(text.byteLength));
  return Buffer.concat([prefix, text, Buffer.alloc(data)]);
}

describe('files of the reference writer', () => {
  it.each(Object.keys(expected).filter((name) => name.startsWith('safetensors/')))('%s', async (name) => {
    const bytes = fixture(name);
    expect(safetensorsFormat.matches(bytes.subarray(0, 4096), bytes.byteLength)).toBe(true);
    const checkpoint = await readMemory(safetensorsFormat, bytes);
    const groups = await Promise.all(
      checkpoint.groups.map(async (group) => ({ name: group.keys.join('/'), dtype: group.dtype, shape: group.shape, sha256: await groupDigest(group) })),
    );
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(groups.sort(byName)).toEqual([...(expected[name]?.groups ?? [])].sort(byName));
    expect(checkpoint.metadata).toEqual(Object.entries(expected[name]?.metadata ?? {}).map(([key, value]) => ({ key, value })));
    expect(checkpoint.skipped).toEqual([]);
  });
});

describe('broken files', () => {
  it.each([
    ['duplicate', 'malformed', /"a" stands twice/],
    ['float_offsets', 'malformed', /data_offsets are missing or are not two whole numbers/],
    ['header_not_json', 'malformed', /header cannot be read/],
    ['header_too_long', 'truncated', /header should have 1152921504606846976 bytes, but only 78 follow/],
    ['hole', 'malformed', /last 8 bytes of the file belong to no tensor/],
    ['huge_shape', 'malformed', /more bytes than any file/],
    ['metadata_not_string', 'malformed', /whose value is no text/],
    ['negative', 'malformed', /data_offsets are missing or are not two whole numbers/],
    ['out_of_range', 'truncated', /should end at byte 232, but the file ends at byte 88/],
    ['overlap', 'malformed', /overlaps the tensor "a"/],
    ['unknown_dtype', 'unsupported-format', /type "F4E2M1X", which is not known/],
    ['wrong_size', 'malformed', /span 12 bytes, but F32 with the shape \[4\] needs 16/],
  ])('%s', async (name, code, message) => {
    const bytes = fixture(`hostile/${name}.safetensors`);
    expect(safetensorsFormat.matches(bytes.subarray(0, 4096), bytes.byteLength)).toBe(true);
    const read = readMemory(safetensorsFormat, bytes, 'model.safetensors');
    await expect(read).rejects.toMatchObject({ code, message: expect.stringMatching(message), place: { file: 'model.safetensors' } });
  });

  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'truncated'],
    ['half a length', Buffer.alloc(4), 'truncated'],
    ['an empty header', file(''), 'malformed'],
    ['a list as header', file('[1]'), 'malformed'],
    ['space before the header', file(' {}'), 'malformed'],
    ['a byte order mark', file('\ufeff{}'), 'malformed'],
    ['something after the header', file('{}x'), 'malformed'],
    ['text that is not UTF-8', Buffer.concat([file('{}').subarray(0, 8), Buffer.from([0x7b, 0xff])]), 'malformed'],
    ['an entry that is a list', file('{"a":[]}'), 'malformed'],
    ['an entry without shape', file('{"a":{"dtype":"F32","data_offsets":[0,4]}}', 4), 'malformed'],
    ['an entry without type', file('{"a":{"shape":[],"data_offsets":[0,4]}}', 4), 'malformed'],
    ['three offsets', file('{"a":{"dtype":"F32","shape":[],"data_offsets":[0,4,4]}}', 4), 'malformed'],
    ['offsets that run backwards', file('{"a":{"dtype":"F32","shape":[],"data_offsets":[4,0]}}', 4), 'malformed'],
    ['an extent beyond 2^53', file('{"a":{"dtype":"F32","shape":[9007199254740993],"data_offsets":[0,4]}}', 4), 'malformed'],
    [
      'a hole between tensors',
      file('{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}', 3),
      'malformed',
    ],
    [
      'an empty tensor inside another',
      file('{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[0],"data_offsets":[2,2]}}', 4),
      'malformed',
    ],
    [
      'one span with two shapes',
      file('{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[2,2],"data_offsets":[0,4]}}', 4),
      'malformed',
    ],
    ['a packed tensor that does not fill its bytes', file('{"a":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}}', 2), 'malformed'],
    ['metadata that is a text', file('{"__metadata__":"x"}'), 'malformed'],
  ])('%s', async (_, bytes, code) => {
    await expect(readMemory(safetensorsFormat, bytes)).rejects.toMatchObject({ code });
  });

  it('says where the JSON is broken in bytes of the file', async () => {
    await expect(readMemory(safetensorsFormat, file('{"ü":!}'))).rejects.toMatchObject({ place: { offset: 8 + 6 } });
  });

  it('refuses a header longer than readers take before it is read', async () => {
    const prefix = Buffer.alloc(8);
    prefix.writeBigUInt64LE(200_000_000n);
    let read = 0;
    const source = {
      ...memorySource(prefix),
      length: 300_000_000,
      read: async (_: number, length: number) => {
        read += length;
        return prefix.subarray(0, length);
      },
    };
    await expect(safetensorsFormat.read(source, { ref: { kind: 'memory', bytes: prefix }, file: 'f' })).rejects.toMatchObject({ code: 'too-large' });
    expect(read).toBe(8);
  });

  it('gives only CheckpointErrors for files that were cut or changed', async () => {
    const groups: GroupToWrite[] = [
      { keys: ['層'], dtype: 'float32', shape: [2, 2] },
      { keys: ['b'], dtype: 'uint8', shape: [0] },
      { keys: ['c'], dtype: 'bfloat16', shape: [3] },
    ];
    const bytes = materialise(layoutSafetensors(groups, [{ key: 'format', value: 'pt' }]), sampleBytes(groups));
    const { refused } = await fuzz(safetensorsFormat, bytes, { headerBytes: bytes.byteLength });
    expect(refused).toBeGreaterThan(bytes.byteLength);
  });
});

describe('scanHeader', () => {
  const tensor = '"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}';
  const texts: string[] = [
    `{${tensor}}`,
    `{${tensor}}   `,
    '{"a": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}, "b": {"dtype": "U8", "shape": [], "data_offsets": [8, 9]}}',
    `{"__metadata__":{"format":"pt","x":""},${tensor}}`,
    `{"__metadata__": {"format": "pt"}, ${tensor}}`,
    '{"__proto__":{"dtype":"F32","shape":[],"data_offsets":[0,4]},"1":{"dtype":"F32","shape":[],"data_offsets":[4,8]},"":{"dtype":"I8","shape":[0],"data_offsets":[8,8]}}',
  ];
  it.each(texts)('reads as the parser does: %s', (text) => {
    const scanned = scanHeader(text);
    expect(scanned).not.toBeNull();
    expect(scanned).toEqual(parseHeader(text, { file: 'f', start: 8 }));
    expect([...(scanned?.tensors.keys() ?? [])]).toEqual([...parseHeader(text, { file: 'f', start: 8 }).tensors.keys()]);
  });

  it.each([
    '{}',
    `{${tensor},}`,
    `{${tensor}`,
    `{${tensor}}}`,
    `{${tensor}}x`,
    `{${tensor},${tensor}}`,
    `{"__metadata__":{"a":"1","a":"2"},${tensor}}`,
    `{"__metadata__":{"a":1},${tensor}}`,
    `{"__metadata__":{"a":"1",},${tensor}}`,
    `{"__metadata__":{"a":"1"}${tensor}}`,
    `{${tensor},"__metadata__":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}`,
    '{"a\\u0062":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}',
    '{"a":{"dtype":"F32","shape":[1,,2],"data_offsets":[0,8]}}',
    '{"a":{"dtype":"F32","shape":[1,2,],"data_offsets":[0,8]}}',
    '{"a":{"dtype":"F32","shape":[01],"data_offsets":[0,4]}}',
    '{"a":{"dtype":"F32","shape":[1 2],"data_offsets":[0,8]}}',
    '{"a":{"dtype":"F32","shape":[1],"data_offsets":[00,4]}}',
    '{"a":{"dtype":"F32","shape":[99999999999999999],"data_offsets":[0,4]}}',
    '{"a\nb":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}'.replace('\\n', '\n'),
  ])('leaves to the parser: %s', (text) => {
    expect(scanHeader(text)).toBeNull();
  });
});

describe('what the reference allows', () => {
  it('spaces after the header, null metadata, keys that it does not know', async () => {
    const bytes = file('{"__metadata__":null,"a":{"dtype":"F32","shape":[],"data_offsets":[0,4],"more":[{}]}}   ', 4);
    const { groups, metadata } = await readMemory(safetensorsFormat, bytes);
    expect(groups.map(({ keys }) => keys)).toEqual([['a']]);
    expect(metadata).toEqual([]);
  });

  it('a file without tensors', async () => {
    expect((await readMemory(safetensorsFormat, file('{}'))).groups).toEqual([]);
  });

  it('tensors in another order than the names, which keep the order of the header', async () => {
    const bytes = file('{"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}');
    const { groups } = await readMemory(safetensorsFormat, Buffer.concat([bytes, Buffer.from([7, 9])]));
    expect(groups.map(({ keys }) => keys[0])).toEqual(['b', 'a']);
    expect(await Promise.all(groups.map(async (group) => [...(await groupBytes(group))]))).toEqual([[9], [7]]);
  });

  it('packed types, whose place is checked and whose tensors are listed as skipped', async () => {
    const bytes = file('{"q":{"dtype":"F4","shape":[4],"data_offsets":[0,2]},"s":{"dtype":"F8_E8M0","shape":[1],"data_offsets":[2,3]}}', 3);
    const { groups, skipped } = await readMemory(safetensorsFormat, bytes);
    expect(groups.map(({ keys, dtype }) => [keys[0], dtype])).toEqual([['s', 'float8_e8m0fnu']]);
    expect(skipped).toEqual([{ name: 'q', reason: expect.stringContaining('F4') }]);
  });

  it('several names for one span: tied tensors', async () => {
    const one = '{"dtype":"F32","shape":[2],"data_offsets":[0,8]}';
    const { groups } = await readMemory(
      safetensorsFormat,
      file(`{"lm_head":${one},"embed":${one},"third":${one},"x":{"dtype":"U8","shape":[1],"data_offsets":[8,9]}}`, 9),
    );
    expect(groups.map(({ keys, tiedTo }) => [keys[0], tiedTo])).toEqual([
      ['lm_head', null],
      ['embed', 'lm_head'],
      ['third', 'lm_head'],
      ['x', null],
    ]);
  });

  it('opens forty thousand tensors by two reads', async () => {
    const groups = Array.from(
      { length: 40_000 },
      (_, i): GroupToWrite => ({ keys: [`model.layers.${i >> 4}.mlp.experts.${i & 15}.weight`], dtype: 'bfloat16', shape: [1, 2] }),
    );
    const bytes = materialise(layoutSafetensors(groups, []), sampleBytes(groups));
    let reads = 0;
    const inner = memorySource(bytes);
    const source = {
      ...inner,
      read: (offset: number, length: number) => {
        reads++;
        return inner.read(offset, length);
      },
    };
    const checkpoint = await safetensorsFormat.read(source, { ref: { kind: 'memory', bytes }, file: 'f' });
    expect(checkpoint.groups).toHaveLength(40_000);
    expect(reads).toBe(2);
  });
});

describe('layout', () => {
  const groups = sampleGroups(DTYPES.filter((dtype) => nameOf(dtype) !== undefined));
  const contents = sampleBytes(groups);
  const metadata = [
    { key: 'format', value: 'pt' },
    { key: '__proto__', value: '"quoted"\n' },
  ];
  const layout = layoutSafetensors(groups, metadata);
  const bytes = materialise(layout, contents);

  it('is read back as it was given', async () => {
    const checkpoint = await readMemory(safetensorsFormat, bytes);
    expect(checkpoint.metadata).toEqual(metadata);
    expect(checkpoint.groups.map(({ keys, dtype, shape }) => ({ keys, dtype, shape }))).toEqual(groups);
    for (const [i, group] of checkpoint.groups.entries()) expect((await groupBytes(group)).equals(contents[i] ?? Buffer.alloc(1))).toBe(true);
    expect(layout.notes).toEqual([]);
  });

  it('is read by an independent reader', () => {
    // That reader takes no metadata, no view into a larger buffer and no name that JavaScript objects have already.
    const plain = groups.filter(({ keys }) => keys[0] !== '__proto__');
    const parts = sampleBytes(plain);
    const file = new Uint8Array(materialise(layoutSafetensors(plain, []), parts));
    const reader = new SafeTensor(file);
    expect([...reader.metadata.keys()]).toEqual(plain.map(({ keys }) => keys[0]));
    for (const [i, { keys, shape }] of plain.entries()) {
      expect(reader.metadata.get(keys[0] ?? '')?.shape).toEqual(shape);
      expect(Buffer.from(reader.getTensor(keys[0] ?? '')).equals(parts[i] ?? Buffer.alloc(1))).toBe(true);
    }
  });

  it('pads the header with spaces to 8 bytes', () => {
    const length = Number(bytes.readBigUInt64LE(0));
    expect(length % 8).toBe(0);
    expect(
      bytes
        .subarray(8, 8 + length)
        .toString()
        .trimEnd()
        .endsWith('}'),
    ).toBe(true);
  });

  it('joins nested keys and says so', async () => {
    const nested: GroupToWrite[] = [{ keys: ['model', 'fc', 'weight'], dtype: 'float32', shape: [] }];
    const plan = layoutSafetensors(nested, []);
    expect(plan.notes).toEqual([expect.stringContaining('joined')]);
    expect((await readMemory(safetensorsFormat, materialise(plan, [Buffer.alloc(4)]))).groups[0]?.keys).toEqual(['model/fc/weight']);
  });

  it.each<[string, GroupToWrite[]]>([
    ['a type that it has no name for', [{ keys: ['a'], dtype: 'complex128', shape: [] }]],
    [
      'two groups of one joined name',
      [
        { keys: ['a', 'b'], dtype: 'float32', shape: [] },
        { keys: ['a/b'], dtype: 'float32', shape: [] },
      ],
    ],
    ['a group named as the metadata', [{ keys: ['__metadata__'], dtype: 'float32', shape: [] }]],
  ])('refuses %s', (_, refused) => {
    expect(() => layoutSafetensors(refused, [])).toThrow(expect.objectContaining({ code: 'unsupported-format', place: { group: expect.any(String) } }));
  });
});
