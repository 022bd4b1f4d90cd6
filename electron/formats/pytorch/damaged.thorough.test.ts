import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isCheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import { memorySource } from '../../bytes/memorySource';
import { readZip } from '../../encodings/zip/readZip';
import { layoutStoredZip } from '../../encodings/zip/storedZipLayout';
import { openRef } from '../../tensors/openRef';
import { pytorchFormat } from './pytorchFormat';

const FIXTURES = join(import.meta.dirname, '../../../e2e/fixtures/checkpoints');
const files = ['pytorch', 'hostile'].flatMap((folder) =>
  readdirSync(join(FIXTURES, folder))
    .filter((name) => /\.(?:pt|ckpt)$/.test(name))
    .map((name) => ({ name, bytes: readFileSync(join(FIXTURES, folder, name)) })),
);
/**
 * Lengths that are tried of each file; a prime step visits all positions of a record over the files.
 * `FUZZ=1500` tries every length, and 1500 changes of each file.
 */
const STEP = process.env.FUZZ ? 1 : 31;
const FLIPS = Number(process.env.FUZZ ?? 50);

/** xorshift32: the same damage in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Reads headers, and opens every tensor that is said to be there; anything but a CheckpointError is a failure. */
async function probe(bytes: Uint8Array): Promise<void> {
  let asked = 0;
  const memory = memorySource(bytes);
  const source: ByteSource = {
    ...memory,
    read: (offset, length) => {
      asked += length;
      return memory.read(offset, length);
    },
  };
  try {
    const { groups } = await pytorchFormat.read(source, { ref: { kind: 'memory', bytes }, file: 'damaged.pt' });
    for (const { keys, data } of groups) {
      if ('code' in data) expect(data.code).not.toBe('internal');
      else await (await openRef(data, keys.join('/'))).close();
    }
  } catch (error) {
    if (!isCheckpointError(error) || error.code === 'internal') throw error;
  }
  // Nothing is read because a damaged size says so: the directory and headers a few times over, the pickle once.
  expect(asked).toBeLessThan(20 * bytes.byteLength + 100_000);
}

/** The same archive with another pickle, and a checksum that fits it: the damage reaches the reader of pickles. */
async function withPickle(zip: Uint8Array, pickle: Uint8Array): Promise<Uint8Array> {
  const source = memorySource(zip);
  const entries = await readZip(source, { file: 'fixture' });
  const contents = await Promise.all(
    entries.map(async (entry) => {
      const content = entry.name.endsWith('/data.pkl') ? pickle : await source.read(entry.dataOffset, entry.bytes);
      return { name: entry.name, bytes: content.byteLength, content };
    }),
  );
  const layout = layoutStoredZip(contents, { alignment: 64 });
  const file = new Uint8Array(layout.bytes);
  for (const { offset, bytes } of [...layout.pieces, ...layout.finish([])]) file.set(bytes, offset);
  return file;
}

const zips = files.filter(({ bytes }) => bytes.subarray(0, 2).toString() === 'PK' && bytes.indexOf('PK\x05\x06') > 0 && bytes.byteLength < 10_000);

describe.each(zips)('the pickle of $name', ({ name, bytes }) => {
  it('changed or cut off anywhere, ends with an error or with what is sound', async () => {
    const source = memorySource(bytes);
    const record = (await readZip(source, { file: name })).find((entry) => entry.name.endsWith('/data.pkl'));
    const pickle = await source.read(record?.dataOffset ?? 0, record?.bytes ?? 0);
    const random = randomNumbers(name.length + 11);
    for (let round = 0; round < 2 * FLIPS; round++) {
      const damaged = Buffer.from(pickle.subarray(0, round % 5 === 0 ? random(pickle.byteLength) : pickle.byteLength));
      for (let count = random(4); count >= 0 && damaged.byteLength > 0; count--) damaged[random(damaged.byteLength)] = random(256);
      await probe(await withPickle(bytes, damaged));
    }
  });
});

describe.each(files)('$name', ({ name, bytes }) => {
  it('cut off anywhere, ends with an error or with what is sound', async () => {
    for (let length = 0; length < bytes.byteLength; length += bytes.byteLength > 10_000 ? 997 : STEP) await probe(bytes.subarray(0, length));
  });

  it('changed anywhere, ends with an error or with what is sound', async () => {
    const random = randomNumbers(name.length + 7);
    const positions = Math.min(bytes.byteLength, 6000);
    for (let round = 0; round < FLIPS && positions > 0; round++) {
      const damaged = Buffer.from(bytes);
      for (let count = random(4); count >= 0; count--) damaged[random(positions)] = random(256);
      await probe(damaged);
    }
  });
});
