import { CheckpointError } from './errors';

/** What work fails with that its caller has given up. */
export function cancelledError(cause?: unknown): CheckpointError {
  return new CheckpointError('cancelled', 'Cancelled.', { cause });
}

/** For loops and after awaits. `signal` is an AbortSignal, which this folder has no type for. @throws CheckpointError `cancelled` once it is aborted */
export function throwIfCancelled(signal: { readonly aborted: boolean } | undefined): void {
  if (signal?.aborted === true) throw cancelledError();
}
