import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { dtypeKind } from '../../../shared/model/dtype';
import { commonModule, mutuallyLikest, sameBelow } from '../../../shared/model/pairEqual';
import { elementCount } from '../../../shared/model/shape';
import type { TensorPlan } from '../../updates/updateChain';
import { isPlain } from '../../workers/tasks/openPair';
import { isPlan } from '../checkpoints/openedCheckpoint';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import type { Candidates, Found } from './matchContents';
import type { MatchContext } from './matchContext';

/** Values that differ by less than half of their length: independent tensors differ by more than that. */
const LARGEST_DIFFERENCE = 0.5;
/** Names are compared each with each up to here; beyond, only those that one renamed module explains. */
const MAX_NAME_PAIRS = 250_000;
/** Of plain tensors this many elements are enough. */
const SAMPLED_ELEMENTS = 65_536;

/**
 * Groups that were renamed and trained on: of equal shape and kind of type, each the other's likest name with no second one as like, and with
 * values that are near each other (|b - a| at most half of |a|). What is not convincing stays added and removed.
 */
export async function matchLikeness(candidates: Candidates, context: MatchContext): Promise<readonly Found[]> {
  const found: Found[] = [];
  const { controller, release } = linkedController(context.signal);
  try {
    const check = async (pair: Found) => {
      if (await areNear(pair, context, controller.signal)) found.push(pair);
    };
    await forEachLimited(likestNames(candidates), check, { limit: context.pool.size, controller });
  } finally {
    release();
  }
  return found;
}

function likestNames(candidates: Candidates): readonly Found[] {
  const buckets = new Map<string, { a: Found['a'][]; b: Found['b'][] }>();
  for (const side of ['a', 'b'] as const) {
    for (const opened of candidates[side]) {
      const { dtype, shape } = opened.group;
      const key = `${dtypeKind(dtype)} [${shape.join(',')}]`;
      const bucket = buckets.get(key) ?? { a: [], b: [] };
      bucket[side].push(opened);
      buckets.set(key, bucket);
    }
  }
  const modules = { a: commonModule(candidates.a, nameOf), b: commonModule(candidates.b, nameOf) };
  return [...buckets.values()].flatMap((bucket) =>
    bucket.a.length * bucket.b.length <= MAX_NAME_PAIRS ? mutuallyLikest(bucket, nameOf) : sameBelow(bucket, modules, nameOf),
  );
}

function nameOf({ group }: Found['a']): string {
  return group.name;
}

async function areNear({ a, b }: Found, { pool, budget }: MatchContext, signal: AbortSignal): Promise<boolean> {
  if (!isPlan(a.plan) || !isPlan(b.plan)) return false;
  const range = rangeOf(a.plan, b.plan, elementCount(b.group.shape));
  const cost = range === null ? a.group.bytes + b.group.bytes : 0;
  if (cost > budget.bytes) return false;
  budget.bytes -= cost;
  const input = { before: a.plan, after: b.plan, rtol: 0, atol: 0, largest: 0, bins: 0, structure: false, closeness: false, range };
  try {
    const { numbers } = await pool.run('measurePair', input, { signal });
    return numbers.relativeL2 !== null && numbers.relativeL2 <= LARGEST_DIFFERENCE;
  } catch {
    throwIfCancelled(signal);
    return false;
  }
}

/** The middle of two plain tensors; `null`: all of them. */
function rangeOf(a: TensorPlan, b: TensorPlan, elements: number): { readonly from: number; readonly count: number } | null {
  if (elements <= SAMPLED_ELEMENTS || !isPlain(a) || !isPlain(b)) return null;
  return { from: Math.floor((elements - SAMPLED_ELEMENTS) / 2), count: SAMPLED_ELEMENTS };
}
