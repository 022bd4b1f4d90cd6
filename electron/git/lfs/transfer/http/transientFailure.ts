import { setTimeout as sleep } from 'node:timers/promises';
import { cancelledError, throwIfCancelled } from '../../../../../shared/contract/cancelled';
import { CheckpointError } from '../../../../../shared/contract/errors';

/** A failure that may be gone when the same is tried again. Never leaves `withRetries`. */
export class TransientFailure extends Error {
  override readonly name = 'TransientFailure';
  readonly error: CheckpointError;
  /** Milliseconds that the server asked to wait; `null`: it did not say. */
  readonly after: number | null;

  constructor(error: CheckpointError, after: number | null = null) {
    super(error.message, { cause: error });
    this.error = error;
    this.after = after;
  }
}

export interface RetryOptions {
  readonly attempts: number;
  /** Longest pause between two attempts, in milliseconds; the first is a quarter of a second, and each doubles. */
  readonly longestPause: number;
  readonly signal?: AbortSignal | undefined;
}

const FIRST_PAUSE = 250;
/** A server that wants a longer pause is taken at its word: the user hears when to come back. */
const LONGEST_WAIT = 5 * 60_000;

/** Runs `attempt` until it fails otherwise than transiently, or has failed `attempts` times. @throws what the last attempt failed with, cancelled */
export async function withRetries<T>(attempt: (number: number) => Promise<T>, options: RetryOptions): Promise<T> {
  for (let number = 1; ; number++) {
    throwIfCancelled(options.signal);
    try {
      return await attempt(number);
    } catch (failure) {
      if (!(failure instanceof TransientFailure)) throw failure;
      if (number >= options.attempts) throw failure.error;
      const pause = failure.after ?? Math.min(options.longestPause, FIRST_PAUSE * 2 ** (number - 1));
      if (pause > LONGEST_WAIT) throw askedToWait(failure.error, pause);
      await wait(pause, options.signal);
    }
  }
}

async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(milliseconds, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
    throw cancelledError(error);
  });
}

function askedToWait(error: CheckpointError, pause: number): CheckpointError {
  return new CheckpointError(error.code, error.message, {
    place: error.place,
    hint: `The server asks to come back in ${Math.ceil(pause / 60_000)} minutes.`,
    cause: error,
  });
}
