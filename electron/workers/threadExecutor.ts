import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { assertNever } from '../../shared/base/assertNever';
import { cancelledError } from '../../shared/contract/cancelled';
import { CheckpointError } from '../../shared/contract/errors';
import { systemCode } from '../bytes/systemCode';
import type { Executor, ExecutorJob } from './executor';
import { type Order, type Report, reportSchema } from './protocol';

/** A task that has not ended this long after its cancel is ended with its thread. */
const GRACE_MS = 2000;

interface Running {
  readonly id: number;
  readonly job: ExecutorJob;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: CheckpointError) => void;
}

export interface ThreadOptions {
  /** The built worker entry: absolute path or file URL. */
  readonly script: string | URL;
  readonly resourceLimits?: ResourceLimits | undefined;
}

/** One worker thread. It keeps the process alive only while it runs a task. */
export function threadExecutor({ script, resourceLimits }: ThreadOptions): Executor {
  // By itself node would pipe what a worker prints to the output of the process. Even to ask for that makes a pipe refuse writes while its reader is
  // busy, and git's filter writes to it in large pieces, which are to wait. Workers print nothing; what goes wrong in one comes as an event.
  const worker = new Worker(script, { name: 'theta', stdout: true, stderr: true, ...(resourceLimits === undefined ? {} : { resourceLimits }) });
  worker.unref();
  let usable = true;
  let running: Running | null = null;
  let lastId = 0;
  let failure: CheckpointError | null = null;

  const send = (order: Order, transfer: readonly Transferable[] = []) => worker.postMessage(order, transfer);

  function receive(message: unknown): void {
    const parsed = v.safeParse(reportSchema, message);
    if (!parsed.success) {
      failure = new CheckpointError('internal', 'A worker thread sent something that is not part of its protocol.');
      void worker.terminate();
    } else if (running !== null && parsed.output.id === running.id) {
      settle(running, parsed.output);
    }
  }

  function settle(current: Running, report: Report): void {
    switch (report.kind) {
      case 'progress':
        current.job.onProgress(report.done, report.total);
        return;
      case 'result':
        running = null;
        current.resolve(report.output);
        return;
      case 'failure':
        running = null;
        current.reject(CheckpointError.fromData(report.error));
        return;
      default:
        assertNever(report);
    }
  }

  /** 'exit' is the last event of a worker, whatever ended it: only then does nothing of it run any more. */
  function ended(code: number): void {
    usable = false;
    const current = running;
    running = null;
    if (current === null) return;
    const cancelled = current.job.signal.aborted ? cancelledError() : null;
    const ending = `A worker thread ended unexpectedly (exit code ${code}) while it ran '${current.job.task}'.`;
    current.reject(cancelled ?? failure ?? new CheckpointError('internal', ending));
  }

  worker.on('message', receive);
  worker.on('messageerror', (error) => {
    failure = CheckpointError.from(error);
    void worker.terminate();
  });
  worker.on('error', (error) => {
    usable = false;
    failure = crashError(error);
  });
  worker.on('exit', ended);

  return {
    get usable() {
      return usable;
    },

    async execute(job) {
      const id = ++lastId;
      let grace: NodeJS.Timeout | undefined;
      const cancel = () => {
        send({ kind: 'cancel', id });
        grace = setTimeout(() => {
          usable = false;
          void worker.terminate();
        }, GRACE_MS);
      };
      worker.ref();
      try {
        return await new Promise((resolve, reject) => {
          if (!usable) throw new CheckpointError('internal', 'This worker thread has ended.');
          running = { id, job, resolve, reject };
          send({ kind: 'run', id, task: job.task, input: job.input });
          job.signal.addEventListener('abort', cancel, { once: true });
          if (job.signal.aborted) cancel();
        });
      } catch (error) {
        running = null;
        throw error;
      } finally {
        clearTimeout(grace);
        job.signal.removeEventListener('abort', cancel);
        worker.unref();
      }
    },

    async close() {
      usable = false;
      await worker.terminate();
    },
  };
}

function crashError(error: unknown): CheckpointError {
  if (systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new CheckpointError('too-large', 'There was not enough memory for this in a worker thread.', {
      hint: 'Close other programs, or try again with fewer checkpoints open.',
      cause: error,
    });
  }
  const { message, detail } = CheckpointError.from(error);
  return new CheckpointError('internal', `A worker thread crashed: ${message}`, { cause: error, ...(detail === undefined ? {} : { detail }) });
}
