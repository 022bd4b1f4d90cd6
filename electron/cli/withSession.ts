import { setMaxListeners } from 'node:events';
import { CheckpointError } from '../../shared/contract/errors';
import { resourcePath } from '../resources';
import { createWorkerPool } from '../workers/createWorkerPool';
import type { WorkerPool } from '../workers/workerPool';
import { INTERRUPTED } from './exitCodes';
import { formatError } from './formatError';
import { createSession, type Session, type SessionOptions, type Terminal } from './session';

export function startThreads(): WorkerPool {
  return createWorkerPool({ script: resourcePath('dist/worker/worker.cjs') });
}

/** Runs a verb in a session that hears of Ctrl-C, and closes the session after it. @returns the verb's exit code @throws what the verb throws */
export async function withSession(options: Omit<SessionOptions, 'signal'>, verb: (session: Session) => Promise<number>): Promise<number> {
  const interrupt = new AbortController();
  // Every tensor that is read listens to it.
  setMaxListeners(0, interrupt.signal);
  const session = createSession({ ...options, signal: interrupt.signal });
  const stop = () => interrupt.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await verb(session);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    await session.close();
  }
}

/** Tells the user what went wrong. @returns the exit code for it */
export function exitCodeOf(error: unknown, terminal: Terminal): number {
  const failed = CheckpointError.from(error);
  terminal.err(formatError(failed));
  return failed.code === 'cancelled' ? INTERRUPTED : 1;
}
