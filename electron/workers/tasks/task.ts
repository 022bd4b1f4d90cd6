/** What a task is given besides its input. */
export interface TaskContext {
  /** Aborted when the caller no longer wants the result: end soon, with CheckpointError `cancelled`. */
  readonly signal: AbortSignal;
  /** Bytes done of bytes total. May be called for every block: the pool thins out what it sends on. */
  progress(done: number, total: number): void;
}

/** Data in, data out: a task reads what its input names, and keeps nothing between two calls. */
export type Task<Input, Output> = (input: Input, context: TaskContext) => Promise<Output>;
