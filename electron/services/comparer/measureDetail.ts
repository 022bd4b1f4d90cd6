import * as v from 'valibot';
import { compareRequests } from '../../../shared/contract/compareRequests';
import { CheckpointError } from '../../../shared/contract/errors';
import type { WorkerPool } from '../../workers/workerPool';
import { resultsFor, valueId } from './comparedCheckpoint';
import type { ReadablePair } from './findPair';
import type { Tolerance } from './tolerance';

export interface DetailOptions {
  readonly pool: WorkerPool;
  readonly tolerance: Tolerance;
  readonly bins: number;
  /** How many of the largest changes. */
  readonly largest: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const KIND = 'detail 2';
const schema = compareRequests['compare/detail'].output;
export type PairDetails = v.InferOutput<typeof schema>;

/** Everything about one pair, also of equal values, read once. @throws CheckpointError invalid-request for different shapes, what reading throws, cancelled */
export async function measureDetail({ a, b }: ReadablePair, options: DetailOptions): Promise<PairDetails> {
  const { pool, tolerance, bins, largest, signal, onProgress } = options;
  const ids = [valueId(a.side, a.opened), valueId(b.side, b.opened)];
  const results = resultsFor([a.side, b.side], ids);
  const keys = [...ids.map((id) => id?.id ?? null), JSON.stringify([tolerance.rtol, tolerance.atol, bins, largest])];
  const known = await results.get(KIND, keys, schema);
  if (known !== null) return known;
  const input = { before: a.plan, after: b.plan, ...tolerance, largest, bins, structure: true, closeness: false };
  const { numbers, structure, stats, histograms, delta, largest: changes } = await pool.run('measurePair', input, { signal, onProgress });
  if (structure === null || stats === null) throw new CheckpointError('internal', 'The comparison came back without what was asked for.');
  const detail = v.parse(schema, { numbers, structure, stats, histograms, delta, largest: changes });
  await results.set(KIND, keys, detail);
  return detail;
}
