import { CheckpointError } from '../../shared/contract/errors';

/** @throws cancelled when the signal has fired */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CheckpointError('cancelled', 'Cancelled.');
}
