import { CheckpointError } from '../../../shared/contract/errors';

/** @throws CheckpointError `cancelled` */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new CheckpointError('cancelled', 'Cancelled.');
}
