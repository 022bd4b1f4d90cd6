import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { dtypeKind } from '../../../shared/model/dtype';
import { elementCount } from '../../../shared/model/shape';
import type { TensorPlan } from '../../updates/updateChain';
import { isPlain } from '../../workers/tasks/openPair';
import { isPlan } from '../checkpoints/openedCheckpoint';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import type { Candidates, Found } from './matchContents';
import type { MatchContext } from './matchContext';
import { nameLikeness } from './nameLikeness';

/** A name that is half the same, and values that differ by less than half of their length: independent tensors differ by more than that. */
const LEAST_LIKENESS = 0.5;
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
  const prefixes = { a: commonModule(candidates.a), b: commonModule(candidates.b) };
  return [...buckets.values()].flatMap((bucket) =>
    bucket.a.length * bucket.b.length <= MAX_NAME_PAIRS ? mutuallyLikest(bucket) : sameBelow(bucket, prefixes),
  );
}

/** Pairs that are each other's single best. */
function mutuallyLikest({ a, b }: Candidates): Found[] {
  const table = b.map((now) => a.map((old) => nameLikeness(old.group.name, now.group.name)));
  const bestOfA = a.map((_old, column) => singleBest(table.map((row) => row[column] ?? 0)));
  return b.flatMap((now, row) => {
    const best = singleBest(table[row] ?? []);
    const old = best === null ? undefined : a[best];
    return best === null || old === undefined || bestOfA[best] !== row ? [] : [{ a: old, b: now }];
  });
}

function singleBest(likeness: readonly number[]): number | null {
  let best = -1;
  let isSingle = false;
  for (const [index, value] of likeness.entries()) {
    const top = likeness[best] ?? LEAST_LIKENESS;
    if (value > top || (best < 0 && value >= top)) [best, isSingle] = [index, true];
    else if (value === top) isSingle = false;
  }
  return best >= 0 && isSingle ? best : null;
}

/** Names that are equal below the module that all groups of their side are in. */
function sameBelow({ a, b }: Candidates, prefixes: { readonly a: string; readonly b: string }): Found[] {
  const below = new Map(a.map((old) => [old.group.name.slice(prefixes.a.length), old]));
  return b.flatMap((now) => {
    const old = below.get(now.group.name.slice(prefixes.b.length));
    return old === undefined ? [] : [{ a: old, b: now }];
  });
}

function commonModule(groups: Candidates['a']): string {
  let common = groups[0]?.group.name ?? '';
  for (const { group } of groups) {
    while (!group.name.startsWith(common)) common = common.slice(0, -1);
  }
  return common.slice(0, Math.max(common.lastIndexOf('.'), common.lastIndexOf('/')) + 1);
}

async function areNear({ a, b }: Found, { pool, budget }: MatchContext, signal: AbortSignal): Promise<boolean> {
  if (!isPlan(a.plan) || !isPlan(b.plan)) return false;
  const range = rangeOf(a.plan, b.plan, elementCount(b.group.shape));
  const cost = range === null ? a.group.bytes + b.group.bytes : 0;
  if (cost > budget.bytes) return false;
  budget.bytes -= cost;
  const input = { before: a.plan, after: b.plan, rtol: 0, atol: 0, largest: 0, bins: 0, structure: false, range };
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
