import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import yazl from 'yazl';
import { CheckpointError, isCheckpointError } from '../../../shared/contract/errors';
import { memorySource } from '../../bytes/memorySource';
import { openRef } from '../../tensors/openRef';
import type { FileCheckpoint } from '../format';
import { pytorchFormat } from './pytorchFormat';

// Pickle by hand, one latin1 character for each byte.
const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer).toString('latin1');
const str = (text: string) => `X${u32(Buffer.byteLength(text))}${Buffer.from(text).toString('latin1')}`;
const int = (value: number | bigint) => `L${value}L\n`;
const global = (name: string) => `c${name.slice(0, name.lastIndexOf('.'))}\n${name.slice(name.lastIndexOf('.') + 1)}\n`;
const tuple = (...items: string[]) => `(${items.join('')}t`;
const list = (...items: string[]) => `](${items.join('')}e`;
const dict = (...entries: (readonly [key: string, value: string])[]) => `}(${entries.flat().join('')}u`;
const call = (name: string, ...args: string[]) => `${global(name)}${tuple(...args)}R`;
const instance = (name: string, state: string) => `${global(name)})\x81${state}b`;
const ints = (values: readonly (number | bigint)[]) => tuple(...values.map(int));
const TRUE = '\x88';
const FALSE = '\x89';
const NONE = 'N';

interface Tensor {
  readonly key?: string;
  readonly type?: string;
  readonly elements?: number;
  readonly offset?: number | bigint;
  readonly shape: readonly (number | bigint)[];
  readonly strides: readonly (number | bigint)[];
  readonly view?: string;
}
const storage = ({ key = '0', type = 'torch.FloatStorage', elements = 6, view }: Partial<Tensor>) =>
  `${tuple(str('storage'), global(type), str(key), str('cpu'), int(elements), ...(view === undefined ? [] : [view]))}Q`;
const tensor = (given: Tensor, ...more: string[]) =>
  call('torch._utils._rebuild_tensor_v2', storage(given), int(given.offset ?? 0), ints(given.shape), ints(given.strides), FALSE, dict(), ...more);
/** Two rows of three, the whole of storage 0. */
const MATRIX: Tensor = { shape: [2, 3], strides: [3, 1] };

const bytes = (text: string) => Buffer.from(text, 'latin1');
const floats = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer);
const SIX = floats(0, 1, 2, 3, 4, 5);

async function zip(records: Readonly<Record<string, Buffer>>, { deflated = '' } = {}): Promise<Uint8Array> {
  const file = new yazl.ZipFile();
  for (const [name, data] of Object.entries(records)) file.addBuffer(data, name, { compress: name === deflated });
  file.end();
  const parts: Buffer[] = [];
  file.outputStream.on('data', (part: Buffer) => parts.push(part));
  await once(file.outputStream, 'end');
  return Buffer.concat(parts);
}

const archive = (pickle: string, records: Readonly<Record<string, Buffer>> = {}) =>
  zip({ 'r/data.pkl': bytes(`\x80\x02${pickle}.`), 'r/data/0': SIX, ...records });

const MAGIC = '\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02}.';
function legacy(pickle: string, storages: readonly (readonly [key: string, elements: number, data: Buffer])[]): Uint8Array {
  const keys = `\x80\x02${list(...storages.map(([key]) => str(key)))}.`;
  const parts = storages.flatMap(([, elements, data]) => [Buffer.from(BigInt64Array.of(BigInt(elements)).buffer), data]);
  return Buffer.concat([bytes(`${MAGIC}\x80\x02${pickle}.${keys}`), ...parts]);
}

async function read(file: Uint8Array): Promise<FileCheckpoint> {
  expect(pytorchFormat.matches(file.subarray(0, 4096), file.byteLength)).toBe(true);
  return pytorchFormat.read(memorySource(file), { ref: { kind: 'memory', bytes: file }, file: 'made.pt' });
}

/** Name and float32 values, or the code of the error; what was skipped as its reason. */
async function outcome(file: Uint8Array): Promise<Record<string, unknown>> {
  const { groups, skipped } = await read(file);
  const found = groups.map(async ({ keys, data }): Promise<[string, unknown]> => {
    const name = keys.join('/');
    if ('code' in data) return [name, data.code];
    const stream = await openRef(data, name);
    const parts: Buffer[] = [];
    for await (const block of stream.blocks()) parts.push(Buffer.from(block));
    const whole = Uint8Array.from(Buffer.concat(parts));
    return [name, [...new Float32Array(whole.buffer)]];
  });
  return Object.fromEntries([...(await Promise.all(found)), ...skipped.map(({ name, reason }): [string, unknown] => [name, reason])]);
}

async function code(file: Promise<Uint8Array> | Uint8Array): Promise<string> {
  return read(await file).then(
    () => 'none',
    (error: unknown) => (isCheckpointError(error) ? error.code : String(error)),
  );
}

describe('zip container', () => {
  it('takes any root folder and any order of records', async () => {
    const pickle = bytes(`${dict([str('a'), tensor(MATRIX)])}.`);
    expect(await outcome(await zip({ 'some model.v1/version': bytes('3\n'), 'some model.v1/data/0': SIX, 'some model.v1/data.pkl': pickle }))).toEqual({
      a: [0, 1, 2, 3, 4, 5],
    });
    expect(await code(zip({ 'a/data.pkl': pickle, 'b/data.pkl': pickle }))).toBe('malformed');
    expect(await code(zip({ 'a/data/0': SIX }))).toBe('malformed');
    expect(await code(zip({ 'a/model.json': bytes('{}') }))).toBe('unsupported-format');
  });

  it('reads a compressed pickle, and says so when a storage is compressed', async () => {
    const pickle = bytes(`${dict([str('a'), tensor(MATRIX)], [str('b'), tensor({ ...MATRIX, key: '1' })])}.`);
    const records = { 'r/data.pkl': pickle, 'r/data/0': SIX, 'r/data/1': SIX };
    expect(await outcome(await zip(records, { deflated: 'r/data.pkl' }))).toEqual({ a: [0, 1, 2, 3, 4, 5], b: [0, 1, 2, 3, 4, 5] });
    expect(await outcome(await zip(records, { deflated: 'r/data/1' }))).toEqual({ a: [0, 1, 2, 3, 4, 5], b: 'unsupported-format' });
  });

  it('takes checksums that PyTorch was told to leave out, but no wrong ones', async () => {
    const file = Buffer.from(await archive(dict([str('a'), tensor(MATRIX)])));
    const record = file.indexOf('PK\x01\x02', 0, 'latin1');
    file.writeUInt32LE(0, record + 16);
    expect(await outcome(file)).toEqual({ a: [0, 1, 2, 3, 4, 5] });
    file.writeUInt32LE(1, record + 16);
    expect(await code(file)).toBe('malformed');
  });

  it('reads big-endian checkpoints', async () => {
    const big = Buffer.from(SIX).swap32();
    expect(await outcome(await archive(dict([str('a'), tensor(MATRIX)]), { 'r/data/0': big, 'r/byteorder': bytes('big') }))).toEqual({ a: [0, 1, 2, 3, 4, 5] });
    expect(await code(archive(dict(), { 'r/byteorder': bytes('middle') }))).toBe('malformed');
  });

  it('walks the attributes of TorchScript modules', async () => {
    const pickle = instance(
      '__torch__.Net',
      dict(
        [str('training'), TRUE],
        [str('weight'), tensor(MATRIX)],
        [str('inner'), instance('__torch__.Inner', dict([str('sizes'), call('torch.jit._pickle.build_intlist', list(int(1)))]))],
      ),
    );
    const file = await archive(pickle, { 'r/code/__torch__.py': bytes('') });
    expect(await outcome(file)).toMatchObject({ weight: [0, 1, 2, 3, 4, 5] });
    expect((await read(file)).metadata[0]).toEqual({ key: '(container)', value: 'TorchScript archive' });
  });
});

describe('legacy container', () => {
  it('finds storages behind the pickles, views in them included', async () => {
    const view = tuple(str('v'), int(2), int(3));
    const pickle = dict(
      [str('b'), tensor({ ...MATRIX, key: 'two', view: NONE })],
      [str('part'), tensor({ shape: [3], strides: [1], key: 'one', view })],
      [str('past'), tensor({ shape: [3], strides: [1], offset: 1, key: 'one', view })],
    );
    const file = legacy(pickle, [
      ['one', 6, SIX],
      ['two', 6, floats(6, 7, 8, 9, 10, 11)],
    ]);
    expect(await outcome(file)).toEqual({ b: [6, 7, 8, 9, 10, 11], part: [2, 3, 4], past: 'malformed' });
  });

  it('reads classes of modules that are written with their source', async () => {
    const cls = `${tuple(str('module'), global('my.Net'), str('net.py'), str('import os'))}Q`;
    const state = dict([str('_parameters'), dict([str('w'), tensor(MATRIX)], [str('bias'), NONE])], [str('_buffers'), dict()], [str('_modules'), dict()]);
    const file = legacy(`${cls})\x81${state}b`, [['0', 6, SIX]]);
    expect(await outcome(file)).toEqual({ w: [0, 1, 2, 3, 4, 5] });
    expect((await read(file)).metadata).toContainEqual({ key: '(root)', value: 'module my.Net' });
  });

  it.each([
    ['cut off in a storage', (file: Uint8Array) => file.subarray(0, -4), { a: [0, 1, 2, 3, 4, 5], b: 'truncated' }],
    [
      'a storage that disagrees about its size',
      (file: Uint8Array) => Buffer.concat([file.subarray(0, -32), Buffer.from([5]), file.subarray(-31)]),
      { a: [0, 1, 2, 3, 4, 5], b: 'malformed' },
    ],
  ])('gives an error to the groups that it concerns: %s', async (_, damage, expected) => {
    const pickle = dict([str('a'), tensor({ ...MATRIX, key: 'one' })], [str('b'), tensor({ ...MATRIX, key: 'two' })]);
    const file = legacy(pickle, [
      ['one', 6, SIX],
      ['two', 6, SIX],
    ]);
    expect(await outcome(damage(file))).toEqual(expected);
  });

  it('reads pickles that are longer than the first look', async () => {
    const long = dict([str('text'), str('x'.repeat(3_000_000))], [str('a'), tensor(MATRIX)]);
    expect(await outcome(legacy(long, [['0', 6, SIX]]))).toEqual({ a: [0, 1, 2, 3, 4, 5] });
  });

  it('says what other containers are', async () => {
    const tar = Buffer.alloc(1024);
    tar.write('sys_info', 0);
    tar.write('ustar', 257);
    expect(await code(tar)).toBe('unsupported-format');
    expect(await code(bytes('\x80\x02}q\x00.'))).toBe('unsupported-format');
    expect(pytorchFormat.matches(bytes('\x80\x02\x00\x00\x00\x00\x00\x00{"a":'), 700)).toBe(false);
  });
});

describe('tensors', () => {
  const wrap = (...args: string[]) => call('torch._utils._rebuild_parameter', ...args);
  const subclass = (func: string, type: string, args: string) => call('torch._tensor._rebuild_from_type_v2', global(func), global(type), args, dict());
  const v2 = (given: Tensor) => tuple(storage(given), int(0), ints(given.shape), ints(given.strides), FALSE, dict());

  it.each([
    ['a parameter', wrap(tensor(MATRIX), TRUE, dict()), [0, 1, 2, 3, 4, 5]],
    ['a parameter with state', call('torch._utils._rebuild_parameter_with_state', tensor(MATRIX), TRUE, dict(), dict()), [0, 1, 2, 3, 4, 5]],
    ['a subclass', subclass('torch._utils._rebuild_tensor_v2', 'my.Tensor', v2(MATRIX)), [0, 1, 2, 3, 4, 5]],
    ['the oldest form', call('torch._utils._rebuild_tensor', storage({}), int(0), call('torch.Size', ints([3, 2])), ints([1, 3])), [0, 3, 1, 4, 2, 5]],
    [
      'an untyped storage',
      call(
        'torch._utils._rebuild_tensor_v3',
        storage({ type: 'torch.storage.UntypedStorage', elements: 24 }),
        int(2),
        ints([2]),
        ints([2]),
        FALSE,
        dict(),
        global('torch.float32'),
      ),
      [2, 4],
    ],
    ['an expanded one', tensor({ shape: [2, 2], strides: [0, 1], offset: 4 }), [4, 5, 4, 5]],
    ['the storage class of a GPU', tensor({ ...MATRIX, type: 'torch.cuda.FloatStorage' }), [0, 1, 2, 3, 4, 5]],
    ['an empty one far outside', tensor({ shape: [0], strides: [1], offset: 10n ** 12n }), []],
    ['a past element', tensor({ ...MATRIX, offset: 1 }), 'malformed'],
    ['a stride past the storage', tensor({ shape: [2, 3], strides: [4, 1] }), 'malformed'],
    ['strides whose product is beyond 2^53', tensor({ shape: [2, 3], strides: [2n ** 52n, 2n ** 52n] }), 'malformed'],
    ['a storage that says it is larger', tensor({ ...MATRIX, elements: 7 }), 'truncated'],
    ['a storage of 2^52 elements', tensor({ ...MATRIX, elements: 2 ** 52 }), 'truncated'],
    ['a storage that is not there', tensor({ ...MATRIX, key: '../../etc/passwd' }), 'malformed'],
    ['petabytes out of one element', tensor({ shape: [2 ** 20, 2 ** 20], strides: [0, 0] }), 'too-large'],
    ['a shape beyond 2^53', tensor({ shape: [2 ** 40, 2 ** 40], strides: [0, 0] }), expect.stringContaining('larger than any tensor')],
    ['a size beyond 2^53 bytes', tensor({ shape: [2 ** 52], strides: [0] }), expect.stringContaining('larger than any tensor')],
    ['a negative extent', tensor({ shape: [-1], strides: [1] }), expect.stringContaining('malformed')],
    ['an extent beyond 2^63', tensor({ shape: [2n ** 64n], strides: [1] }), expect.stringContaining('malformed')],
    ['a negative offset', tensor({ ...MATRIX, offset: -1 }), expect.stringContaining('malformed')],
    ['shape and strides of different length', tensor({ shape: [2, 3], strides: [1] }), expect.stringContaining('malformed')],
    ['no arguments', call('torch._utils._rebuild_tensor_v2'), expect.stringContaining('malformed')],
    ['a conjugated view', tensor(MATRIX, dict([str('conj'), TRUE])), expect.stringContaining('conjugation')],
    ['a view that is neither', tensor(MATRIX, dict([str('conj'), FALSE])), [0, 1, 2, 3, 4, 5]],
    ['a quantised one', call('torch._utils._rebuild_qtensor', storage({ type: 'torch.QInt8Storage' })), expect.stringContaining('A quantised')],
    ['a quantised storage', tensor({ ...MATRIX, type: 'torch.QUInt4x2Storage' }), expect.stringContaining('QUInt4x2Storage')],
    [
      'an unknown type',
      call('torch._utils._rebuild_tensor_v3', storage({ type: 'torch.UntypedStorage' }), int(0), ints([1]), ints([1]), FALSE, dict(), global('torch.bits8')),
      expect.stringContaining('torch.bits8'),
    ],
    ['a storage class from elsewhere', tensor({ ...MATRIX, type: 'evil.FloatStorage' }), expect.stringContaining('evil.FloatStorage')],
    ['a storage by itself', storage({}), expect.stringContaining('outside the pickle')],
    [
      'a parameter of a parameter without end',
      `${global('torch._utils._rebuild_parameter')}`.repeat(20) + tensor(MATRIX) + '\x85R'.repeat(20),
      expect.stringContaining('wrapped'),
    ],
    [
      'a call inside the arguments',
      call('torch._utils._rebuild_tensor_v2', call('os.system', str('x')), int(0), ints([1]), ints([1])),
      expect.stringContaining('no reference'),
    ],
  ])('%s', async (_, pickled, expected) => {
    expect(await outcome(await archive(dict([str('t'), pickled])))).toEqual({ t: expected });
  });
});

describe('NumPy arrays', () => {
  const dtype = (code: string, order = '<') =>
    `${call('numpy.dtype', str(code), FALSE, TRUE)}${tuple(int(3), str(order), NONE, NONE, NONE, int(-1), int(-1), int(0))}b`;
  const array = (shape: readonly number[], data: string, { code: type = 'f4', order = '<', fortran = FALSE } = {}) =>
    `${call('numpy.core.multiarray._reconstruct', global('numpy.ndarray'), ints([0]), str('b'))}${tuple(int(1), ints(shape), dtype(type, order), fortran, data)}b`;
  const asBytes = (data: Buffer) => `B${u32(data.byteLength)}${data.toString('latin1')}`;
  const asText = (data: Buffer) => call('_codecs.encode', str(data.toString('latin1')), str('latin1'));
  const SWAPPED = Buffer.from(SIX).swap32();

  it.each([
    ['bytes', array([6], asBytes(SIX)), [0, 1, 2, 3, 4, 5]],
    ['text', array([2, 3], asText(SIX)), [0, 1, 2, 3, 4, 5]],
    ['Fortran order', array([2, 3], asBytes(SIX), { fortran: TRUE }), [0, 2, 4, 1, 3, 5]],
    ['big-endian elements', array([6], asText(SWAPPED), { order: '>' }), [0, 1, 2, 3, 4, 5]],
    ['too few bytes', array([7], asBytes(SIX)), expect.stringContaining('does not fit its shape')],
    ['Python objects', array([6], list(NONE), { code: 'O8' }), expect.stringContaining('no numbers')],
    ['text that is no bytes', array([1], call('_codecs.encode', str('€€€€'), str('latin1'))), 'malformed'],
    ['a shape that no array has', array([2 ** 40, 2 ** 40], asBytes(SIX)), expect.stringContaining('larger than any')],
    ['too much text', array([2_000_000], asText(Buffer.alloc(8_000_000))), 'too-large'],
  ])('%s', async (_, pickled, expected) => {
    const records = { 'r/data.pkl': bytes(`\x80\x03${dict([str('n'), pickled])}.`) };
    expect(await outcome(await zip(records))).toEqual({ n: expected });
    expect(await outcome(await zip(records, { deflated: 'r/data.pkl' }))).toEqual({ n: expected });
  });

  it('shows scalars as values', async () => {
    const scalar = (type: string, data: Buffer, order = '<') => call('numpy._core.multiarray.scalar', dtype(type, order), asBytes(data));
    const file = await archive(
      dict(
        [str('loss'), scalar('f4', floats(0.1))],
        [str('step'), scalar('i8', Buffer.from(BigInt64Array.of(-5n).buffer))],
        [str('big'), scalar('u2', Buffer.of(1, 2), '>')],
        [str('flag'), scalar('b1', Buffer.of(1))],
      ),
    );
    expect((await read(file)).metadata.map(({ key, value }) => `${key}=${value}`)).toEqual(['loss=0.1', 'step=-5', 'big=258', 'flag=True']);
  });
});

describe('the data around the tensors', () => {
  it('joins keys and positions, and keeps what is dangerous in JavaScript', async () => {
    const file = await archive(
      dict(
        [int(0), list(dict([str('__proto__'), tensor(MATRIX)], [str('constructor'), int(3)]), tuple(tensor(MATRIX)))],
        [TRUE, int(1)],
        [tuple(int(1), int(2)), str('x')],
      ),
    );
    const { groups, metadata } = await read(file);
    expect(groups.map(({ keys, tiedTo }) => [keys, tiedTo])).toEqual([
      [['0', '0', '__proto__'], null],
      [['0', '1', '0'], '0/0/__proto__'],
    ]);
    expect(metadata).toEqual([
      { key: '0/0/constructor', value: '3' },
      { key: 'True', value: '1' },
      { key: '(1, 2)', value: 'x' },
    ]);
  });

  it('takes the later of two equal keys and the first of two equal names', async () => {
    const second = tensor({ shape: [1], strides: [1] });
    expect(await outcome(await archive(dict([str('a'), int(1)], [str('a'), second])))).toEqual({ a: [0] });
    expect(await outcome(await archive(dict([str('a/b'), second], [str('a'), dict([str('b'), second])])))).toEqual({
      'a/b': 'Another tensor has the same name.',
    });
    expect((await read(await archive(dict([str('a/b'), second], [str('a'), dict([str('b'), second])])))).groups).toHaveLength(1);
  });

  it('reads dictionaries of other classes and instances, without their classes', async () => {
    const counted = `${call('collections.defaultdict', global('builtins.list'))}(${str('w')}${tensor(MATRIX)}u`;
    const pairs = call('collections.OrderedDict', list(list(str('w'), tensor(MATRIX))));
    const { groups, metadata } = await read(
      await archive(
        dict(
          [str('d'), counted],
          [str('o'), pairs],
          [str('args'), instance('argparse.Namespace', dict([str('lr'), 'F0.5\n']))],
          [str('device'), call('torch.device', str('cuda'), int(1))],
        ),
      ),
    );
    expect(groups.map(({ keys }) => keys.join('/'))).toEqual(['d/w', 'o/w']);
    expect(metadata).toEqual([
      { key: 'args', value: 'object argparse.Namespace' },
      { key: 'args/lr', value: '0.5' },
      { key: 'device', value: 'cuda:1' },
    ]);
  });

  it('does not take an attribute of a module for a parameter', async () => {
    const module = instance(
      'my.Net',
      dict([str('_parameters'), dict()], [str('_buffers'), dict([str('mean'), tensor(MATRIX)])], [str('_modules'), dict()], [str('cache'), tensor(MATRIX)]),
    );
    expect(await outcome(await archive(dict([str('model'), module])))).toEqual({
      'model/mean': [0, 1, 2, 3, 4, 5],
      'model/cache': 'An attribute of a module, neither a parameter nor a buffer.',
    });
  });

  it('refuses a file that is one call', async () => {
    expect(await code(archive(call('os.system', str('touch pwned'))))).toBe('unsafe-pickle');
    expect(await outcome(await archive(dict([str('(root)'), call('os.system', str('touch pwned'))])))).toEqual({
      '(root)': expect.stringContaining('os.system'),
    });
    expect(await outcome(await archive(call('torch._utils._rebuild_sparse_tensor')))).toEqual({ '(root)': expect.stringContaining('sparse') });
  });

  it('reads a file that is one tensor', async () => {
    expect(await outcome(await archive(tensor(MATRIX)))).toEqual({ '': [0, 1, 2, 3, 4, 5] });
  });

  it('ends on data that contains itself', async () => {
    const circular = `]q\x00(h\x00${tensor(MATRIX)}}q\x01(${str('up')}h\x01${str('list')}h\x00ue`;
    expect(await outcome(await archive(circular))).toEqual({
      0: 'It contains itself.',
      1: [0, 1, 2, 3, 4, 5],
      '2/up': 'It contains itself.',
      '2/list': 'It contains itself.',
    });
  });

  it('ends on lists that unfold without limit', async () => {
    const laughs = `]q\x00${Array.from({ length: 60 }, (_, index) => `]q${String.fromCharCode(index + 1)}(${`h${String.fromCharCode(index)}`.repeat(3)}e0`).join('')}h\x3c`;
    expect(await code(archive(`${laughs.replace(']q\x00', ']q\x000')}`))).toBe('too-large');
  });

  // One large value that many small ones refer to: the work is their product.
  const LARGE = 100_000;
  const references = (each: string) => dict([str('large'), `](${'N'.repeat(LARGE)}eq\x01`], [str('many'), `](${each.repeat(LARGE)}Ne`]);
  it.each([
    ['lists in lists', references('h\x01')],
    ['arguments', references('ccollections\nOrderedDict\nh\x01\x85R')],
    ['states', `](}q\x01(${Array.from({ length: LARGE }, (_, index) => `${str(`k${index}`)}N`).join('')}u${'cmy\nC\n)\x81h\x01b'.repeat(LARGE)}e`],
    [
      'tensors with long names',
      dict(
        [str('t'), `${tensor(MATRIX)}q\x01`],
        [str('x'.repeat(4000)), dict(...Array.from({ length: LARGE }, (_, index) => [str(`${index}`), 'h\x01'] as const))],
      ),
    ],
  ])('ends on shared %s', async (_, pickled) => {
    expect(await code(archive(pickled))).toBe('too-large');
  });

  it('ends on data of any depth', async () => {
    const depth = 100_000;
    const file = await archive(`${']'.repeat(depth)}${'a'.repeat(depth - 1)}`);
    const name = Array.from({ length: 100 }, () => '0').join('/');
    expect(await outcome(file)).toEqual({ [name]: 'It lies more than 100 levels deep.' });
  });

  it('lists only so many values as one can look through', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => [str(`k${index}`), int(index)] as const);
    const { metadata } = await read(await archive(dict(...many)));
    expect(metadata).toHaveLength(5001);
    expect(metadata.at(-1)?.value).toMatch(/^15\D000 more values are not listed$/);
  });

  it('ends when it is cancelled', async () => {
    const file = await archive(dict());
    const cancelled = pytorchFormat.read(memorySource(file), { ref: { kind: 'memory', bytes: file }, file: 'made.pt', signal: AbortSignal.abort() });
    await expect(cancelled).rejects.toBeInstanceOf(CheckpointError);
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  });
});
