import type { MessagePort } from 'node:worker_threads';
import * as v from 'valibot';
import { CheckpointError } from '../../shared/contract/errors';
import { type Order, orderSchema, type Report } from './protocol';
import { runTask } from './runTask';
import { transferables } from './transferables';

/** Most often that progress is sent, in milliseconds. */
const PROGRESS_MS = 50;

/** Runs what arrives at `port` and answers there; cancels reach the task through its signal. */
export function serveTasks(port: MessagePort): void {
  const running = new Map<number, AbortController>();
  const send = (report: Report) => port.postMessage(report, report.kind === 'result' ? transferables(report.output) : []);

  async function run({ id, task, input }: Extract<Order, { kind: 'run' }>): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    let sent = performance.now();
    const progress = (done: number, total: number) => {
      const now = performance.now();
      if (now - sent < PROGRESS_MS) return;
      sent = now;
      send({ kind: 'progress', id, done, total });
    };
    try {
      const output = await runTask(task, input, { signal: controller.signal, progress });
      send({ kind: 'result', id, output });
    } catch (error) {
      send({ kind: 'failure', id, error: CheckpointError.from(error).toData() });
    } finally {
      running.delete(id);
    }
  }

  port.on('message', (message: unknown) => {
    const order = v.parse(orderSchema, message);
    if (order.kind === 'cancel') running.get(order.id)?.abort();
    else void run(order);
  });
}
