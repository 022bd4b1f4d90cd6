import type { ComparedGroup, MetadataDifference } from '../../../shared/model/comparison';
import { withoutPairs } from '../../../shared/model/pairEqual';
import type { WorkerPool } from '../../workers/workerPool';
import type { ComparedSides } from './comparedCheckpoint';
import { metadataDifferences, skippedNotes } from './describeRest';
import { matchContents } from './matchContents';
import type { MatchContext } from './matchContext';
import { matchLikeness } from './matchLikeness';
import { noteMoves } from './noteMoves';
import { type Matched, orderRows } from './orderRows';
import { isSameKind, type NamePairs, type Pair, pairNames } from './pairNames';
import { createSampler } from './sampleValue';
import { createValueDigests } from './valueDigests';

/** Bytes that are read at most to find renamed and moved groups. */
const MAX_MATCH_BYTES = 4 * 1024 ** 3;

export interface CompareOptions {
  readonly pool: WorkerPool;
  readonly signal?: AbortSignal | undefined;
}

export interface SideComparison {
  /** In the order of `b`'s groups, the removed ones behind those that they follow in `a`. */
  readonly groups: readonly ComparedGroup[];
  readonly metadata: readonly MetadataDifference[];
  readonly notes: readonly string[];
}

/**
 * Which group of `a` became which of `b`. A name that is on both sides stays matched by it, unless the group has another shape or type and its
 * value is found under another name. Groups on one side only are matched by equal values, then by likeness. Values are read only for that, and
 * of small tensors; a row that only the values can judge is `unknown`.
 */
export async function compareSides(sides: ComparedSides, { pool, signal }: CompareOptions): Promise<SideComparison> {
  const sampler = createSampler();
  try {
    const context: MatchContext = { sides, pool, digests: createValueDigests(pool), sampler, budget: { bytes: MAX_MATCH_BYTES }, signal };
    const names = await pairNames(context);
    const { pairs, renamed, onlyA, onlyB, passedOver } = await matchOthers(names, context);
    const moves = await noteMoves(pairs, context);
    const left = passedOver === 0 ? [] : [`${passedOver} groups that are on one side only were too large in all to be looked at for new names.`];
    return {
      groups: orderRows(sides, { pairs, renamed, onlyA, onlyB }),
      metadata: metadataDifferences(sides.a.opened, sides.b.opened),
      notes: [...moves, ...left, ...skippedNotes(sides.a.opened, sides.b.opened)],
    };
  } finally {
    await sampler.close();
  }
}

async function matchOthers({ pairs, onlyA, onlyB }: NamePairs, context: MatchContext): Promise<Matched & { readonly passedOver: number }> {
  const loose = pairs.filter(({ a, b }) => !isSameKind(a, b));
  const isAlone = onlyA.length === 0 && onlyB.length === 0 && loose.length < 2;
  const content = isAlone
    ? { found: [], passedOver: 0 }
    : await matchContents({ a: [...onlyA, ...loose.map(({ a }) => a)], b: [...onlyB, ...loose.map(({ b }) => b)] }, context);
  const taken = new Set(content.found.flatMap(({ a, b }) => [a, b]));
  const broken = new Set<Pair>(loose.filter(({ a, b }) => taken.has(a) || taken.has(b)));
  const rest = withoutPairs({ a: [...onlyA, ...[...broken].map(({ a }) => a)], b: [...onlyB, ...[...broken].map(({ b }) => b)] }, content.found);
  const alike = await matchLikeness(rest, context);
  const alone = withoutPairs(rest, alike);
  return {
    pairs: pairs.filter((pair) => !broken.has(pair)),
    renamed: [...content.found.map((found) => ({ ...found, by: 'content' as const })), ...alike.map((found) => ({ ...found, by: 'likeness' as const }))],
    onlyA: alone.a,
    onlyB: alone.b,
    passedOver: content.passedOver,
  };
}
