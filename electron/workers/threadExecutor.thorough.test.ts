import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Executor } from './executor';
import { threadExecutor } from './threadExecutor';

/** Workers that speak the protocol, and go wrong in one way each. */
const SCRIPTS = {
  answers: `port.on('message', ({ kind, id }) => kind === 'run' && port.postMessage({ kind: 'result', id, output: 42 }))`,
  fails: `port.on('message', ({ id }) => port.postMessage({ kind: 'failure', id, error: { code: 'malformed', message: 'Bad.', place: { group: 'w' } } }))`,
  reports: `port.on('message', ({ id }) => { port.postMessage({ kind: 'progress', id, done: 1, total: 2 }); port.postMessage({ kind: 'result', id, output: 0 }) })`,
  obeys: `port.on('message', ({ kind, id }) => kind === 'cancel' && port.postMessage({ kind: 'failure', id, error: { code: 'cancelled', message: 'Cancelled.' } }))`,
  ignores: `port.on('message', () => {})`,
  spins: `port.on('message', () => { for (;;); })`,
  exits: `port.on('message', () => process.exit(7))`,
  throws: `port.on('message', () => { throw new Error('boom') })`,
  rejects: `port.on('message', () => { void Promise.reject(new Error('late')) })`,
  babbles: `port.on('message', ({ id }) => port.postMessage({ kind: 'verdict', id }))`,
  devours: `port.on('message', () => { const all = []; for (;;) all.push(new Array(1000).fill({}).map(() => ({}))) })`,
  broken: 'this is no JavaScript',
} as const;

let folder = '';
const script = (name: keyof typeof SCRIPTS) => join(folder, `${name}.mjs`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-threads-'));
  for (const [name, body] of Object.entries(SCRIPTS)) {
    await writeFile(join(folder, `${name}.mjs`), `import { parentPort as port } from 'node:worker_threads';\n${body};\n`);
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function run(executor: Executor, options: { readonly signal?: AbortSignal; readonly onProgress?: (done: number, total: number) => void } = {}) {
  const { signal = new AbortController().signal, onProgress = () => {} } = options;
  return executor.execute({ task: 'fileDigest', input: { file: 'a', kind: 'sha256' }, signal, onProgress });
}

describe('a worker thread', () => {
  test('gives results, again and again', async () => {
    const executor = threadExecutor({ script: script('answers') });
    expect([await run(executor), await run(executor)]).toEqual([42, 42]);
    expect(executor.usable).toBe(true);
    await executor.close();
    expect(executor.usable).toBe(false);
  });

  test('sends errors whole, and goes on', async () => {
    const executor = threadExecutor({ script: script('fails') });
    await expect(run(executor)).rejects.toMatchObject({ name: 'CheckpointError', code: 'malformed', message: 'Bad.', place: { group: 'w' } });
    expect(executor.usable).toBe(true);
    await executor.close();
  });

  test('reports progress', async () => {
    const executor = threadExecutor({ script: script('reports') });
    const seen: number[][] = [];
    await run(executor, { onProgress: (done, total) => seen.push([done, total]) });
    expect(seen).toEqual([[1, 2]]);
    await executor.close();
  });

  test('that obeys a cancel is kept', async () => {
    const executor = threadExecutor({ script: script('obeys') });
    const controller = new AbortController();
    const running = run(executor, { signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    expect(executor.usable).toBe(true);
    await executor.close();
  });

  test.each(['ignores', 'spins'] as const)('that %s a cancel is ended', async (name) => {
    const executor = threadExecutor({ script: script(name) });
    const controller = new AbortController();
    const running = run(executor, { signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    expect(executor.usable).toBe(false);
  });

  test.each([
    { name: 'exits', code: 'internal', message: /exit code 7.*fileDigest/ },
    { name: 'throws', code: 'internal', message: /crashed: boom/ },
    { name: 'rejects', code: 'internal', message: /crashed: late/ },
    { name: 'babbles', code: 'internal', message: /protocol/ },
    { name: 'devours', code: 'too-large', message: /not enough memory/ },
    { name: 'broken', code: 'internal', message: /crashed/ },
  ] as const)('that $name rejects what waited on it with $code', async ({ name, code, message }) => {
    const executor = threadExecutor({ script: script(name), resourceLimits: { maxOldGenerationSizeMb: 20 } });
    await expect(run(executor)).rejects.toMatchObject({ name: 'CheckpointError', code, message: expect.stringMatching(message) });
    expect(executor.usable).toBe(false);
  });

  test('that is closed rejects what runs', async () => {
    const executor = threadExecutor({ script: script('ignores') });
    const running = run(executor);
    running.catch(() => {});
    await executor.close();
    await expect(running).rejects.toMatchObject({ code: 'internal' });
  });
});
