import type { TaskInput, TaskName, TaskOutput } from './protocol';

/** `interactive`: somebody looks at the window and waits; taken before every `background` task, whenever that was asked for. */
export type Priority = 'interactive' | 'background';

export interface RunOptions<N extends TaskName = TaskName> {
  readonly signal?: AbortSignal | undefined;
  /** Bytes done of bytes total, a few times a second at most. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Default `interactive`. */
  readonly priority?: Priority | undefined;
  /** Called before the rejection with the result of a task that had ended when the cancel came, so that what it did can be taken back. */
  readonly onUnwanted?: ((output: TaskOutput<N>) => void) | undefined;
}

/** Runs tasks beside the thread that asks, a bounded number at a time, first come first served within a priority. */
export interface WorkerPool {
  /** Tasks that run at the same time. */
  readonly size: number;
  /**
   * Settles when the task has ended: after a rejection nothing of it runs any more.
   * @throws CheckpointError what the task throws; `cancelled` when `signal` was aborted or the pool closed; `too-large` when the
   * worker ran out of memory; `internal` when it ended otherwise.
   */
  run<N extends TaskName>(task: N, input: TaskInput<N>, options?: RunOptions<N>): Promise<TaskOutput<N>>;
  /** Starts the workers that are not there yet, for a caller who is going to have work for all of them soon. */
  warmUp(): void;
  /** Cancels what waits and what runs, and ends the workers. */
  close(): Promise<void>;
}
