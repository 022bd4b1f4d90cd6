import type { Executor } from './executor';
import { runTask } from './runTask';

/** Runs tasks in the thread that asks. */
export function inProcessExecutor(): Executor {
  return {
    usable: true,
    execute: ({ task, input, signal, onProgress }) => runTask(task, input, { signal, progress: onProgress }),
    close: async () => {},
  };
}
