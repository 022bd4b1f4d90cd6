import { dtypeKind } from '../../shared/model/dtype';
import { sameShape } from '../../shared/model/shape';
import { compareKeys } from './compareKeys';
import { sameEntry } from './diffMetadata';
import type { ThetaEntry } from './metadata';

/** What to do with a group that both sides changed. `average`: the mean of ours and theirs. */
export const MERGE_STRATEGIES = ['average', 'ours', 'theirs', 'base'] as const;
export type MergeStrategy = (typeof MERGE_STRATEGIES)[number];

/** Why a group needs a decision. `dtype-differs` and `shape-differs` are both-changed or both-added ones that no average can join. */
export const CONFLICT_KINDS = ['both-changed', 'both-added', 'removed-by-us', 'removed-by-them', 'shape-differs', 'dtype-differs'] as const;
export type ConflictKind = (typeof CONFLICT_KINDS)[number];

/** One parameter group in the three versions; `null` where it is not there. */
export interface GroupVersions {
  readonly name: string;
  readonly base: ThetaEntry | null;
  readonly ours: ThetaEntry | null;
  readonly theirs: ThetaEntry | null;
}

/** An entry of `null` means that the merged checkpoint does not have the group. */
export type MergedGroup =
  | (GroupVersions & { readonly outcome: 'taken'; readonly entry: ThetaEntry | null })
  | (GroupVersions & { readonly outcome: 'average'; readonly ours: ThetaEntry; readonly theirs: ThetaEntry })
  | (GroupVersions & { readonly outcome: 'conflict'; readonly kind: ConflictKind });

export interface MergeRule {
  /** Whether two entries that are not the same give the same value; default: unknown, which counts as no. */
  readonly sameValue?: (a: ThetaEntry, b: ThetaEntry) => boolean;
  /** What to do with a group that both sides changed; `null`: it stays a conflict. */
  readonly strategyFor?: (name: string) => MergeStrategy | null;
}

type Entries = ReadonlyMap<string, ThetaEntry>;

/** Every group of the three versions, in the order of a metadata file. */
export function groupVersions(base: Entries, ours: Entries, theirs: Entries): readonly GroupVersions[] {
  const keys = new Map<string, readonly string[]>();
  for (const entries of [ours, theirs, base]) for (const entry of entries.values()) if (!keys.has(entry.name)) keys.set(entry.name, entry.keys);
  return [...keys]
    .sort(([, a], [, b]) => compareKeys(a, b))
    .map(([name]) => ({ name, base: base.get(name) ?? null, ours: ours.get(name) ?? null, theirs: theirs.get(name) ?? null }));
}

/**
 * The three-way rule for one group: what only one side changed is taken from it, what both changed alike is taken once, everything else is
 * a conflict unless a strategy decides. Entries are compared first and values second, so that of two entries for one value the newer stays.
 */
export function mergeGroup(group: GroupVersions, rule: MergeRule = {}): MergedGroup {
  const { base, ours, theirs } = group;
  for (const same of [isSameEntry, sameBy(rule.sameValue)]) {
    if (same(ours, theirs) || same(base, theirs)) return { ...group, outcome: 'taken', entry: ours };
    if (same(base, ours)) return { ...group, outcome: 'taken', entry: theirs };
  }
  const strategy = rule.strategyFor?.(group.name) ?? null;
  switch (strategy) {
    case 'ours':
      return { ...group, outcome: 'taken', entry: ours };
    case 'theirs':
      return { ...group, outcome: 'taken', entry: theirs };
    case 'base':
      return { ...group, outcome: 'taken', entry: base };
    case 'average':
      if (ours !== null && theirs !== null && canAverage(ours, theirs)) return { ...group, outcome: 'average', ours, theirs };
  }
  return { ...group, outcome: 'conflict', kind: conflictKind(group) };
}

/** Whether the mean of two groups is a group of the same kind: floating point or complex, equal type and shape. */
export function canAverage(a: ThetaEntry, b: ThetaEntry): boolean {
  const kind = dtypeKind(a.dtype);
  return a.dtype === b.dtype && sameShape(a.shape, b.shape) && (kind === 'float' || kind === 'complex');
}

function conflictKind({ base, ours, theirs }: GroupVersions): ConflictKind {
  if (ours === null) return 'removed-by-us';
  if (theirs === null) return 'removed-by-them';
  if (ours.dtype !== theirs.dtype) return 'dtype-differs';
  if (!sameShape(ours.shape, theirs.shape)) return 'shape-differs';
  return base === null ? 'both-added' : 'both-changed';
}

type Same = (a: ThetaEntry | null, b: ThetaEntry | null) => boolean;

const isSameEntry: Same = (a, b) => (a === null || b === null ? a === b : sameEntry(a, b));

function sameBy(sameValue: MergeRule['sameValue']): Same {
  return (a, b) => a !== null && b !== null && a.dtype === b.dtype && sameShape(a.shape, b.shape) && sameValue?.(a, b) === true;
}
