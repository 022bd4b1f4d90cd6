import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import { DTYPES, type DType, dtypeBytes, dtypeKind } from '../../shared/model/dtype';
import { contiguousStrides, elementCount, type Shape } from '../../shared/model/shape';
import { memorySource } from '../bytes/memorySource';
import { gatherBlocks } from './gather';
import { layoutAxes } from './layoutAxes';
import { openRef } from './openRef';
import type { TensorRef } from './tensorRef';
import { BLOCK_BYTES } from './tensorStream';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-ref-'));
});
afterAll(() => rm(folder, { recursive: true }));

function noise(bytes: number): Uint8Array {
  const result = new Uint8Array(bytes);
  let state = 12345;
  for (let i = 0; i < bytes; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    result[i] = state >>> 24;
  }
  return result;
}

/** Element by element, straight from the definition of strides. */
function expected(bytes: Uint8Array, ref: Omit<TensorRef, 'source'>): Uint8Array {
  const item = dtypeBytes(ref.dtype);
  const half = dtypeKind(ref.dtype) === 'complex' ? item / 2 : item;
  const strides = ref.strides ?? contiguousStrides(ref.shape);
  const count = elementCount(ref.shape);
  const result = new Uint8Array(count * item);
  const index = ref.shape.map(() => 0);
  for (let n = 0; n < count; n++) {
    let from = ref.offset;
    for (const [axis, i] of index.entries()) from += i * (strides[axis] ?? 0) * item;
    for (let byte = 0; byte < item; byte++) {
      const place = ref.bigEndian ? byte - (byte % half) + (half - 1 - (byte % half)) : byte;
      result[n * item + place] = bytes[from + byte] ?? 0;
    }
    for (let axis = index.length - 1; axis >= 0; axis--) {
      index[axis] = (index[axis] ?? 0) + 1;
      if ((index[axis] ?? 0) < (ref.shape[axis] ?? 0)) break;
      index[axis] = 0;
    }
  }
  return result;
}

async function readAll(ref: TensorRef, group = 'g'): Promise<Buffer> {
  const stream = await openRef(ref, group);
  try {
    const parts: Buffer[] = [];
    for await (const block of stream.blocks()) {
      expect(block.byteLength).toBeLessThanOrEqual(BLOCK_BYTES);
      expect(block.byteLength % dtypeBytes(ref.dtype)).toBe(0);
      parts.push(Buffer.from(block));
    }
    return Buffer.concat(parts);
  } finally {
    await stream.close();
  }
}

const CASES: readonly { name: string; shape: Shape; strides: readonly number[] | null; first?: number }[] = [
  { name: 'contiguous', shape: [3, 4, 5], strides: null },
  { name: 'contiguous by its strides', shape: [3, 4], strides: [4, 1] },
  { name: 'scalar', shape: [], strides: [] },
  { name: 'empty', shape: [0, 7], strides: [7, 1] },
  { name: 'transposed', shape: [5, 7], strides: [1, 5] },
  { name: 'columns of a matrix', shape: [6, 3], strides: [9, 1] },
  { name: 'every third element', shape: [8], strides: [3] },
  { name: 'one column', shape: [9, 1], strides: [5, 1] },
  { name: 'permuted axes', shape: [4, 2, 3], strides: [1, 12, 4] },
  { name: 'expanded first axis', shape: [3, 4], strides: [0, 1] },
  { name: 'expanded last axis', shape: [4, 3], strides: [1, 0] },
  { name: 'expanded scalar', shape: [2, 3], strides: [0, 0] },
  { name: 'overlapping windows', shape: [5, 4], strides: [1, 1] },
  { name: 'reversed', shape: [6], strides: [-1], first: 5 },
  { name: 'rows reversed, columns strided', shape: [3, 4], strides: [-8, 2], first: 16 },
  { name: 'fortran order of four axes', shape: [2, 3, 4, 5], strides: [1, 2, 6, 24] },
];

describe.each(['memory', 'file'] as const)('openRef from %s', (kind) => {
  it.each(DTYPES.flatMap((dtype) => [false, true].map((bigEndian) => ({ dtype, bigEndian }))))(
    'reads $dtype, big-endian $bigEndian',
    async ({ dtype, bigEndian }) => {
      const bytes = noise(16 * 160 + 3);
      const before = Buffer.from(bytes);
      const path = join(folder, `${dtype}-${bigEndian}`);
      if (kind === 'file') await writeFile(path, bytes);
      for (const { shape, strides, first = 0 } of CASES) {
        const offset = 3 + first * dtypeBytes(dtype);
        const ref: TensorRef = { dtype, shape, strides, offset, bigEndian, source: kind === 'file' ? { kind, path } : { kind, bytes } };
        expect((await readAll(ref)).equals(expected(bytes, ref))).toBe(true);
      }
      expect(before.equals(bytes)).toBe(true);
    },
  );
});

describe('gatherBlocks', () => {
  const sizes = [16, 48, 256, 1 << 20];
  it.each(CASES.filter(({ name }) => name !== 'empty').flatMap((c) => sizes.map((bandBytes) => ({ ...c, bandBytes }))))(
    '$name in bands of $bandBytes bytes',
    async (c) => {
      for (const dtype of ['uint8', 'float16', 'float32', 'float64', 'complex128'] satisfies DType[]) {
        const bytes = noise(16 * 160);
        const ref: TensorRef = { ...c, dtype, offset: (c.first ?? 0) * dtypeBytes(dtype), bigEndian: false, source: { kind: 'memory', bytes } };
        const parts: Buffer[] = [];
        for await (const block of gatherBlocks(ref, memorySource(bytes), { axes: layoutAxes(c.shape, c.strides), signal: undefined, bandBytes: c.bandBytes })) {
          parts.push(Buffer.from(block));
        }
        expect(Buffer.concat(parts).equals(expected(bytes, ref))).toBe(true);
      }
    },
  );

  it('reads a transposed matrix in few, bounded reads', async () => {
    const rows = 1500;
    const columns = 2100;
    const bytes = noise(rows * columns * 4);
    let reads = 0;
    let read = 0;
    let longest = 0;
    const inner = memorySource(bytes);
    const source = {
      ...inner,
      read: (offset: number, length: number) => {
        reads++;
        read += length;
        longest = Math.max(longest, length);
        return inner.read(offset, length);
      },
    };
    const ref: TensorRef = { dtype: 'float32', shape: [columns, rows], strides: [1, columns], offset: 0, bigEndian: false, source: { kind: 'memory', bytes } };
    const bandBytes = 1 << 20;
    const parts: Buffer[] = [];
    for await (const block of gatherBlocks(ref, source, { axes: layoutAxes(ref.shape, ref.strides), signal: undefined, bandBytes }))
      parts.push(Buffer.from(block));
    expect(Buffer.concat(parts).equals(expected(bytes, ref))).toBe(true);
    const bands = Math.ceil(bytes.byteLength / bandBytes) + 1;
    expect(longest).toBeLessThanOrEqual(BLOCK_BYTES);
    expect(reads).toBeLessThanOrEqual(bands * rows);
    expect(read).toBeLessThanOrEqual(bands * bytes.byteLength);
  });
});

describe('openRef with large tensors', () => {
  it('cuts a contiguous tensor into blocks, again from the front when asked again', async () => {
    const bytes = noise(2 * BLOCK_BYTES + 20);
    const path = join(folder, 'large');
    await writeFile(path, bytes);
    const ref: TensorRef = {
      dtype: 'complex64',
      shape: [(2 * BLOCK_BYTES) / 8 + 2],
      strides: null,
      offset: 4,
      bigEndian: true,
      source: { kind: 'file', path },
    };
    const stream = await openRef(ref, 'g');
    for (let round = 0; round < 2; round++) {
      const parts: Buffer[] = [];
      for await (const block of stream.blocks()) parts.push(Buffer.from(block));
      expect(parts.map((part) => part.byteLength)).toEqual([BLOCK_BYTES, BLOCK_BYTES, 16]);
      expect(Buffer.concat(parts).equals(expected(bytes, ref))).toBe(true);
    }
    await stream.close();
  });

  it.each([null, [1, 3]])('stops at the next block when aborted (strides %j)', async (strides) => {
    const bytes = new Uint8Array(3 * BLOCK_BYTES);
    const ref: TensorRef = { dtype: 'uint8', shape: [3, BLOCK_BYTES], strides, offset: 0, bigEndian: false, source: { kind: 'memory', bytes } };
    const stream = await openRef(ref, 'g');
    const abort = new AbortController();
    let blocks = 0;
    const run = (async () => {
      for await (const _ of stream.blocks(abort.signal)) {
        blocks++;
        abort.abort();
      }
    })();
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
    expect(blocks).toBe(1);
  });
});

describe('openRef refuses', () => {
  const bytes = new Uint8Array(40);
  const base: TensorRef = { dtype: 'float32', shape: [10], strides: null, offset: 0, bigEndian: false, source: { kind: 'memory', bytes } };
  it.each<[string, Partial<TensorRef>, string]>([
    ['an end past the file', { offset: 4 }, 'truncated'],
    ['a negative offset', { offset: -4 }, 'truncated'],
    ['a fractional offset', { offset: 0.5, shape: [1] }, 'truncated'],
    ['strides that reach past the file', { shape: [2, 2], strides: [9, 1] }, 'truncated'],
    ['strides that reach before the file', { shape: [2], strides: [-1] }, 'truncated'],
    ['strides of another rank', { strides: [1, 1] }, 'malformed'],
    ['strides that are no integers', { strides: [0.5] }, 'malformed'],
    ['an extent that is no integer', { shape: [1.5] }, 'malformed'],
    ['more elements than can be counted', { shape: [2 ** 40, 2 ** 40] }, 'malformed'],
    ['a reach that cannot be counted', { shape: [2 ** 52], strides: [2 ** 52] }, 'truncated'],
  ])('%s', async (_, change, code) => {
    await expect(openRef({ ...base, ...change }, 'layer/weight')).rejects.toMatchObject({ code, place: { group: 'layer/weight' } });
  });

  it('a file that is gone, naming file, group and offset', async () => {
    const path = join(folder, 'gone');
    const error = await openRef({ ...base, offset: 8, source: { kind: 'file', path } }, 'w').catch((e: unknown) => e);
    expect(error).toBeInstanceOf(CheckpointError);
    expect(error).toMatchObject({ code: 'not-found', place: { file: path, group: 'w', offset: 8 } });
  });

  it('a file that became shorter since it was opened', async () => {
    const path = join(folder, 'shrinking');
    await writeFile(path, new Uint8Array(40));
    const stream = await openRef({ ...base, source: { kind: 'file', path } }, 'w');
    await writeFile(path, new Uint8Array(8));
    const run = (async () => {
      for await (const _ of stream.blocks()) {
        // nothing to do with it
      }
    })();
    await expect(run).rejects.toMatchObject({ code: 'truncated', place: { file: path, group: 'w' } });
    await stream.close();
  });
});
