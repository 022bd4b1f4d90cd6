import { inProcessExecutor } from './inProcessExecutor';
import { schedulePool } from './schedulePool';
import type { WorkerPool } from './workerPool';

/** The same tasks in this thread, for tests. Nothing is copied; the thread is busy meanwhile. */
export function createInProcessPool({ size = 2 }: { readonly size?: number } = {}): WorkerPool {
  return schedulePool(size, inProcessExecutor);
}
