import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TensorPlan } from '../updates/updateChain';
import { createInProcessPool } from './createInProcessPool';
import { createWorkerPool } from './createWorkerPool';
import type { WorkerPool } from './workerPool';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const NUMBERS = here('../../e2e/fixtures/numbers/tensors.safetensors');

let folder = '';
let file: Buffer;
let headerEnd = 0;
let header: Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-worker-'));
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      outDir: join(folder, 'dist'),
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: { worker: here('worker.ts'), serveTasks: here('serveTasks.ts'), createWorkerPool: here('createWorkerPool.ts') },
        external: [/^node:/, ...builtinModules],
        // As the program is built.
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' },
      },
    },
  });
  file = await readFile(NUMBERS);
  headerEnd = 8 + Number(file.readBigUInt64LE(0));
  header = JSON.parse(file.toString('utf8', 8, headerEnd));
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

function bytesOf(name: string): Uint8Array {
  const [begin, end] = header[name]?.data_offsets ?? [0, 0];
  return file.subarray(headerEnd + begin, headerEnd + end);
}

function planOf(name: string, dtype: 'float32' | 'int64' = 'float32'): TensorPlan {
  const { shape = [], data_offsets = [0, 0] } = header[name] ?? {};
  return {
    kind: 'ref',
    group: name,
    ref: { dtype, shape, source: { kind: 'file', path: NUMBERS }, offset: headerEnd + data_offsets[0], strides: null, bigEndian: false },
  };
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const threads = () => createWorkerPool({ script: join(folder, 'dist', 'worker.cjs'), size: 2 });

describe.each([
  { where: 'threads', create: threads },
  { where: 'this thread', create: () => createInProcessPool() },
])('tasks in $where', ({ create }) => {
  let pool: WorkerPool;
  beforeAll(() => {
    pool = create();
  });
  afterAll(() => pool.close());

  test('inspect a tensor', async () => {
    const expected = JSON.parse(await readFile(here('../../e2e/fixtures/numbers/expected.json'), 'utf8')).tensors.normal;
    const output = await pool.run('inspect', { plan: planOf('normal') });
    expect(output).toMatchObject({ dtype: 'float32', shape: [200, 300], sha256: sha256(bytesOf('normal')) });
    expect(output.stats).toMatchObject({ count: 60000, min: expected.stats.min, max: expected.stats.max });
    expect(output.histogram?.counts.length).toBe(64);
    expect(output.histogram?.counts.reduce((sum, count) => sum + count, 0)).toBe(60000);
    expect(output.preview).toMatchObject({ rows: 200, columns: 256, sourceRows: 200, sourceColumns: 300 });
  });

  test('inspect a tensor without finite elements', async () => {
    const output = await pool.run('inspect', { plan: planOf('all_nan') });
    expect(output).toMatchObject({ histogram: null, stats: { count: 7, nan: 7, mean: null } });
    expect([...output.preview.values]).toEqual(new Array(7).fill(Number.NaN));
  });

  test('inspect an empty tensor', async () => {
    const output = await pool.run('inspect', { plan: planOf('empty') });
    expect(output).toMatchObject({ shape: [0, 3], histogram: null, stats: { count: 0 }, sha256: sha256(new Uint8Array(0)) });
    expect(output.preview).toMatchObject({ rows: 0, columns: 3 });
  });

  test('inspect a tensor that is too large to be kept, in one pass', async () => {
    // 9 Mi float32 of zeros and, at the end, one 1: 36 MiB.
    const path = join(folder, 'large');
    const elements = 9 * 2 ** 20;
    const handle = await open(path, 'w');
    await handle.truncate(elements * 4);
    await handle.write(Buffer.from(Float32Array.of(1).buffer), 0, 4, (elements - 1) * 4);
    await handle.close();
    const seen: number[][] = [];
    const ref = { dtype: 'float32', shape: [elements], source: { kind: 'file', path }, offset: 0, strides: null, bigEndian: false } as const;
    const output = await pool.run('inspect', { plan: { kind: 'ref', group: 'large', ref } }, { onProgress: (done, total) => seen.push([done, total]) });
    expect(output.stats).toMatchObject({ zeros: elements - 1, max: 1, min: 0, norm: 1, mean: 1 / elements });
    // 64 bins at most, which begin at multiples of a power of two: a 32nd, and one for the 1 itself.
    expect(output.histogram).toMatchObject({ min: 0, max: 33 / 32 });
    expect([...(output.histogram?.counts ?? [])]).toEqual([elements - 1, ...new Array(31).fill(0), 1]);
    for (const [done = 0, total] of seen) expect([total, done <= elements * 4]).toEqual([elements * 4, true]);
  });

  test('digest a tensor', async () => {
    const bytes = bytesOf('i64');
    expect(await pool.run('digest', { plan: planOf('i64', 'int64') })).toEqual({ dtype: 'int64', shape: [6], sha256: sha256(bytes), bytes: 48 });
  });

  test('digest the value of a chain of updates', async () => {
    const path = here('../../e2e/fixtures/vectors/updates/dense_f32_7x5.lfs');
    const object = await readFile(path);
    const expected = await readFile(path.replace(/lfs$/, 'expected.npy'));
    // NumPy's header, version 1: its length is at byte 8.
    const values = expected.subarray(10 + expected.readUInt16LE(8));
    const step = { kind: 'dense', object: { oid: sha256(object), bytes: object.byteLength, path }, commit: null } as const;
    const plan = { kind: 'chain', chain: { group: 'w', steps: [step] } } as const;
    expect(await pool.run('digest', { plan })).toEqual({ dtype: 'float32', shape: [7, 5], sha256: sha256(values), bytes: 140 });
    const lost = { ...plan, chain: { ...plan.chain, steps: [{ ...step, object: { ...step.object, path: `${path}.lost` } }] } };
    await expect(pool.run('digest', { plan: lost })).rejects.toMatchObject({ code: 'missing-object', place: { group: 'w', oid: step.object.oid } });
  });

  test('write a tensor into its place', async () => {
    const path = join(folder, 'target');
    const bytes = bytesOf('normal');
    await writeFile(path, Buffer.alloc(bytes.byteLength + 20, 0xee));
    const input = { plan: planOf('normal'), expected: { dtype: 'float32', shape: [200, 300] }, file: path, offset: 9 } as const;
    expect(await pool.run('write', { ...input, crc: true })).toEqual({ sha256: sha256(bytes), crc32: crc32(bytes), bytes: bytes.byteLength });
    expect(await pool.run('write', { ...input, crc: false })).toMatchObject({ crc32: null });
    const written = await readFile(path);
    expect(written.subarray(9, 9 + bytes.byteLength).equals(bytes)).toBe(true);
    expect([...written.subarray(0, 9), ...written.subarray(-11)]).toEqual(new Array(20).fill(0xee));
  });

  test('refuse to write a tensor that is not the expected one', async () => {
    const run = pool.run('write', { plan: planOf('normal'), expected: { dtype: 'float32', shape: [300, 200] }, file: NUMBERS, offset: 0, crc: false });
    await expect(run).rejects.toMatchObject({ name: 'CheckpointError', code: 'conflict', place: { group: 'normal' } });
  });

  test('name the file that is not there', async () => {
    const run = pool.run('fileDigest', { file: join(folder, 'nothing'), kind: 'sha256' });
    await expect(run).rejects.toMatchObject({ name: 'CheckpointError', code: 'not-found', place: { file: join(folder, 'nothing') } });
  });

  test('end soon when cancelled, and leave the worker as it was', async () => {
    const path = join(folder, 'endless');
    const handle = await open(path, 'w');
    await handle.truncate(2 ** 40);
    await handle.close();
    const controller = new AbortController();
    let last = 0;
    const run = pool.run(
      'fileDigest',
      { file: path, kind: 'sha256' },
      {
        signal: controller.signal,
        onProgress: (done) => {
          last = done;
          controller.abort();
        },
      },
    );
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
    expect(last).toBeGreaterThan(0);
    expect(last).toBeLessThan(2 ** 40);
    expect(await pool.run('digest', { plan: planOf('scalar') })).toMatchObject({ bytes: 4 });
  });
});

test('an idle pool does not keep its process alive, and a busy one does', async () => {
  const script = join(folder, 'dist', 'program.cjs');
  await writeFile(
    script,
    `const { createWorkerPool } = require('./createWorkerPool.cjs');
     const pool = createWorkerPool({ script: require.resolve('./worker.cjs') });
     void pool.run('fileDigest', { file: ${JSON.stringify(NUMBERS)}, kind: 'sha256' }).then(({ digest }) => console.log(digest));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 20_000 });
  expect(stdout.trim()).toBe(sha256(file));
});
