import { describe, expect, test } from 'vitest';
import { CheckpointError, isCheckpointError } from '../../shared/contract/errors';
import type { Executor, ExecutorJob } from './executor';
import { schedulePool } from './schedulePool';

const ANSWER = { digest: 'aa', bytes: 1 };

interface Started {
  readonly file: string;
  readonly job: ExecutorJob;
  readonly executor: number;
  finish(output?: unknown): void;
  fail(error: unknown, options?: { readonly broken: boolean }): void;
}

/** Executors that end when the test says so. */
function manual() {
  const started: Started[] = [];
  let executors = 0;
  let closed = 0;
  const start = (): Executor => {
    const number = executors++;
    const state = { usable: true };
    return {
      get usable() {
        return state.usable;
      },
      execute: (job) =>
        new Promise((resolve, reject) => {
          const file = (job.input as { file: string }).file;
          started.push({
            file,
            job,
            executor: number,
            finish: (output = ANSWER) => resolve(output),
            fail: (error, { broken } = { broken: false }) => {
              state.usable = !broken;
              reject(error);
            },
          });
        }),
      close: async () => {
        closed++;
      },
    };
  };
  return { started, start, executors: () => executors, closed: () => closed };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const input = (file: string) => ({ file, kind: 'sha256' as const });

describe('a pool', () => {
  test('starts the executors that are not there yet when it is told of work to come, and closes them', async () => {
    const { started, start, executors, closed } = manual();
    const pool = schedulePool(3, start);
    const first = pool.run('fileDigest', input('a'));
    pool.warmUp();
    pool.warmUp();
    expect(executors()).toBe(3);
    const others = ['b', 'c'].map((file) => pool.run('fileDigest', input(file)));
    expect(new Set(started.map(({ executor }) => executor)).size).toBe(3);
    for (const { finish } of started) finish();
    await Promise.all([first, ...others]);
    expect(executors()).toBe(3);
    await pool.close();
    expect(closed()).toBe(3);
    pool.warmUp();
    expect(executors()).toBe(3);
  });

  test('starts executors only when there is work, up to its size, and uses them again', async () => {
    const { started, start, executors } = manual();
    const pool = schedulePool(2, start);
    expect(executors()).toBe(0);
    const all = ['a', 'b', 'c'].map((file) => pool.run('fileDigest', input(file)));
    expect(started.map(({ file }) => file)).toEqual(['a', 'b']);
    started[1]?.finish();
    await all[1];
    await settled();
    expect(started[2]).toMatchObject({ file: 'c', executor: 1 });
    started[0]?.finish();
    started[2]?.finish();
    expect(await Promise.all(all)).toEqual([ANSWER, ANSWER, ANSWER]);
    expect(executors()).toBe(2);
  });

  test('takes interactive tasks before background ones, each in the order they came', async () => {
    const { started, start } = manual();
    const pool = schedulePool(1, start);
    const order = [
      ['first', 'background'],
      ['b1', 'background'],
      ['b2', 'background'],
      ['i1', 'interactive'],
      ['i2', 'interactive'],
    ] as const;
    const all = order.map(([file, priority]) => pool.run('fileDigest', input(file), { priority }));
    for (let i = 0; i < order.length; i++) {
      started[i]?.finish();
      await settled();
    }
    await Promise.all(all);
    expect(started.map(({ file }) => file)).toEqual(['first', 'i1', 'i2', 'b1', 'b2']);
  });

  test('drops a queued task that is cancelled, without starting it', async () => {
    const { started, start } = manual();
    const pool = schedulePool(1, start);
    const running = pool.run('fileDigest', input('running'));
    const controller = new AbortController();
    const waiting = pool.run('fileDigest', input('waiting'), { signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    started[0]?.finish();
    await running;
    await settled();
    expect(started.length).toBe(1);
  });

  test('tells a running task that it is cancelled, and settles when it has ended', async () => {
    const { started, start } = manual();
    const pool = schedulePool(1, start);
    const controller = new AbortController();
    let over = false;
    const unwanted: unknown[] = [];
    const run = pool.run('fileDigest', input('a'), { signal: controller.signal, onUnwanted: (output) => unwanted.push(output) }).finally(() => {
      over = true;
    });
    run.catch(() => {});
    controller.abort();
    await settled();
    expect(started[0]?.job.signal.aborted).toBe(true);
    expect(over).toBe(false);
    // Even a result that crossed the cancel is none, but it can be taken back.
    started[0]?.finish();
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
    expect(unwanted).toEqual([ANSWER]);
  });

  test('starts nothing for a signal that was aborted before', async () => {
    const { started, start } = manual();
    await expect(schedulePool(1, start).run('fileDigest', input('a'), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    expect(started).toEqual([]);
  });

  test('replaces an executor that broke, and goes on with what waits', async () => {
    const { started, start, executors } = manual();
    const pool = schedulePool(1, start);
    const first = pool.run('fileDigest', input('a'));
    const second = pool.run('fileDigest', input('b'));
    started[0]?.fail(new CheckpointError('too-large', 'No memory.'), { broken: true });
    await expect(first).rejects.toMatchObject({ code: 'too-large' });
    await settled();
    expect(executors()).toBe(2);
    started[1]?.finish();
    expect(await second).toEqual(ANSWER);
  });

  test('makes anything thrown a CheckpointError', async () => {
    const { started, start } = manual();
    const run = schedulePool(1, start).run('fileDigest', input('a'));
    started[0]?.fail(new TypeError('what'));
    await expect(run).rejects.toSatisfy((error) => isCheckpointError(error, 'internal'));
  });

  test('refuses a result that is not what the task promises', async () => {
    const { started, start } = manual();
    const run = schedulePool(1, start).run('fileDigest', input('a'));
    started[0]?.finish({ digest: 'zz', bytes: -1 });
    await expect(run).rejects.toMatchObject({ code: 'internal' });
  });

  test('that is closed cancels what waits and what runs, closes its executors, and takes nothing more', async () => {
    const { started, start, closed } = manual();
    const pool = schedulePool(1, start);
    const running = pool.run('fileDigest', input('a'));
    const waiting = pool.run('fileDigest', input('b'));
    running.catch(() => {});
    waiting.catch(() => {});
    const closing = pool.close();
    await settled();
    expect(started[0]?.job.signal.aborted).toBe(true);
    started[0]?.fail(new CheckpointError('cancelled', 'Cancelled.'));
    await closing;
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    await expect(pool.run('fileDigest', input('c'))).rejects.toMatchObject({ code: 'cancelled' });
    expect(started.length).toBe(1);
    expect(closed()).toBe(1);
  });

  test('lets go of a signal that outlives its tasks', async () => {
    const { started, start } = manual();
    const pool = schedulePool(1, start);
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    const run = pool.run('fileDigest', input('a'), { signal });
    expect(listeners).toBe(1);
    started[0]?.finish();
    await run;
    expect(listeners).toBe(0);
  });
});
