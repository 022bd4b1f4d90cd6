import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../../../shared/contract/cancelled';

/** Longest stretch without letting messages in, in milliseconds; a cancel waits that long at most. */
const STRETCH_MS = 25;

/** Who asks for the work: hears of its progress, and may end it. */
export interface WorkContext {
  readonly signal: AbortSignal;
  /** Bytes done of bytes total. May be called for every block. */
  progress(done: number, total: number): void;
}

/** Counts the bytes of several passes, and lets the thread hear a cancel in between. */
export class Pace {
  readonly #context: WorkContext;
  #done = 0;
  #total = 0;
  #turn = performance.now();

  constructor(context: WorkContext) {
    this.#context = context;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  /** A pass over so many bytes is to come. */
  expect(bytes: number): void {
    this.#total += bytes;
  }

  /** @throws CheckpointError cancelled */
  async step(bytes: number): Promise<void> {
    this.#done += bytes;
    this.#context.progress(Math.min(this.#done, this.#total), this.#total);
    throwIfCancelled(this.signal);
    if (performance.now() - this.#turn > STRETCH_MS) {
      await setImmediate();
      this.#turn = performance.now();
      throwIfCancelled(this.signal);
    }
  }
}
