import { afterAll, describe, expect, it } from 'vitest';
import { floats, makeStore, planOf, sha256 } from '../../updates/store/testing/storeSetup';
import { createInProcessPool } from '../createInProcessPool';
import { average } from './average';
import { store as storeTask } from './store';

const store = makeStore();
const pool = createInProcessPool();
afterAll(async () => {
  await pool.close();
  store.remove();
});

const before = floats(Float32Array.from({ length: 300_000 }, (_, i) => Math.sin(i * i)));
const after = floats(Float32Array.from({ length: 300_000 }, (_, i) => Math.sin(i * i) * (i % 500 === 0 ? 1.001 : 1)));

describe('the tasks, as they cross between threads', () => {
  it('store a value and then a change of it, with progress in bytes', async () => {
    const progress: number[][] = [];
    const onProgress = (done: number, total: number) => void progress.push([done, total]);
    const first = await pool.run('store', store.request(before), { onProgress });
    expect(first).toMatchObject({ kind: 'dense', dtype: 'float32', shape: [300_000], sha256: sha256(before.bytes) });
    const second = await pool.run('store', store.request(after, { base: store.extend(null, first) }));
    expect(second).toMatchObject({ kind: 'sparse', sha256: sha256(after.bytes) });
    expect(second.signature).toHaveLength(16);
    expect(second.bytes).toBeLessThan(first.bytes / 50);
    expect(progress.at(-1)).toEqual([1_200_000, 1_200_000]);
  });

  it('store an average', async () => {
    const inputs = [before, after].map((value) => ({ plan: planOf(value), weight: 0.5 }));
    const stored = await pool.run('average', { group: 'layer/weight', inputs, facts: null, objects: null });
    expect(stored).toMatchObject({ kind: 'dense', shape: [300_000] });
  });

  it('can be cancelled, and nothing stays', async () => {
    const own = makeStore();
    try {
      const controller = new AbortController();
      const context = { signal: controller.signal, progress: () => controller.abort() };
      await expect(storeTask(own.request(before), context)).rejects.toMatchObject({ code: 'cancelled' });
      const again = new AbortController();
      const input = { group: 'layer/weight', inputs: [{ plan: planOf(before), weight: 1 }], facts: null, objects: own.objects };
      await expect(average(input, { signal: again.signal, progress: () => again.abort() })).rejects.toMatchObject({ code: 'cancelled' });
      expect(own.files()).toEqual([]);
    } finally {
      own.remove();
    }
  });
});
