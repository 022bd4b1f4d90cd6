import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { OpenedGroup } from '../checkpoints/openedCheckpoint';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import { mapLimited } from '../mapLimited';
import { type ComparedCheckpoint, valueId } from './comparedCheckpoint';
import type { MatchContext } from './matchContext';
import { nameLikeness } from './nameLikeness';
import type { Sample } from './sampleValue';

/** Groups that could be the same under other names; those of `b` in their order. */
export interface Candidates {
  readonly a: readonly OpenedGroup[];
  readonly b: readonly OpenedGroup[];
}

export interface Found {
  readonly a: OpenedGroup;
  readonly b: OpenedGroup;
}

export interface ContentMatches {
  readonly found: readonly Found[];
  /** Groups that could not be looked at because there was too much to read. */
  readonly passedOver: number;
}

const CONCURRENT_SAMPLES = 8;
/** Among more groups of equal content the first is as good as any. */
const MAX_CHOICES = 64;
/** Vectors and scalars are often all zero or one: equal values alone say nothing then. */
const LIKE_ENOUGH = 0.5;

/**
 * Groups of equal dtype, shape and bits: by what git says they are, then by the SHA-256 of their values where a few sampled bytes do not tell them
 * apart. Largest first, up to the budget. Of several that are equal the one with the likest name is taken; groups with fewer than two axes need a
 * name that is half the same.
 */
export async function matchContents(candidates: Candidates, context: MatchContext): Promise<ContentMatches> {
  const { sides } = context;
  const byId = pairEqual(candidates, (side, group) => {
    const id = valueId(sides[side], group);
    return id === null ? null : id.id;
  });
  const rest = without(candidates, byId);
  const { digests, passedOver } = await digestCandidates(rest, context);
  const byDigest = pairEqual(rest, (side, group) => {
    const digest = digests[side].get(group);
    return digest === undefined ? null : `${kindOf(group)} ${digest}`;
  });
  return { found: [...byId, ...byDigest], passedOver };
}

export function without({ a, b }: Candidates, found: readonly Found[]): Candidates {
  const [usedA, usedB] = [new Set(found.map((one) => one.a)), new Set(found.map((one) => one.b))];
  return { a: a.filter((group) => !usedA.has(group)), b: b.filter((group) => !usedB.has(group)) };
}

export function kindOf({ group }: OpenedGroup): string {
  return `${group.dtype} [${group.shape.join(',')}]`;
}

type KeyOf = (side: 'a' | 'b', group: OpenedGroup) => string | null;

/** Likest names first, so that a group does not take what another one fits better. */
function pairEqual({ a, b }: Candidates, keyOf: KeyOf): Found[] {
  const sets = new Map<string, { a: OpenedGroup[]; b: OpenedGroup[] }>();
  for (const [side, groups] of [['a', a] as const, ['b', b] as const]) {
    for (const group of groups) {
      const key = keyOf(side, group);
      if (key === null) continue;
      const set = sets.get(key) ?? { a: [], b: [] };
      if (set[side].length < MAX_CHOICES) set[side].push(group);
      sets.set(key, set);
    }
  }
  return [...sets.values()].flatMap((set) => (set.a.length === 0 || set.b.length === 0 ? [] : pairLikest(set)));
}

function pairLikest(set: { readonly a: readonly OpenedGroup[]; readonly b: readonly OpenedGroup[] }): Found[] {
  const all = set.b.flatMap((b) => set.a.map((a) => ({ a, b, likeness: nameLikeness(a.group.name, b.group.name) })));
  const found: Found[] = [];
  const used = new Set<OpenedGroup>();
  for (const { a, b, likeness } of all.sort((one, other) => other.likeness - one.likeness)) {
    if (used.has(a) || used.has(b) || (b.group.shape.length < 2 && likeness < LIKE_ENOUGH)) continue;
    used.add(a).add(b);
    found.push({ a, b });
  }
  return found;
}

interface Digested {
  readonly digests: { readonly a: Map<OpenedGroup, string>; readonly b: Map<OpenedGroup, string> };
  readonly passedOver: number;
}

/** SHA-256 of the groups that may have an equal on the other side. */
async function digestCandidates(candidates: Candidates, context: MatchContext): Promise<Digested> {
  const samples = { a: await sampleAll(candidates.a, context), b: await sampleAll(candidates.b, context) };
  const seen = { a: samplesByKind(samples.a), b: samplesByKind(samples.b) };
  const mayHaveEqual = (others: ReadonlyMap<string, ReadonlySet<string | null>>) => {
    return ([group, sample]: readonly [OpenedGroup, Sample | null]) => {
      const there = others.get(kindOf(group));
      return there !== undefined && (sample === null || there.has(sample.hash) || there.has(null));
    };
  };
  const wanted = [
    ...[...samples.a].filter(mayHaveEqual(seen.b)).map(([group]) => ({ group, side: 'a' as const })),
    ...[...samples.b].filter(mayHaveEqual(seen.a)).map(([group]) => ({ group, side: 'b' as const })),
  ].sort((one, other) => other.group.group.bytes - one.group.group.bytes);
  const digests = { a: new Map<OpenedGroup, string>(), b: new Map<OpenedGroup, string>() };
  const costly = wanted.filter(({ group, side }) => {
    const sample = samples[side].get(group) ?? null;
    if (sample?.isWhole === true) digests[side].set(group, sample.hash);
    return sample?.isWhole !== true;
  });
  let passedOver = 0;
  const { controller, release } = linkedController(context.signal);
  try {
    const work = async ({ group, side }: (typeof wanted)[number]) => {
      const digest = await digestWithin(context.sides[side], group, context, controller.signal);
      if (digest === 'too much') passedOver++;
      else if (digest !== null) digests[side].set(group, digest);
    };
    await forEachLimited(costly, work, { limit: context.pool.size, controller });
  } finally {
    release();
  }
  return { digests, passedOver };
}

/** `null` for a value that cannot be read: whoever looks at it hears why. */
export async function digestWithin(
  side: ComparedCheckpoint,
  group: OpenedGroup,
  { digests, budget, signal: outer }: MatchContext,
  signal = outer,
): Promise<string | null | 'too much'> {
  const known = await digests.known(side, group);
  if (known !== null) return known;
  if (group.group.bytes > budget.bytes) return 'too much';
  budget.bytes -= group.group.bytes;
  try {
    return await digests.digest(side, group, signal);
  } catch {
    throwIfCancelled(signal);
    return null;
  }
}

async function sampleAll(groups: readonly OpenedGroup[], { sampler, signal }: MatchContext): Promise<Map<OpenedGroup, Sample | null>> {
  const samples = await mapLimited(
    groups,
    (group) => {
      throwIfCancelled(signal);
      return sampler.sample(group);
    },
    { limit: CONCURRENT_SAMPLES },
  );
  return new Map(groups.map((group, index) => [group, samples[index] ?? null]));
}

function samplesByKind(samples: ReadonlyMap<OpenedGroup, Sample | null>): ReadonlyMap<string, ReadonlySet<string | null>> {
  const kinds = new Map<string, Set<string | null>>();
  for (const [group, sample] of samples) {
    const kind = kindOf(group);
    kinds.set(kind, (kinds.get(kind) ?? new Set()).add(sample === null ? null : sample.hash));
  }
  return kinds;
}
