import type { TaskName } from './protocol';

export interface ExecutorJob {
  readonly task: TaskName;
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** Runs one task at a time: a thread, or this one. */
export interface Executor {
  /** Whether it can take another task. Once false it stays so, and nothing of it runs any more. */
  readonly usable: boolean;
  /** Settles when the task has ended. */
  execute(job: ExecutorJob): Promise<unknown>;
  close(): Promise<void>;
}
