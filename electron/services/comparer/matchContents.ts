import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { pairEqual, withoutPairs } from '../../../shared/model/pairEqual';
import { isCommonContent } from '../../theta/findRenames';
import type { OpenedGroup } from '../checkpoints/openedCheckpoint';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import { mapLimited } from '../mapLimited';
import { type ComparedCheckpoint, valueId } from './comparedCheckpoint';
import type { MatchContext } from './matchContext';
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

/**
 * Groups of equal dtype, shape and bits: by what git says they are, then by the SHA-256 of their values where a few sampled bytes do not tell them
 * apart. Largest first, up to the budget. Several of one value need names that tell which is which, and so does a value that is common (`pairEqual`).
 */
export async function matchContents(candidates: Candidates, context: MatchContext): Promise<ContentMatches> {
  const { sides } = context;
  const nameOf = ({ group }: OpenedGroup) => group.name;
  const byId = pairEqual(candidates, {
    nameOf,
    keyOf: (group, side) => valueId(sides[side], group)?.id ?? null,
    isCommon: (pair) => isCommon(pair, null),
  });
  const rest = withoutPairs(candidates, byId);
  const { digests, samples, passedOver } = await digestCandidates(rest, context);
  const byDigest = pairEqual(rest, {
    nameOf,
    keyOf: (group, side) => {
      const digest = digests[side].get(group);
      return digest === undefined ? null : `${kindOf(group)} ${digest}`;
    },
    isCommon: (pair) => isCommon(pair, samples),
  });
  return { found: [...byId, ...byDigest], passedOver };
}

export function kindOf({ group }: OpenedGroup): string {
  return `${group.dtype} [${group.shape.join(',')}]`;
}

/** Vectors and scalars are often all zero or one: then equal values alone say nothing. */
function isCommon({ a, b }: Found, samples: SampleMap | null): boolean {
  const entry = a.entry ?? b.entry;
  if (entry !== null) return isCommonContent(entry);
  const sample = samples?.get(b) ?? samples?.get(a) ?? null;
  return sample === null ? b.group.shape.length < 2 : sample.isConstant;
}

type SampleMap = ReadonlyMap<OpenedGroup, Sample | null>;

interface Digested {
  readonly digests: { readonly a: Map<OpenedGroup, string>; readonly b: Map<OpenedGroup, string> };
  readonly samples: SampleMap;
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
  return { digests, samples: new Map([...samples.a, ...samples.b]), passedOver };
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
