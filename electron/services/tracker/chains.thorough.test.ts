import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { encode } from '@msgpack/msgpack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatMetadata } from '../../theta/formatMetadata';
import type { ThetaEntry } from '../../theta/metadata';
import { edited, floats, noise, safetensorsFile, type Value } from './testing/safetensorsFile';
import { TrackedFolder } from './testing/trackedFolder';

const PATH = 'model.safetensors';

let folder: TrackedFolder;
beforeEach(async () => {
  folder = await TrackedFolder.make();
});
afterEach(() => folder.dispose());

const numbers = ({ bytes }: Value) => new Float32Array(bytes.slice().buffer);
const other = floats([1, 2, 3]);

async function put(weight: Value, options: Parameters<TrackedFolder['put']>[2] = {}) {
  const file = safetensorsFile({ other, weight });
  const { commit, cleaned } = await folder.put(PATH, file, options);
  expect((await folder.checkout(commit, PATH)).equals(file)).toBe(true);
  const group = cleaned.groups.find(({ name }) => name === 'weight');
  return { commit, type: group?.updateType, notes: group?.notes ?? [], group };
}

describe('without being told', () => {
  const weight = floats(noise(120 * 100), [120, 100]);
  // Powers of two and sums of them: products that every library gives alike, whatever it divides by on the way.
  const outer = (rank: number) => {
    const base = numbers(weight).map((x) => Math.round(x * 1000) / 1024);
    const next = base.map((x, i) => {
      let sum = 0;
      for (let k = 0; k < rank; k++) if (Math.floor(i / 100) % rank === k) sum += 2 ** (Math.floor(i / 700) % 5) * 2 ** ((i + k) % 4);
      return x + sum;
    });
    return [floats(base, [120, 100]), floats(next, [120, 100])] as const;
  };
  const scaledBy = (factor: (i: number) => number) =>
    floats(
      numbers(weight).map((x, i) => Math.fround(x * Math.fround(factor(i)))),
      [120, 100],
    );

  it.each<[string, Value, Value]>([
    [
      'sparse',
      weight,
      edited(weight, (view) => {
        for (const i of [1, 7, 500, 9000]) view.setFloat32(i * 4, 1.5 + i, true);
      }),
    ],
    ['ia3', weight, scaledBy((i) => 0.5 + (i % 100) / 77)],
    ['ia3', weight, scaledBy((i) => 0.5 + Math.floor(i / 100) / 77)],
    ['low-rank', ...outer(1)],
    ['low-rank', ...outer(2)],
    ['dense', weight, floats(noise(120 * 100, 77), [120, 100])],
    ['dense', floats(noise(20)), floats(noise(20, 5))],
  ])('%s, where it gives the exact value and is smaller', async (type, before, after) => {
    const first = await put(before);
    expect(first.type).toBe('dense');
    const second = await put(after);
    expect(second.type).toBe(type);
    if (type !== 'dense') expect(second.group?.storedBytes).toBeLessThan((first.group?.storedBytes ?? 0) / 2);
  });

  it.each(['sparse', 'ia3', 'low-rank'] as const)('%s that cannot give the value is said, and stored whole', async (choice) => {
    await put(weight);
    const { type, notes } = await put(floats(noise(120 * 100, 77), [120, 100]), { choice });
    expect(type).toBe('dense');
    expect(notes.join()).toMatch(/^Stored as a full copy, because /);
  });

  it('dense, when that was asked for', async () => {
    await put(weight);
    expect(
      (
        await put(
          edited(weight, (view) => view.setFloat32(0, 1.5, true)),
          { choice: 'dense' },
        )
      ).type,
    ).toBe('dense');
  });
});

describe('a chain', () => {
  const weight = floats(noise(4096), [64, 64]);
  const version = (number: number) =>
    edited(weight, (view) => {
      for (let n = 1; n <= number; n++) view.setFloat32(n * 40, n + 0.5, true);
    });

  it('begins anew after as many links as theta.maxChain says', async () => {
    await folder.git('config', 'theta.maxChain', '3');
    const types: unknown[] = [];
    for (let number = 0; number < 8; number++) types.push((await put(version(number))).type);
    expect(types).toEqual(['dense', 'sparse', 'sparse', 'dense', 'sparse', 'sparse', 'dense', 'sparse']);
  });

  it.each(['0', '-1', 'many', '1.5'])('theta.maxChain = %s is no number of links: the default counts', async (text) => {
    await folder.git('config', 'theta.maxChain', text);
    await put(version(0));
    expect((await put(version(1))).type).toBe('sparse');
  });

  it('begins anew when its updates would cost more than a full copy', async () => {
    await folder.git('config', 'theta.maxChain', '3000');
    let spent = 0;
    let full = 0;
    const types: unknown[] = [];
    for (let number = 0; number < 26; number++) {
      const { type, group } = await put(version(number));
      types.push(type);
      if (type === 'dense') {
        full = group?.storedBytes ?? 0;
        spent = 0;
      } else spent += group?.storedBytes ?? 0;
      expect(spent).toBeLessThanOrEqual(full);
    }
    expect(types.filter((type) => type === 'dense').length).toBeGreaterThan(1);
    expect(types.filter((type) => type === 'sparse').length).toBeGreaterThan(15);
  });
});

/** A sparse update as git-theta writes one, but for the compressor: made from the description of the format. */
function sparseObject(index: number, delta: number, shape: readonly number[]): Uint8Array {
  const member = (dtype: string, bytes: Uint8Array, length: number) => ({
    '.zarray': Buffer.from(
      JSON.stringify({ chunks: [length], compressor: null, dtype, fill_value: null, filters: null, order: 'C', shape: [length], zarr_format: 2 }),
    ),
    '0': bytes,
  });
  return encode({
    data: member('<f4', new Uint8Array(Float32Array.of(delta).buffer), 1),
    indices: member('<i4', new Uint8Array(Int32Array.of(index).buffer), 1),
    indptr: member('<i4', new Uint8Array(Int32Array.of(0, 1).buffer), 2),
    shape: member('<i8', new Uint8Array(BigInt64Array.from(shape, BigInt).buffer), shape.length),
  });
}

describe('2,000 chained updates', () => {
  const LINKS = 2000;
  const SHAPE = [1024, 512];

  it('are read, continued, and end when they should', async () => {
    const values = noise((SHAPE[0] as number) * (SHAPE[1] as number));
    const first = await folder.put(PATH, safetensorsFile({ other, weight: floats(values, SHAPE) }));
    const entries = await folder.entries(first.commit, PATH);
    const half: { commit: string; values: Float32Array } = { commit: '', values };
    const importer = startImport(folder.path);
    let last: string = first.commit;
    for (let link = 1; link <= LINKS; link++) {
      const index = (link * 7919) % values.length;
      const bytes = sparseObject(index, 0.25, SHAPE);
      values[index] = Math.fround((values[index] ?? 0) + 0.25);
      const oid = createHash('sha256').update(bytes).digest('hex');
      await mkdir(dirname(folder.objectPath(oid)), { recursive: true });
      await writeFile(folder.objectPath(oid), bytes);
      const next = [...entries.values()].map((entry): ThetaEntry => {
        if (entry.name !== 'weight') return entry;
        return { ...entry, oid, bytes: bytes.byteLength, updateType: 'sparse', lastCommit: last as never };
      });
      last = await importer.commit(formatMetadata(next));
      if (link === LINKS / 2) Object.assign(half, { commit: last, values: values.slice() });
    }
    await importer.end();
    await folder.git('reset', '-q', '--soft', last);
    await folder.git('read-tree', last);

    const file = safetensorsFile({ other, weight: floats(values, SHAPE) });
    expect((await folder.checkout(last, PATH)).equals(file)).toBe(true);
    expect((await folder.checkout(half.commit, PATH)).equals(safetensorsFile({ other, weight: floats(half.values, SHAPE) }))).toBe(true);
    // The same once more without what is remembered of digests, and as an add: nothing has changed.
    await rm(join(folder.path, '.git', 'theta-desktop'), { recursive: true });
    expect((await folder.filter('clean', file, { path: PATH })).toString()).toBe(await folder.metadata(last, PATH));

    await folder.git('config', 'theta.maxChain', '3000');
    for (let more = 0; more < 3; more++) {
      values[more] = 1.5 + more;
      expect((await put(floats(values, SHAPE))).type).toBe('sparse');
    }
    await folder.git('config', '--unset', 'theta.maxChain');
    values[9] = 9.5;
    expect((await put(floats(values, SHAPE))).type).toBe('dense');
  }, 180_000);
});

/** One fast-import process that adds commit after commit to main: each names the id of the one before, so ids are asked for on the way. */
function startImport(path: string) {
  const child = spawn('git', ['-C', path, 'fast-import', '--quiet', '--cat-blob-fd=1'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ids = createInterface(child.stdout)[Symbol.asyncIterator]();
  let number = 0;
  return {
    async commit(content: string): Promise<string> {
      const from = number === 0 ? 'from refs/heads/main^0\n' : '';
      const head = `commit refs/heads/main\nmark :1\ncommitter A <a@b> ${1_800_000_000 + number++} +0000\ndata 1\nx\n${from}`;
      child.stdin.write(`${head}M 100644 inline ${PATH}\ndata ${Buffer.byteLength(content)}\n${content}\n\nget-mark :1\n`);
      const { value } = await ids.next();
      if (typeof value !== 'string') throw new TypeError('fast-import ended');
      return value;
    },
    async end() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
