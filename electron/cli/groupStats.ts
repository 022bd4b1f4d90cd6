import type { ErrorData } from '../../shared/contract/errors';
import type { OpenedGroup } from '../services/checkpoints/openedCheckpoint';
import type { MeasuredTensor } from '../services/statistics/measureTensor';

export interface StatsOptions {
  /** `null`: every group. */
  readonly isWanted: ((name: string) => boolean) | null;
  readonly quantiles: readonly number[];
  /** Equal bins from the least to the largest finite element; `null`: no histogram. */
  readonly bins: number | null;
  readonly json: boolean;
}

/** A parameter group with its numbers, or why there are none. */
export interface GroupStats {
  readonly opened: OpenedGroup;
  readonly measured: MeasuredTensor | null;
  readonly error: ErrorData | null;
}
