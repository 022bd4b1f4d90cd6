import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chainKey } from '../../updates/chainKey';
import { floats, makeStore } from '../../updates/store/testing/storeSetup';
import type { UpdateChain } from '../../updates/updateChain';
import { createInProcessPool } from '../createInProcessPool';

const COUNT = 40_000;
const first = Float32Array.from({ length: COUNT }, (_, i) => Math.sin(i));
/** The value after so many changes of a few elements each. */
const version = (changes: number) => floats(first.map((value, i) => (i % 1000 < changes ? Math.fround(value + 0.25) : value)));
const sha256 = async (bytes: Uint8Array) => Buffer.from(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes))).toString('hex');

describe('a value that is written and was kept', () => {
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

  const kept = () => join(values, chainKey(chain));

  async function write() {
    const file = join(store.root, 'written');
    writeFileSync(file, Buffer.alloc(8 + version(0).bytes.byteLength));
    const expected = { dtype: 'float32', shape: [COUNT] } as const;
    const output = await createInProcessPool().run('write', { plan: { kind: 'chain', chain }, expected, file, offset: 8, crc: false, values });
    return { output, bytes: readFileSync(file).subarray(8) };
  }

  it('is what its updates make of it, with the digest of it', async () => {
    const { output, bytes } = await write();
    expect(Buffer.compare(bytes, version(2).bytes)).toBe(0);
    expect(output).toMatchObject({ sha256: await sha256(version(2).bytes), bytes: bytes.byteLength });
  });

  it.each<[string, () => void]>([
    ['has other bits than it says', () => writeFileSync(kept(), readFileSync(kept()).fill(1, 100, 101))],
    ['was cut off', () => writeFileSync(kept(), readFileSync(kept()).subarray(0, 100_000))],
    [
      'is a folder',
      () => {
        rmSync(kept());
        mkdirSync(kept());
      },
    ],
    ['is gone', () => rmSync(kept())],
  ])('is computed from its objects when what was kept %s', async (_, damage) => {
    damage();
    const { output, bytes } = await write();
    expect(Buffer.compare(bytes, version(2).bytes)).toBe(0);
    expect(output.sha256).toBe(await sha256(version(2).bytes));
  });

  it('is not written when an object of its chain was damaged since', async () => {
    const object = chain.steps[1]?.object.path ?? '';
    const content = readFileSync(object);
    rmSync(object);
    writeFileSync(object, content.fill(0, 300, 310));
    await expect(write()).rejects.toMatchObject({ code: 'corrupt-object' });
    rmSync(object);
    await expect(write()).rejects.toMatchObject({ code: 'missing-object' });
  });
});
