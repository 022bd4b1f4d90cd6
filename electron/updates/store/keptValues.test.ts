import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collect } from '../../encodings/testing/collect';
import { chainKey } from '../chainKey';
import type { UpdateChain } from '../updateChain';
import { readKept } from './keptValues';
import { floats, makeStore } from './testing/storeSetup';

const COUNT = 40_000;
const first = Float32Array.from({ length: COUNT }, (_, i) => Math.sin(i));
/** The value after so many changes of a few elements each. */
const version = (changes: number) => floats(first.map((value, i) => (i % 1000 < changes ? Math.fround(value + 0.25) : value)));

describe('the value of a chain that is kept', () => {
  let store: ReturnType<typeof makeStore>;
  let values: string;
  let chain: UpdateChain;

  beforeEach(async () => {
    store = makeStore();
    values = join(store.root, 'values');
    chain = store.extend(null, await store.put(version(0)));
    for (const changes of [1, 2]) chain = store.extend(chain, await store.put(version(changes), { base: chain, values }));
  });
  afterEach(() => store.remove());

  const file = () => join(values, chainKey(chain));

  it('is what its updates make of it', async () => {
    expect(chain.steps.map(({ kind }) => kind)).toEqual(['dense', 'sparse', 'sparse']);
    expect(readdirSync(values)).toHaveLength(2);
    const kept = readKept(values, chain);
    expect(kept).toMatchObject({ dtype: 'float32', shape: [COUNT] });
    if (kept !== null) expect(Buffer.compare(await collect(kept.blocks()), version(2).bytes)).toBe(0);
    expect(Buffer.compare((await store.read(chain)).bytes, version(2).bytes)).toBe(0);
  });

  it('gives the next update, the same as without it', async () => {
    const without = await store.put(version(3), { base: chain, objects: null });
    expect(await store.put(version(3), { base: chain, values })).toMatchObject({ kind: 'sparse', oid: without.oid, sha256: without.sha256 });
    const next = store.extend(chain, without);
    expect(Buffer.compare((await store.read(next)).bytes, version(3).bytes)).toBe(0);
  });

  it.each<[string, () => void]>([
    ['has other bits', () => writeFileSync(file(), readFileSync(file()).fill(1, 100, 101))],
    ['was cut off', () => writeFileSync(file(), readFileSync(file()).subarray(0, 100_000))],
    ['is too short to be one', () => writeFileSync(file(), 'nothing')],
    ['went on', () => appendFileSync(file(), 'more')],
    [
      'is a folder',
      () => {
        rmSync(file());
        mkdirSync(file());
      },
    ],
    ['is gone', () => rmSync(file())],
  ])('is not taken when it %s', async (_, damage) => {
    damage();
    expect(readKept(values, chain)).toBeNull();
    expect(await store.put(version(3), { base: chain, values })).toMatchObject({ kind: 'sparse', notes: [] });
  });

  it('is not taken when an object that it came from is damaged or gone: nothing could be read that builds on it', async () => {
    const base = chain.steps[0]?.object.path ?? '';
    const content = readFileSync(base);
    rmSync(base);
    writeFileSync(base, content.fill(0, 1000, 1010));
    expect(readKept(values, chain)).toBeNull();
    expect(await store.put(version(3), { base: chain, values })).toMatchObject({ kind: 'dense' });
    rmSync(base, { force: true });
    expect(readKept(values, chain)).toBeNull();
  });

  it('costs nothing when it cannot be kept', async () => {
    writeFileSync(join(store.root, 'in the way'), '');
    const result = await store.put(version(3), { base: chain, values: join(store.root, 'in the way', 'values') });
    expect(result).toMatchObject({ kind: 'sparse', notes: [] });
  });

  it('is not kept in a dry run, nor for a full copy, nor when it is small', async () => {
    const before = readdirSync(values);
    await store.put(version(4), { base: chain, values, objects: null });
    await store.put(version(5), { values });
    const small = floats(Array.from({ length: 500 }, (_, i) => i));
    const smallChain = store.extend(null, await store.put(small, { values }));
    await store.put(floats(Array.from({ length: 500 }, (_, i) => (i === 7 ? 7.5 : i))), { base: smallChain, values });
    expect(readdirSync(values)).toEqual(before);
  });
});
