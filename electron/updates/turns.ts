import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../../shared/contract/cancelled';

/** Longest stretch in which a chain that is read from memory does not let messages in, in milliseconds; a cancel waits that long at most. */
const STRETCH_MS = 25;

/**
 * To be awaited between two steps of a chain: gives the thread's event loop a turn now and then, so that it hears of a cancel.
 * @returns a promise only when it is time. Throws, or rejects with, CheckpointError cancelled
 */
export function createTurns(signal: AbortSignal | undefined): () => undefined | Promise<void> {
  let last = performance.now();
  return () => {
    throwIfCancelled(signal);
    if (performance.now() - last < STRETCH_MS) return undefined;
    return setImmediate().then(() => {
      last = performance.now();
      throwIfCancelled(signal);
    });
  };
}
