import { CheckpointError } from '../../shared/contract/errors';

/** @throws CheckpointError `cancelled` when the signal has been aborted. */
export function checkCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new CheckpointError('cancelled', 'Cancelled.');
}
