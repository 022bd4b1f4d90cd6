import { decode } from '@msgpack/msgpack';
import { Blosc } from 'numcodecs';
import { describe, expect, it } from 'vitest';
import { CheckpointError } from '../../../shared/contract/errors';
import { DTYPES, type DType, dtypeBytes } from '../../../shared/model/dtype';
import { elementCount, type Shape } from '../../../shared/model/shape';
import { memorySource } from '../../bytes/memorySource';
import { collect } from '../testing/collect';
import { seeded, weights } from '../testing/seeded';
import type { ArrayToWrite, MemberToWrite } from './arrayToWrite';
import { openZarrObject } from './openZarrObject';
import { writeZarrObject } from './writeZarrObject';

function arrayOf(dtype: DType, shape: Shape, bytes: Uint8Array, step = 1000): ArrayToWrite {
  const item = dtypeBytes(dtype);
  const blocks = async function* () {
    // One buffer used again, as readers do.
    const block = new Uint8Array(step * item);
    for (let at = 0; at < bytes.byteLength; at += block.byteLength) {
      const part = bytes.subarray(at, at + block.byteLength);
      block.set(part);
      yield block.subarray(0, part.byteLength);
    }
  };
  return { dtype, shape, blocks };
}

async function write(members: readonly MemberToWrite[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  await writeZarrObject(members, (bytes) => {
    parts.push(Uint8Array.from(bytes));
  });
  return Buffer.concat(parts);
}

interface Header {
  readonly chunks: readonly number[];
  readonly compressor: { readonly id: string } | null;
  readonly shape: readonly number[];
}

interface Member {
  readonly header: Header;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** One member by a MessagePack and a Blosc library, its chunks put together by the definition of zarr. */
async function readIndependently(object: Uint8Array, name: string, item: number): Promise<Member> {
  const { '.zarray': described, ...chunks } = Object(Object(decode(object))[name]);
  const text = Buffer.from(described).toString();
  const header: Header = JSON.parse(text);
  const bytes = new Uint8Array(elementCount(header.shape) * item);
  for (const [key, content] of Object.entries(chunks)) {
    if (!(content instanceof Uint8Array)) throw new TypeError(`${key} is no binary value`);
    const chunk = header.compressor === null ? content : await Blosc.fromConfig({ id: 'blosc' }).decode(content);
    expect(chunk.byteLength).toBe(elementCount(header.chunks) * item);
    placeChunk(chunk, header.shape.length === 0 ? [] : key.split('.').map(Number), { header, bytes, item });
  }
  return { header, text, bytes };
}

/** Row by row of the last axis; what lies outside of the array must be zero. */
function placeChunk(chunk: Uint8Array, index: readonly number[], { header, bytes, item }: Omit<Member, 'text'> & { readonly item: number }): void {
  const { shape, chunks } = header;
  const last = shape.length - 1;
  const row = chunks[last] ?? 1;
  for (let element = 0; element < elementCount(chunks); element += row) {
    let rest = element / row;
    const first = (index[last] ?? 0) * row;
    let flat = first;
    let inside = Math.min(row, (shape[last] ?? 1) - first);
    for (let axis = last - 1, stride = shape[last] ?? 1; axis >= 0; axis--) {
      const extent = chunks[axis] ?? 1;
      const at = (index[axis] ?? 0) * extent + (rest % extent);
      rest = Math.floor(rest / extent);
      if (at >= (shape[axis] ?? 1)) inside = 0;
      flat += at * stride;
      stride *= shape[axis] ?? 1;
    }
    const part = chunk.subarray(element * item, (element + row) * item);
    if (inside > 0) bytes.set(part.subarray(0, inside * item), flat * item);
    if (part.subarray(inside * item).some((byte) => byte !== 0)) throw new Error(`The padding of chunk ${index.join('.')} is not zero`);
  }
}

function sample(dtype: DType, count: number): Uint8Array {
  const random = seeded(count + dtype.length);
  if (dtype === 'float32') return new Uint8Array(weights(count, count).buffer);
  return Uint8Array.from({ length: count * dtypeBytes(dtype) }, (_, i) => (dtype === 'bool' ? random() * 2 : i % 3 === 0 ? 7 : random() * 256));
}

async function expectSame(dtype: DType, shape: Shape, step?: number): Promise<Header> {
  const bytes = sample(dtype, elementCount(shape));
  const object = await write([{ name: 'parameter', array: arrayOf(dtype, shape, bytes, step) }]);
  const ours = (await openZarrObject(memorySource(object))).get('parameter');
  expect({ dtype: ours?.dtype, shape: ours?.shape }).toEqual({ dtype, shape });
  if (ours !== undefined) expect(Buffer.compare(await collect(ours.blocks()), bytes)).toBe(0);
  const theirs = await readIndependently(object, 'parameter', dtypeBytes(dtype));
  expect(Buffer.compare(theirs.bytes, bytes)).toBe(0);
  return theirs.header;
}

describe('objects', () => {
  it.each(DTYPES)('of %s', async (dtype) => {
    for (const shape of [[], [1], [3], [0], [0, 3], [3, 0, 2], [7, 11], [300, 70], [2, 3, 5, 7]]) await expectSame(dtype, shape, 13);
  });

  it.each([
    [[1_048_576], [1_048_576]],
    [[1_048_577], [524_289]],
    [
      [3000, 768],
      [1000, 768],
    ],
    [
      [2, 3, 400_000],
      [1, 2, 400_000],
    ],
    [
      [5, 2, 1_048_576],
      [1, 1, 1_048_576],
    ],
    [
      [1, 1_048_577, 2],
      [1, 349_526, 2],
    ],
    [new Array(21).fill(2), [1, ...new Array(20).fill(2)]],
  ])('of shape %j are cut into slabs that follow each other', async (shape, chunks) => {
    expect((await expectSame('uint8', shape, 400_000)).chunks).toEqual(chunks);
  });

  it('have the description that tensorstore writes', async () => {
    const small = await write([{ name: 'R', array: arrayOf('float32', [3], sample('float32', 3)) }]);
    expect((await readIndependently(small, 'R', 4)).text).toBe(
      '{"chunks":[3],"compressor":null,"dimension_separator":".","dtype":"<f4","fill_value":null,"filters":null,"order":"C","shape":[3],"zarr_format":2}',
    );
    const large = await write([{ name: 'R', array: arrayOf('float32', [50, 40], sample('float32', 2000)) }]);
    expect((await readIndependently(large, 'R', 4)).text).toBe(
      '{"chunks":[50,40],"compressor":{"blocksize":0,"clevel":5,"cname":"zstd","id":"blosc","shuffle":-1},"dimension_separator":".","dtype":"<f4","fill_value":null,"filters":null,"order":"C","shape":[50,40],"zarr_format":2}',
    );
    // An array without elements has no chunk, and a chunk of at least one.
    const empty = await write([{ name: 'R', array: arrayOf('int64', [0, 3], new Uint8Array(0)) }]);
    expect((await readIndependently(empty, 'R', 8)).header.chunks).toEqual([1, 3]);
  });

  it('begin with their description', async () => {
    const object = await write([{ name: 'parameter', array: arrayOf('uint8', [2, 600_000], sample('uint8', 1_200_000)) }]);
    // A map of one, a text of nine, a map of three: the description and two chunks, as MessagePack's specification encodes them.
    expect(Buffer.from(object.subarray(0, 20)).toString('latin1')).toBe('\x81\xa9parameter\x83\xa7.zarray');
    const places = ['\xa30.0', '\xa31.0'].map((key) => Buffer.from(object).indexOf(key, 0, 'latin1'));
    expect(places[0]).toBeGreaterThan(20);
    expect(places[1]).toBeGreaterThan(places[0] ?? 0);
  });

  it('hold their members in the order given', async () => {
    const members = ['data', 'indices', 'indptr', 'shape', 'theta_desktop'].map((name, i) => ({ name, array: arrayOf('int32', [i], sample('int32', i)) }));
    expect(Object.keys(Object(decode(await write(members))))).toEqual(members.map(({ name }) => name));
  });
});

describe('arrays that are not as long as they say', () => {
  it.each([
    [[10], 9, 'fewer'],
    [[10], 11, 'more'],
    [[0], 1, 'more'],
    [[], 0, 'fewer'],
    [[1_200_000], 1_199_999, 'fewer'],
  ] as const)('%j with %i elements', async (shape, count, how) => {
    const writing = write([{ name: 'parameter', array: arrayOf('uint8', shape, new Uint8Array(count), 100_000) }]);
    await expect(writing).rejects.toThrow(CheckpointError);
    await expect(writing).rejects.toMatchObject({ code: 'internal', message: expect.stringContaining(how) });
  });
});

it('stops when it is cancelled, and closes the array', async () => {
  const cancel = new AbortController();
  let closed = false;
  const blocks = async function* () {
    try {
      for (let i = 0; i < 4; i++) {
        if (i === 2) cancel.abort();
        yield new Uint8Array(1_000_000);
      }
    } finally {
      closed = true;
    }
  };
  const writing = writeZarrObject([{ name: 'parameter', array: { dtype: 'uint8', shape: [4_000_000], blocks } }], () => {}, cancel.signal);
  await expect(writing).rejects.toMatchObject({ code: 'cancelled' });
  expect(closed).toBe(true);
});
