import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DType } from '../../../shared/model/dtype';
import type { TensorPlan } from '../../updates/updateChain';
import { createInProcessPool } from '../../workers/createInProcessPool';
import type { WorkerPool } from '../../workers/workerPool';
import { measureTensor } from './measureTensor';
import { splitPlan } from './splitPlan';

/** 72 MB, no multiple of anything. */
const WORDS = 18 * 2 ** 20 + 13;

let folder: string;
let path: string;
let pool: WorkerPool;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-statistics-'));
  path = join(folder, 'tensor');
  const values = Float32Array.from({ length: WORDS }, (_, i) => Math.sin(i) * (1 + i / WORDS));
  values[7] = Number.NaN;
  values[WORDS - 1] = Number.POSITIVE_INFINITY;
  values[5_000_000] = -1e-42;
  values[9_000_000] = 0;
  await writeFile(path, new Uint8Array(values.buffer));
  pool = createInProcessPool({ size: 2 });
});
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

function plan(dtype: DType, itemBytes: number): TensorPlan & { readonly kind: 'ref' } {
  const elements = Math.floor((WORDS * 4) / itemBytes);
  return { kind: 'ref', group: 'w', ref: { dtype, shape: [elements], source: { kind: 'file', path }, offset: 0, strides: null, bigEndian: false } };
}

describe('parts of a large tensor', () => {
  it('cover it without gaps', () => {
    const parts = splitPlan(plan('float32', 4), 3) ?? [];
    expect(parts.length).toBeGreaterThanOrEqual(3);
    let next = 0;
    for (const part of parts) {
      if (part.kind !== 'ref') throw new Error('no ref');
      expect(part.ref.offset).toBe(next);
      next += (part.ref.shape[0] ?? 0) * 4;
    }
    expect(next).toBe(WORDS * 4);
  });

  it('are not made of small tensors, transposed ones, or for one worker', () => {
    const whole = plan('float32', 4);
    expect(splitPlan(whole, 1)).toBeNull();
    expect(splitPlan({ ...whole, ref: { ...whole.ref, strides: [1] } }, 2)).toBeNull();
    expect(splitPlan({ ...whole, ref: { ...whole.ref, shape: [1000] } }, 2)).toBeNull();
  });

  it.each([
    ['float32', 4],
    ['bfloat16', 2],
    ['int64', 8],
    ['uint8', 1],
  ] as const)('together say of %s what one pass says', async (dtype, itemBytes) => {
    const request = { histogram: { bins: 64, range: null, scale: 'linear' }, quantiles: itemBytes === 8 ? [] : [0.25, 0.5] } as const;
    const whole = plan(dtype, itemBytes);
    const shared = await measureTensor(whole, request, { pool });
    const alone = await pool.run('statistics', { plan: whole, ...request });
    for (const key of ['mean', 'std', 'l1', 'norm'] as const) {
      const [a, b] = [shared.stats[key] ?? 0, alone.stats[key] ?? 0];
      expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-12 * Math.max(Math.abs(b), alone.stats.std ?? 0));
    }
    const rest = { mean: 0, std: 0, l1: 0, norm: 0 };
    expect({ ...shared, stats: { ...shared.stats, ...rest } }).toEqual({ ...alone, stats: { ...alone.stats, ...rest } });
    expect(shared.histogram?.counts.reduce((sum, times) => sum + times, 0)).toBe(shared.stats.finite);
  });

  it('end together when one is cancelled', async () => {
    const controller = new AbortController();
    const run = measureTensor(
      plan('float32', 4),
      { histogram: null, quantiles: [] },
      { pool, signal: controller.signal, onProgress: () => controller.abort() },
    );
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('end together when the file is too short', async () => {
    const whole = plan('float32', 4);
    const long = { ...whole, ref: { ...whole.ref, shape: [WORDS + 1] } };
    await expect(measureTensor(long, { histogram: null, quantiles: [] }, { pool })).rejects.toMatchObject({ code: 'truncated', place: { group: 'w' } });
  });
});
