import { formatCount } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';

/**
 * Steps, of some hundred nanoseconds and bytes each. Real checkpoints take some hundred thousand: ten thousand tensors, modules with
 * twenty attributes, a vocabulary.
 */
const MAX_STEPS = 2_000_000;

/**
 * Bounds the work on one checkpoint. Python objects may be shared, so a small file can stand for 2^60 values, and every value may
 * be reached from every other: whoever goes over items pays for each item each time.
 */
export class Budget {
  #left = MAX_STEPS;

  /** @throws CheckpointError `too-large` when nothing is left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new CheckpointError('too-large', `The data of this checkpoint unfolds into more than ${formatCount(MAX_STEPS)} values.`);
  }
}
