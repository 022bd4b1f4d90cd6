import { availableParallelism } from 'node:os';
import { schedulePool } from './schedulePool';
import { type ThreadOptions, threadExecutor } from './threadExecutor';
import type { WorkerPool } from './workerPool';

export interface WorkerPoolOptions extends ThreadOptions {
  /** Threads at most; default: as many as the machine runs at once, up to 4. */
  readonly size?: number | undefined;
}

/** A pool of threads that run the built worker entry; none is started before there is something to do. */
export function createWorkerPool({ size, ...thread }: WorkerPoolOptions): WorkerPool {
  return schedulePool(size ?? defaultPoolSize(), () => threadExecutor(thread));
}

function defaultPoolSize(): number {
  return Math.max(1, Math.min(4, availableParallelism()));
}
