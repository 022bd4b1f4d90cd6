import * as v from 'valibot';
import { closeness, pairNumbers, pairStructure } from '../../../shared/contract/compareRequests';
import { CheckpointError, type ErrorData } from '../../../shared/contract/errors';
import { count } from '../../../shared/contract/schemas';
import type { Closeness, PairNumbers, PairStructure } from '../../../shared/model/pairNumbers';
import { measureInParts } from '../../workers/measureInParts';
import type { WorkerPool } from '../../workers/workerPool';
import { resultsFor, valueId } from './comparedCheckpoint';
import type { ReadablePair } from './findPair';
import { numbersOfEqual } from './numbersOfEqual';
import { isSameKind } from './pairNames';
import type { Tolerance } from './tolerance';
import type { ValueDigests } from './valueDigests';

export interface MeasuredRow {
  readonly numbers: PairNumbers;
  /** `null` for equal values, where there is nothing to judge, and where it was not asked for. */
  readonly closeness: Closeness | null;
  /** `null` for equal values. */
  readonly structure: PairStructure | null;
}

export interface MeasureContext {
  readonly pool: WorkerPool;
  readonly digests: ValueDigests;
  readonly tolerance: Tolerance;
  /** Whether other tolerances will be tried: then `closeness` says what each makes of the values. It takes as long as all the rest. */
  readonly closeness: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What does not depend on the tolerance, and what does. A change to what the numbers mean takes new numbers here. */
const PAIR_KIND = 'pair 2';
const PAIR_WITHOUT_CLOSENESS_KIND = 'pair without closeness 1';
const BEYOND_KIND = 'beyond 1';
const pairSchema: v.GenericSchema<unknown, MeasuredRow> = v.object({
  numbers: pairNumbers,
  closeness: v.nullable(closeness),
  structure: v.nullable(pairStructure),
});

/**
 * Numbers of one pair: none are needed where git or known digests say that the values are equal, else those of an earlier look, else from a worker
 * that reads both. Another tolerance reads the values again, but does not search for the structure again.
 * @throws CheckpointError invalid-request for different shapes, what reading throws, cancelled
 */
export async function measureRow(pair: ReadablePair, context: MeasureContext): Promise<MeasuredRow> {
  const { tolerance, pool, signal } = context;
  if (await areKnownEqual(pair, context)) return { numbers: numbersOfEqual(pair.b.opened, tolerance), closeness: null, structure: null };
  const ids = [valueId(pair.a.side, pair.a.opened), valueId(pair.b.side, pair.b.opened)];
  const keys = ids.map((id) => id?.id ?? null);
  const results = resultsFor([pair.a.side, pair.b.side], ids);
  const withTolerance = [...keys, `${tolerance.rtol} ${tolerance.atol}`];
  const [whole, lean, beyond] = await Promise.all([
    results.get(PAIR_KIND, keys, pairSchema),
    context.closeness ? null : results.get(PAIR_WITHOUT_CLOSENESS_KIND, keys, pairSchema),
    results.get(BEYOND_KIND, withTolerance, count),
  ]);
  const known = whole ?? lean;
  if (known !== null && (beyond !== null || isExactlyEqual(known.numbers))) {
    return { ...known, numbers: { ...known.numbers, ...tolerance, beyond: beyond ?? 0 } };
  }
  const input = { before: pair.a.plan, after: pair.b.plan, ...tolerance, largest: 0, bins: 0, structure: known === null, closeness: context.closeness };
  const measured = await measureInParts(pool, input, { signal });
  const row = {
    numbers: measured.numbers,
    closeness: context.closeness ? measured.closeness : (known?.closeness ?? null),
    structure: known === null ? measured.structure : known.structure,
  };
  if (known === null) await results.set(context.closeness ? PAIR_KIND : PAIR_WITHOUT_CLOSENESS_KIND, keys, row);
  await results.set(BEYOND_KIND, withTolerance, row.numbers.beyond);
  return row;
}

/** No tolerance makes anything of these. */
function isExactlyEqual({ maxAbs, notFinite }: PairNumbers): boolean {
  return maxAbs === 0 && notFinite === 0;
}

async function areKnownEqual({ a, b }: ReadablePair, { digests }: MeasureContext): Promise<boolean> {
  if (!isSameKind(a.opened, b.opened)) return false;
  const [first, second] = [valueId(a.side, a.opened), valueId(b.side, b.opened)];
  if (first !== null && first.id === second?.id) return true;
  const [before, after] = await Promise.all([digests.known(a.side, a.opened), digests.known(b.side, b.opened)]);
  return before !== null && before === after;
}

/** Why a row has no numbers. */
export function rowError(error: unknown, group: string): ErrorData {
  return CheckpointError.from(error).at({ group }).toData();
}
