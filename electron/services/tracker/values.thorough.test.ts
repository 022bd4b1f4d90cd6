import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readIndependently } from '../../../e2e/fixtures/independentReader';
import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { openRef } from '../../tensors/openRef';
import { computeSignature } from '../../tensors/signature/signature';
import { edited, floats, noise, safetensorsFile, type Value } from './testing/safetensorsFile';
import { TrackedFolder } from './testing/trackedFolder';

let folder: TrackedFolder;
let count = 0;
let path = '';
beforeAll(async () => {
  folder = await TrackedFolder.make();
});
afterAll(() => folder.dispose());

/** Two versions, one after the other: both must come back, and only what changed has a new entry. @returns how the change was stored */
async function change(before: Value, after: Value): Promise<string> {
  // A file of its own for each, so that no version before has the value.
  path = `${count++}.safetensors`;
  const other = floats([1, 2, 3]);
  const files = [safetensorsFile({ other, weight: before }), safetensorsFile({ other, weight: after })] as const;
  const first = await folder.put(path, files[0]);
  const second = await folder.put(path, files[1]);
  expect(await folder.checkout(first.commit, path)).toEqual(files[0]);
  expect(await folder.checkout(second.commit, path)).toEqual(files[1]);
  expect(await folder.entry(second.commit, path, 'other')).toEqual(await folder.entry(first.commit, path, 'other'));
  const [old, entry] = [await folder.entry(first.commit, path, 'weight'), await folder.entry(second.commit, path, 'weight')];
  expect(entry.oid).not.toBe(old.oid);
  expect(entry).toMatchObject({ dtype: after.dtype, shape: after.shape, lastCommit: first.commit });
  expect(entry.signature).toEqual(await signatureOf(after));
  expect(second.cleaned.groups.map(({ name, change: what }) => [name, what])).toEqual([
    ['other', 'unchanged'],
    ['weight', 'modified'],
  ]);
  return entry.updateType;
}

async function signatureOf({ dtype, shape, bytes }: Value): Promise<readonly bigint[]> {
  return computeSignature(await openRef({ dtype, shape, source: { kind: 'memory', bytes }, offset: 0, strides: null, bigEndian: false }, 'weight'));
}

const with64 = (at: number, bits: number) => (view: DataView) => view.setUint32(at * 4, bits, true);
const plain = floats(noise(4096), [64, 64]);
const SATURATED = new Array<bigint>(16).fill(-(2n ** 63n));

describe('what the signature of git-theta does not tell', () => {
  it.each<[string, Value, Value]>([
    ['a NaN that appears', plain, edited(plain, with64(7, 0x7fc00000))],
    ['a NaN that goes', edited(plain, with64(7, 0x7fc00000)), plain],
    ['the payload of a NaN', edited(plain, with64(7, 0x7fc00000)), edited(plain, with64(7, 0xffc01234))],
    ['a signalling NaN that becomes a quiet one', edited(plain, with64(7, 0x7f800001)), edited(plain, with64(7, 0x7fc00001))],
    ['an infinity that changes sides', edited(plain, with64(7, 0x7f800000)), edited(plain, with64(7, 0xff800000))],
    ['an infinity that appears', plain, edited(plain, with64(4095, 0x7f800000))],
    ['an infinity that becomes finite', edited(plain, with64(4095, 0x7f800000)), plain],
    ['another element beside a NaN', edited(plain, with64(7, 0x7fc00000)), edited(edited(plain, with64(7, 0x7fc00000)), with64(8, 0x3f000000))],
    ['another element beside an infinity', edited(plain, with64(7, 0x7f800000)), edited(edited(plain, with64(7, 0x7f800000)), with64(8, 0x3f000000))],
    ['an element of a saturated sum', floats(noise(4096).map((x) => x * 1e30)), edited(floats(noise(4096).map((x) => x * 1e30)), with64(9, 0x3f800000))],
  ])('%s', async (_what, before, after) => {
    await change(before, after);
  });

  it('says so in the signature that is written', async () => {
    await change(plain, edited(plain, with64(7, 0x7fc00000)));
    expect((await folder.entry('HEAD', path, 'weight')).signature).toEqual(SATURATED);
  });
});

describe('what git-theta takes for no change', () => {
  const vector = floats(noise(1000));
  it.each<[string, Value, Value]>([
    ['one unit in the last place of one element', plain, edited(plain, (view) => view.setUint32(44, view.getUint32(44, true) + 1, true))],
    ['1e-7 in one element', plain, edited(plain, (view) => view.setFloat32(0, view.getFloat32(0, true) + 1e-7, true))],
    ['2e-8 in every element of a vector', vector, floats(Float32Array.from(noise(1000), (x) => x + 2e-8))],
    [
      '5e-6 of every element',
      plain,
      floats(
        Float32Array.from(noise(4096), (x) => x * (1 + 5e-6)),
        [64, 64],
      ),
    ],
    ['+0.0 that becomes -0.0', floats([1, 0, 2, 0]), floats([1, -0, 2, 0])],
    ['-0.0 that becomes +0.0', floats([1, -0, 2, 0]), floats([1, 0, 2, 0])],
    ['-0.0 in a large value', edited(plain, with64(5, 0)), edited(plain, with64(5, 0x80000000))],
    ['+0.0 in a large value', edited(plain, with64(5, 0x80000000)), edited(plain, with64(5, 0))],
    ['another element beside -0.0', edited(plain, with64(5, 0x80000000)), edited(edited(plain, with64(5, 0x80000000)), with64(6, 0x3f000000))],
    ['the smallest denormal', edited(plain, with64(5, 0)), edited(plain, with64(5, 1))],
    [
      'float64: the last bit of a large number',
      { dtype: 'float64', shape: [3], bytes: new Uint8Array(Float64Array.of(1e300, 2, 3).buffer) },
      { dtype: 'float64', shape: [3], bytes: new Uint8Array(Float64Array.of(1e300 * (1 + Number.EPSILON), 2, 3).buffer) },
    ],
  ])('%s', async (_what, before, after) => {
    await change(before, after);
    // Only arithmetic of its own can tell whether git-theta's users get these bits too.
    if (after.dtype === 'float32') expect(await independent()).toBe(await shaOf(after));
  });

  async function independent() {
    return (await readIndependently(folder.path, 'HEAD', path)).get('weight')?.sha256;
  }
});

async function shaOf({ bytes }: Value): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes))).toString('hex');
}

describe('types that git-theta cannot add', () => {
  const EIGHT_BITS = ['float8_e4m3fn', 'float8_e4m3fnuz', 'float8_e5m2', 'float8_e5m2fnuz', 'float8_e8m0fnu'] as const;
  it.each<DType>(['float16', 'bfloat16', 'complex64', ...EIGHT_BITS])('%s: all bit patterns, one bit, and many', async (dtype) => {
    const item = dtypeBytes(dtype);
    const every: Value = { dtype, shape: [256, 32 / item], bytes: Uint8Array.from({ length: 8192 }, (_, i) => (i * 37 + (i >> 8)) & 255) };
    await change(
      every,
      edited(every, (view) => view.setUint8(100, view.getUint8(100) ^ 1)),
    );
    await change(
      every,
      edited(every, (view) => {
        for (let i = 0; i < 8192; i += 97) view.setUint8(i, view.getUint8(i) + 13);
      }),
    );
  });

  it.each<[DType, (x: number) => number]>([
    ['float16', (x) => 0x3000 | (x & 0x3ff)],
    ['bfloat16', (x) => 0x3d00 | (x & 0x7f)],
  ])('%s: a few elements of finite numbers are a sparse update', async (dtype, bits) => {
    const value: Value = { dtype, shape: [128, 64], bytes: new Uint8Array(Uint16Array.from(noise(8192), (x) => bits(Math.floor(x * 1e6) & 0xffff)).buffer) };
    const after = edited(value, (view) => {
      for (let i = 0; i < 40; i++) view.setUint16(i * 200, view.getUint16(i * 200, true) ^ 5, true);
    });
    expect(await change(value, after)).toBe('sparse');
  });
});

describe('whole numbers and the rest', () => {
  const ints = (dtype: DType, bytes: ArrayBufferLike, shape: readonly number[]): Value => ({ dtype, shape, bytes: new Uint8Array(bytes) });
  const int64 = BigInt64Array.from({ length: 600 }, (_, i) => BigInt(i) * 2n ** 53n + 1n);
  const changed64 = int64.slice();
  changed64[3] = -(2n ** 63n);
  changed64[4] = 2n ** 63n - 1n;
  it.each<[string, Value, Value]>([
    ['int64 beyond what a double holds', ints('int64', int64.buffer, [600]), ints('int64', changed64.buffer, [600])],
    ['uint64', ints('uint64', int64.buffer, [600]), ints('uint64', changed64.buffer, [600])],
    [
      'uint8 that goes round',
      ints('uint8', new Uint8Array(2000).fill(255).buffer, [2000]),
      ints('uint8', new Uint8Array(2000).fill(255).fill(0, 7, 9).buffer, [2000]),
    ],
    ['int8', ints('int8', new Uint8Array(2000).fill(127).buffer, [2000]), ints('int8', new Uint8Array(2000).fill(127).fill(128, 7, 9).buffer, [2000])],
    ['bool', ints('bool', new Uint8Array(2000).buffer, [2000]), ints('bool', new Uint8Array(2000).fill(1, 50, 51).buffer, [2000])],
    ['a single number', floats([1], []), floats([2], [])],
    ['one element', floats([1], [1]), floats([2], [1])],
    ['uint16', ints('uint16', new Uint16Array(2000).buffer, [2000]), ints('uint16', new Uint16Array(2000).fill(65535, 1, 5).buffer, [2000])],
  ])('%s', async (_what, before, after) => {
    await change(before, after);
  });

  it.each<[string, Value, Value]>([
    ['another shape with the same bytes', floats(noise(4096), [64, 64]), floats(noise(4096), [4096])],
    ['another shape that broadcasts', floats(noise(64), [1, 64]), floats(noise(4096), [64, 64])],
    ['another type with the same bytes', floats(noise(4096)), ints('int32', noise(4096).buffer, [4096])],
    ['float32 that becomes float64', floats(noise(500)), ints('float64', Float64Array.from(noise(500)).buffer, [500])],
    ['an axis of no extent', floats([], [0, 3]), floats([], [3, 0])],
  ])('%s', async (_what, before, after) => {
    expect(await change(before, after)).toBe('dense');
  });
});
