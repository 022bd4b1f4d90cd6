import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fuzz } from '../testing/fuzz';
import { groupBytes, groupDigest, readMemory } from '../testing/readBack';
import { onnxFormat } from './onnxFormat';

const FIXTURES = new URL('../../../e2e/fixtures/', import.meta.url);
const fixture = (name: string) => readFileSync(new URL(name, FIXTURES));

interface Expected {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly sha256: string;
}
const expected: Record<string, Expected[]> = JSON.parse(fixture('onnx/expected.json').toString());
const digits: { subject: string; files: Record<string, Expected[]> }[] = JSON.parse(fixture('digits/expected.json').toString());

async function digests(bytes: Uint8Array): Promise<Expected[]> {
  const { groups } = await readMemory(onnxFormat, bytes);
  return Promise.all(groups.map(async (group) => ({ name: group.keys.join('/'), dtype: group.dtype, shape: group.shape, sha256: await groupDigest(group) })));
}

type Part = number | string | Buffer;
const join = (parts: readonly Part[]) => Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))));
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}
/** One field of bytes, and a number. */
const bytesField = (number: number, ...parts: Part[]) => join([varint(number * 8 + 2), varint(join(parts).byteLength), ...parts]);
const numberField = (number: number, value: number) => join([varint(number * 8), varint(value)]);
/** A model whose graph has these initializers. */
const model = (...tensors: Buffer[]) => join([numberField(1, 8), bytesField(7, ...tensors.map((tensor) => bytesField(5, tensor)))]);

describe('models of the digits story', () => {
  const COMMITS: readonly [string, RegExp][] = [
    ['01_init', /^Random initialisation/],
    ['02_digits', /^Train on digits/],
    ['03_head', /^Train only the classifier/],
    ['04_fish', /^FISH mask/],
    ['05_lora', /^LoRA/],
    ['06_ia3', /^IA3/],
    ['07_branch_rotated', /^Fine-tune everything on rotated/],
    ['08_branch_noise', /^Fine-tune everything on noisy/],
    ['09_aux', /^Add an auxiliary head/],
    ['10_drop_aux', /^Drop the auxiliary head/],
  ];
  it.each(COMMITS)('%s', async (name, subject) => {
    const bytes = fixture(`digits/checkpoints/${name}.onnx`);
    expect(onnxFormat.matches(bytes.subarray(0, 4096), bytes.byteLength)).toBe(true);
    const commit = digits.find((candidate) => subject.test(candidate.subject));
    expect(await digests(bytes)).toEqual(commit?.files['model.onnx']);
  });
});

describe('values in every field', () => {
  it.each(Object.keys(expected))('%s', async (name) => {
    const bytes = fixture(`onnx/${name}`);
    expect(onnxFormat.matches(bytes, bytes.byteLength)).toBe(true);
    expect(await digests(bytes)).toEqual(expected[name]);
  });

  it('lists what it does not read, with what stays in the file', async () => {
    expect((await readMemory(onnxFormat, fixture('onnx/types.onnx'))).skipped).toEqual([
      { name: 'str', reason: 'A tensor of the type STRING [2], which is not read; its 13 bytes stay as they are.' },
      { name: 'f6', reason: 'A tensor of the type FLOAT6E2M3 [4], which is not read; its 3 bytes stay as they are.' },
    ]);
    expect((await readMemory(onnxFormat, fixture('onnx/hard.onnx'))).skipped).toEqual([]);
  });

  it('says what groups of packed bytes and sparse tensors are', async () => {
    const types = async (name: string) => (await readMemory(onnxFormat, fixture(name))).metadata.filter(({ key }) => key.startsWith('type of '));
    expect(await types('onnx/types.onnx')).toEqual([
      { key: 'type of i4_two_per_entry', value: 'int4 [8], packed two to a byte' },
      { key: 'type of i4_raw', value: 'int4 [3], packed two to a byte' },
      { key: 'type of u4', value: 'uint4 [2], packed two to a byte' },
      { key: 'type of u2', value: 'uint2 [4], packed four to a byte' },
      { key: 'type of f4', value: 'float4e2m1 [2], packed two to a byte' },
    ]);
    expect(await types('onnx/hard.onnx')).toEqual([{ key: 'type of SP', value: 'sparse float32 [2, 2], 1 value' }]);
  });

  it('tells the metadata', async () => {
    expect((await readMemory(onnxFormat, fixture('onnx/typed.onnx'))).metadata).toEqual(
      expect.arrayContaining([
        { key: 'ir_version', value: '9' },
        { key: 'producer_name', value: 'theta tests' },
        { key: 'producer_version', value: '1.0' },
        { key: 'opset ai.onnx', value: '17' },
        { key: 'opset com.example', value: '3' },
        { key: 'author', value: 'someone' },
      ]),
    );
  });

  it('says which file external values lie in', async () => {
    const { groups } = await readMemory(onnxFormat, fixture('onnx/ext.onnx'));
    expect(groups).toHaveLength(7);
    for (const { data } of groups) expect(data).toMatchObject({ code: 'not-found', place: { group: expect.any(String) } });
    expect(groups[0]).toMatchObject({ external: 'w.bin', data: { message: expect.stringContaining('"w.bin"') } });
  });
});

describe('other ways to write the same', () => {
  const head = join([numberField(1, 2), numberField(2, 1), bytesField(8, 'w')]);
  const float = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value);
    return bytes;
  };

  it.each<[string, Buffer]>([
    ['floats one by one', join([head, 0x25, float(1), 0x25, float(2)])],
    ['floats in two packed runs', join([head, bytesField(4, float(1)), bytesField(4, float(2))])],
    ['floats packed and single', join([head, bytesField(4, float(1)), 0x25, float(2)])],
    ['packed dimensions', join([bytesField(1, 2), numberField(2, 1), bytesField(8, 'w'), bytesField(9, float(1), float(2))])],
    ['the name at the end', join([bytesField(9, float(1), float(2)), numberField(2, 1), numberField(1, 2), bytesField(8, 'w')])],
    ['an unknown group in between', join([head, 0xa3, 0x06, 0x08, 0x01, 0xab, 0x06, 0xac, 0x06, 0xa4, 0x06, bytesField(9, float(1), float(2))])],
  ])('%s', async (_, tensor) => {
    const [group] = (await readMemory(onnxFormat, model(tensor))).groups;
    expect(group).toMatchObject({ keys: ['w'], dtype: 'float32', shape: [2] });
    if (group !== undefined) expect(await groupBytes(group)).toEqual(Buffer.concat([float(1), float(2)]));
  });

  it('takes negative numbers for the bits of unsigned types', async () => {
    const minusOne = Buffer.from([0x28, ...Array<number>(9).fill(0xff), 0x01]);
    const [group] = (await readMemory(onnxFormat, model(join([numberField(1, 1), numberField(2, 2), bytesField(8, 'w'), minusOne])))).groups;
    if (group === undefined) throw new Error('no group');
    expect([...(await groupBytes(group))]).toEqual([255]);
  });
});

describe('broken tensors', () => {
  const named = (...parts: Part[]) => join([bytesField(8, 'w'), ...parts]);
  it.each<[string, Buffer, string]>([
    ['raw_data too short', named(numberField(1, 2), numberField(2, 1), bytesField(9, Buffer.alloc(7))), 'malformed'],
    ['raw_data too long', named(numberField(1, 2), numberField(2, 1), bytesField(9, Buffer.alloc(9))), 'malformed'],
    ['no values', named(numberField(1, 2), numberField(2, 1)), 'malformed'],
    ['values twice', named(numberField(1, 1), numberField(2, 1), bytesField(9, Buffer.alloc(4)), bytesField(4, Buffer.alloc(4))), 'malformed'],
    ['values in the wrong field', named(numberField(1, 1), numberField(2, 1), numberField(7, 1)), 'malformed'],
    ['too few values', named(numberField(1, 3), numberField(2, 6), numberField(5, 1), numberField(5, 1)), 'malformed'],
    ['too many values', named(numberField(1, 1), numberField(2, 6), numberField(5, 1), numberField(5, 1)), 'malformed'],
    ['floats that end inside one', named(numberField(1, 2), numberField(2, 1), bytesField(4, Buffer.alloc(7))), 'malformed'],
    ['a huge shape with few values', named(numberField(1, 2 ** 40), numberField(2, 7), numberField(7, 1)), 'too-large'],
    ['a shape that cannot be counted', named(numberField(1, 2 ** 50), numberField(1, 2 ** 50), numberField(2, 1)), 'malformed'],
    ['segments', named(numberField(1, 1), numberField(2, 1), bytesField(3, numberField(1, 0)), bytesField(9, Buffer.alloc(4))), 'unsupported-format'],
  ])('%s', async (_, tensor, code) => {
    expect((await readMemory(onnxFormat, model(tensor))).groups).toMatchObject([{ keys: ['w'], data: { code, place: { group: 'w' } } }]);
  });

  it('skips initializers without a name, with a name again, and with a negative dimension', async () => {
    const negative = join([0x08, ...Array<number>(9).fill(0xff), 0x01, numberField(2, 1), bytesField(8, 'n')]);
    const good = join([numberField(2, 1), bytesField(8, 'w'), bytesField(9, Buffer.alloc(4))]);
    const { groups, skipped } = await readMemory(onnxFormat, model(good, good, join([numberField(2, 1), bytesField(9, Buffer.alloc(4))]), negative));
    expect(groups).toHaveLength(1);
    expect(skipped.map(({ name }) => name)).toEqual(['w', '', 'n']);
  });
});

describe('broken files', () => {
  it.each<[string, Buffer, string]>([
    ['no graph', numberField(1, 8), 'malformed'],
    ['a graph longer than the file', join([numberField(1, 8), 0x3a, varint(1000), 0x0a]), 'truncated'],
    ['an initializer longer than the graph', join([numberField(1, 8), bytesField(7, 0x2a, varint(50), 0x08)]), 'truncated'],
    ['field number 0', join([numberField(1, 8), 0x02, 0x00]), 'malformed'],
    ['a number without end', join([numberField(1, 8), 0x28, ...Array<number>(11).fill(0xff)]), 'malformed'],
    ['a kind that there is not', join([numberField(1, 8), 0x2f]), 'malformed'],
    ['a group that did not begin', join([numberField(1, 8), 0x2c]), 'malformed'],
    ['a group without end', join([numberField(1, 8), 0x2b]), 'truncated'],
    ['groups in groups', Buffer.alloc(100_000, 0x2b), 'truncated'],
    ['a name of megabytes', model(bytesField(8, Buffer.alloc(2_000_000, 0x61))), 'too-large'],
  ])('%s', async (_, bytes, code) => {
    await expect(readMemory(onnxFormat, bytes)).rejects.toMatchObject({ code });
  });

  it('gives only CheckpointErrors for files that were cut or changed', async () => {
    const bytes = fixture('onnx/typed.onnx');
    expect((await fuzz(onnxFormat, bytes, { headerBytes: bytes.byteLength })).refused).toBeGreaterThan(0);
  });
});

describe('matches', () => {
  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('version https://git-lfs.github.com/spec/v1\n')],
    ['a message of another kind', join([bytesField(1, 'name'), bytesField(7, 'x')])],
    ['a version that is none', join([numberField(1, 100_000), bytesField(7, bytesField(2, 'g'))])],
    ['a graph without a version', bytesField(7, bytesField(2, 'g'))],
    ['a graph that begins with no field of one', join([numberField(1, 8), bytesField(7, numberField(1, 1))])],
    ['zeros', Buffer.alloc(64)],
  ])('refuses %s', (_, bytes) => {
    expect(onnxFormat.matches(bytes, bytes.byteLength)).toBe(false);
  });
});
