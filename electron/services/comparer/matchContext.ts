import type { WorkerPool } from '../../workers/workerPool';
import type { ComparedSides } from './comparedCheckpoint';
import type { Sampler } from './sampleValue';
import type { ValueDigests } from './valueDigests';

/** What matching two checkpoints works with. */
export interface MatchContext {
  readonly sides: ComparedSides;
  readonly pool: WorkerPool;
  readonly digests: ValueDigests;
  readonly sampler: Sampler;
  /** Bytes that may still be read to find renamed and moved groups. */
  readonly budget: { bytes: number };
  readonly signal: AbortSignal | undefined;
}
