import { cancelledError } from '../../shared/contract/cancelled';
import { CheckpointError } from '../../shared/contract/errors';
import type { Executor } from './executor';
import { parseOutput, type TaskInput, type TaskName, type TaskOutput } from './protocol';
import type { RunOptions, WorkerPool } from './workerPool';

interface Job {
  readonly task: TaskName;
  readonly input: unknown;
  readonly onProgress: (done: number, total: number) => void;
  readonly controller: AbortController;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly unwanted: (output: unknown) => void;
}

/**
 * The queue in front of at most `size` executors, which are started when first needed and replaced when they became unusable.
 * The most recently used one is taken first: what it has loaded and compiled is warm, and idle ones stay idle.
 */
export function schedulePool(size: number, start: () => Executor): WorkerPool {
  const queues = { interactive: new Set<Job>(), background: new Set<Job>() };
  const idle: Executor[] = [];
  const busy = new Map<Job, Promise<void>>();
  let closed = false;

  function dispatch(): void {
    while (busy.size < size) {
      const queue = queues.interactive.size > 0 ? queues.interactive : queues.background;
      const [job] = queue;
      if (job === undefined) return;
      queue.delete(job);
      try {
        busy.set(job, execute(takeIdle() ?? start(), job));
      } catch (error) {
        job.reject(CheckpointError.from(error));
      }
    }
  }

  /** One that ended while it was idle is dropped. */
  function takeIdle(): Executor | undefined {
    for (;;) {
      const executor = idle.pop();
      if (executor === undefined || executor.usable) return executor;
    }
  }

  /** Never rejects: the outcome goes to the one who asked, after the executor is free again. */
  async function execute(executor: Executor, job: Job): Promise<void> {
    const { task, input, onProgress, controller } = job;
    let settle: () => void;
    try {
      const output = await executor.execute({ task, input, onProgress, signal: controller.signal });
      // The end and the cancel crossed: whoever cancelled counts on nothing having come of it.
      settle = () => {
        if (!controller.signal.aborted) return job.resolve(output);
        job.unwanted(output);
        job.reject(cancelledError());
      };
    } catch (error) {
      settle = () => job.reject(CheckpointError.from(error));
    }
    busy.delete(job);
    if (closed) await executor.close();
    else if (executor.usable) idle.push(executor);
    settle();
    dispatch();
  }

  function enqueue(
    task: TaskName,
    input: unknown,
    { signal, onProgress, priority = 'interactive', unwanted }: Omit<RunOptions, 'onUnwanted'> & Pick<Job, 'unwanted'>,
  ): Promise<unknown> {
    if (closed || signal?.aborted === true) return Promise.reject(cancelledError());
    return new Promise<unknown>((resolve, reject) => {
      const abort = () => cancel(job);
      const settled = () => signal?.removeEventListener('abort', abort);
      const job: Job = {
        task,
        input,
        onProgress: onProgress ?? (() => {}),
        controller: new AbortController(),
        unwanted,
        resolve: (output) => {
          settled();
          resolve(output);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      queues[priority].add(job);
      dispatch();
    });
  }

  /** What waits is dropped; what runs is told, and ends by itself. */
  function cancel(job: Job): void {
    if (queues.interactive.delete(job) || queues.background.delete(job)) job.reject(cancelledError());
    else job.controller.abort();
  }

  return {
    size,
    async run<N extends TaskName>(task: N, input: TaskInput<N>, options: RunOptions<N> = {}): Promise<TaskOutput<N>> {
      const { onUnwanted, ...rest } = options;
      let late: { readonly output: unknown } | null = null;
      try {
        return parseOutput(task, await enqueue(task, input, { ...rest, unwanted: (output) => (late = { output }) }));
      } catch (error) {
        const unwanted = late as { readonly output: unknown } | null;
        if (unwanted !== null) onUnwanted?.(parseOutput(task, unwanted.output));
        throw CheckpointError.from(error);
      }
    },
    warmUp() {
      if (closed) return;
      while (idle.length + busy.size < size) idle.push(start());
    },
    async close() {
      closed = true;
      const running = [...busy.values()];
      for (const job of [...queues.interactive, ...queues.background, ...busy.keys()]) cancel(job);
      await Promise.all([...running, ...idle.splice(0).map((executor) => executor.close())]);
    },
  };
}
