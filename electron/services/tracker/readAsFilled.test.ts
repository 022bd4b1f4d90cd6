import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileLayout, GroupToWrite } from '../../formats/format';
import { createFillGate, readAsFilled } from './readAsFilled';

const HEADER = 3 * 1024 * 1024;
const GROUPS: readonly GroupToWrite[] = [
  { keys: ['a'], dtype: 'uint8', shape: [1000] },
  { keys: ['none'], dtype: 'uint8', shape: [0] },
  { keys: ['b'], dtype: 'uint8', shape: [2_000_000] },
];
const LAYOUT: FileLayout = { bytes: HEADER + 2_001_000, pieces: [], tensors: [HEADER, HEADER + 1000, HEADER + 1000], finish: null, notes: [] };
const CONTENT = Buffer.alloc(LAYOUT.bytes, 1);
CONTENT.fill(2, HEADER, HEADER + 1000).fill(3, HEADER + 1000);

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-filled-'));
  path = join(folder, 'file');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Writes part by part, slowly, as the gate is told. */
async function fill(gate: ReturnType<typeof createFillGate>, stop = 3): Promise<void> {
  await delay(20);
  const handle = await open(path, 'w');
  try {
    await handle.truncate(LAYOUT.bytes);
    await delay(20);
    await handle.write(CONTENT, 0, HEADER, 0);
    gate.begin();
    for (const [index, from, to] of [
      [0, HEADER, HEADER + 1000],
      [1, HEADER + 1000, HEADER + 1000],
      [2, HEADER + 1000, LAYOUT.bytes],
    ] as const) {
      await delay(20);
      if (index === stop) throw new Error('the disk is full');
      await handle.write(CONTENT, from, to - from, from);
      gate.open(index);
    }
  } finally {
    await handle.close();
  }
}

async function read(written: Promise<unknown>, gate: ReturnType<typeof createFillGate>, layout = LAYOUT): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of readAsFilled({ path, layout, groups: GROUPS, gate, written })) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

describe('readAsFilled', () => {
  it('waits for the file, for its header, however long, and for each tensor', async () => {
    const gate = createFillGate(GROUPS.length);
    expect((await read(fill(gate), gate)).equals(CONTENT)).toBe(true);
  });

  it('waits for a file without tensors', async () => {
    const gate = createFillGate(0);
    const write = async () => {
      await delay(20);
      await writeFile(path, Buffer.alloc(100));
      await delay(20);
      await writeFile(path, Buffer.alloc(100, 7));
      gate.begin();
    };
    expect(await read(write(), gate, { ...LAYOUT, bytes: 100, tensors: [null, null, null] })).toEqual(Buffer.alloc(100, 7));
  });

  it.each([0, 2])('ends with what went wrong before tensor %d', async (stop) => {
    const gate = createFillGate(GROUPS.length);
    await expect(read(fill(gate, stop), gate)).rejects.toThrow('the disk is full');
  });

  it('ends with what went wrong before there was a file', async () => {
    await expect(read(Promise.reject(new Error('no permission')), createFillGate(GROUPS.length))).rejects.toThrow('no permission');
  });
});
