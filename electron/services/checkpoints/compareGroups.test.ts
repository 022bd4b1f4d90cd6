import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInProcessPool } from '../../workers/createInProcessPool';
import type { WorkerPool } from '../../workers/workerPool';
import { compareGroups } from './compareGroups';
import type { OpenedCheckpoint } from './openedCheckpoint';
import { openFile } from './openFile';

/** Name and bytes (uint8) of each tensor, in the order in which they lie in the file. */
type Tensors = readonly (readonly [name: string, bytes: Uint8Array])[];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-compare-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A safetensors file made by hand: length of the header, header, data. */
async function checkpoint(name: string, tensors: Tensors, headerOrder: Tensors = tensors): Promise<OpenedCheckpoint> {
  const ends = new Map<string, number>();
  let end = 0;
  for (const [key, { byteLength }] of tensors) {
    end += byteLength;
    ends.set(key, end);
  }
  const entries = headerOrder.map(([key, { byteLength }]) => {
    const last = ends.get(key) ?? 0;
    return [key, { dtype: 'U8', shape: [byteLength], data_offsets: [last - byteLength, last] }];
  });
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.byteLength));
  const path = join(folder, name);
  await writeFile(path, Buffer.concat([length, header, ...tensors.map(([, bytes]) => bytes)]));
  const version = { commit: null, path: name };
  return openFile({ version, storage: 'file', original: { path, bytes: 8 + header.byteLength + end, expected: null }, name });
}

function countingPool(): { readonly pool: WorkerPool; readonly tasks: string[] } {
  const pool = createInProcessPool();
  const tasks: string[] = [];
  return {
    tasks,
    pool: {
      ...pool,
      run: (task, input, options) => {
        tasks.push(task);
        return pool.run(task, input, options);
      },
    },
  };
}

async function compared(before: OpenedCheckpoint | null, after: OpenedCheckpoint) {
  const { pool, tasks } = countingPool();
  const progress: number[] = [];
  const onProgress = (done: number) => progress.push(done);
  const changes = await compareGroups(before, after, { pool, signal: new AbortController().signal, onProgress });
  await pool.close();
  return { changes: Object.fromEntries(changes.map(({ change, group }) => [group.name, change])), tasks, progress };
}

const SMALL = 16;
const LARGE = 64 * 1024 + 1;

describe.each([
  ['small', SMALL, 0],
  ['exactly as large as this thread compares', 64 * 1024, 0],
  ['large', LARGE, 6],
])('%s tensors of two plain files', (size, bytes, digests) => {
  const filled = (value: number) => new Uint8Array(bytes).fill(value);

  it('are compared by their bytes', async () => {
    const changedAtEnd = filled(1);
    changedAtEnd[bytes - 1] = 9;
    const before = await checkpoint(`before-${size}`, [
      ['same', filled(7)],
      ['other', filled(1)],
      ['shorter', filled(1)],
      ['gone', filled(3)],
    ]);
    const after = await checkpoint(`after-${size}`, [
      ['new', filled(3)],
      ['other', changedAtEnd],
      ['shorter', filled(1).subarray(1)],
      ['same', filled(7)],
    ]);
    const { changes, tasks, progress } = await compared(before, after);
    expect(changes).toEqual({ same: 'unchanged', other: 'modified', shorter: 'modified', gone: 'removed', new: 'added' });
    expect(tasks).toHaveLength(digests);
    expect(progress).toEqual([1, 2, 3, 4]);
  });

  it('that have another name are renamed when nothing else has their bytes, and they are not one number over and over', async () => {
    const varied = Uint8Array.from({ length: bytes }, (_, index) => (index * 7) % 251);
    const before = await checkpoint(`named-${size}`, [
      ['onnx::Conv_32', varied],
      ['zeros', filled(0)],
      ['norm.0.bias', filled(1)],
    ]);
    const after = await checkpoint(`renamed-${size}`, [
      ['conv1', varied],
      ['other', filled(0)],
      ['model.norm.0.bias', filled(1)],
    ]);
    expect((await compared(before, after)).changes).toEqual({
      conv1: 'renamed',
      zeros: 'removed',
      other: 'added',
      'model.norm.0.bias': 'renamed',
    });
  });

  it('are not read where both versions are one file', async () => {
    const one = await checkpoint(`one-${size}`, [['weight', filled(1)]]);
    await rm(join(folder, `one-${size}`));
    expect(await compared(one, one)).toMatchObject({ changes: { weight: 'unchanged' }, tasks: [] });
  });

  it('count as modified where one cannot be read', async () => {
    const before = await checkpoint(`lost-${size}`, [['weight', filled(1)]]);
    const after = await checkpoint(`kept-${size}`, [['weight', filled(1)]]);
    await rm(join(folder, `lost-${size}`));
    expect((await compared(before, after)).changes).toEqual({ weight: 'modified' });
  });
});

it('finds each of thousands of small tensors, in whatever order they are listed and lie', async () => {
  const tensors: Tensors = Array.from({ length: 3000 }, (_, index) => [`t${index}`, new Uint8Array(SMALL + (index % 500)).fill(index % 251)]);
  const isChanged = (index: number) => index % 7 === 0;
  const changed: Tensors = tensors.map(([name, bytes], index) => [name, isChanged(index) ? bytes.map((value) => value ^ 1) : bytes]);
  // 1009 is prime to 3000: every tensor once, far from its neighbour.
  const shuffled = Array.from({ length: 3000 }, (_, index) => changed[(index * 1009) % 3000]).filter((tensor) => tensor !== undefined);
  const before = await checkpoint('ordered', tensors);
  const after = await checkpoint('shuffled', shuffled, [...changed].reverse());
  const { changes, tasks } = await compared(before, after);
  expect(changes).toEqual(Object.fromEntries(tensors.map(([name], index) => [name, isChanged(index) ? 'modified' : 'unchanged'])));
  expect(tasks).toEqual([]);
});

it('ends with a cancel', async () => {
  const before = await checkpoint('cancel-before', [['weight', new Uint8Array(LARGE)]]);
  const after = await checkpoint('cancel-after', [['weight', new Uint8Array(LARGE)]]);
  const abort = new AbortController();
  abort.abort();
  const comparison = { ...countingPool(), signal: abort.signal, onProgress: () => {} };
  await expect(compareGroups(before, after, comparison)).rejects.toMatchObject({ code: 'cancelled' });
});
