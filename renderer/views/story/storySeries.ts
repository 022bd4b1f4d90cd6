import type { CommitHash } from '../../../shared/model/commit';
import type { VersionDifference, VersionStatistics } from '../../state/storyStore';
import type { StoryVersion } from './storyFacts';

export interface StoryNumbers {
  readonly statistics: ReadonlyMap<CommitHash, VersionStatistics>;
  readonly differences: ReadonlyMap<CommitHash, VersionDifference>;
}

export interface StorySeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

/** One chart of the story. */
export interface StoryChart {
  readonly id: 'norm' | 'mean' | 'extremes' | 'delta' | 'sparsity';
  readonly title: string;
  readonly series: readonly StorySeries[];
  readonly hasBand: boolean;
  readonly isShare: boolean;
}

/** What the charts of a story show, one number for each version; `null` where it is not known yet or there is none. */
export function storyCharts(versions: readonly StoryVersion[], { statistics, differences }: StoryNumbers): readonly StoryChart[] {
  const stats = versions.map(({ commit }) => statistics.get(commit)?.stats ?? null);
  const of = (read: (value: NonNullable<(typeof stats)[number]>) => number | null) => stats.map((value) => (value === null ? null : read(value)));
  const spread = (sign: 1 | -1) => of(({ mean, std }) => (mean === null || std === null ? null : mean + sign * std));
  return [
    chart('norm', 'Norm', [{ label: 'norm', values: of(({ norm }) => norm) }]),
    {
      ...chart('mean', 'Mean ± standard deviation', [
        { label: 'mean + std', values: spread(1) },
        { label: 'mean', values: of(({ mean }) => mean) },
        { label: 'mean − std', values: spread(-1) },
      ]),
      hasBand: true,
    },
    chart('extremes', 'Least and greatest', [
      { label: 'max', values: of(({ max }) => max) },
      { label: 'min', values: of(({ min }) => min) },
    ]),
    chart('delta', 'Change ‖Δ‖ since the parent', [{ label: '‖Δ‖', values: versions.map(({ commit }) => differences.get(commit)?.numbers?.norm ?? null) }]),
    { ...chart('sparsity', 'Share of zeros', [{ label: 'zeros', values: of(({ zeros, count }) => (count === 0 ? null : zeros / count)) }]), isShare: true },
  ];
}

function chart(id: StoryChart['id'], title: string, series: readonly StorySeries[]): StoryChart {
  return { id, title, series, hasBand: false, isShare: false };
}

/** Oldest version with a NaN or an infinity; `null` while none is known. */
export function firstNotFinite(
  versions: readonly StoryVersion[],
  { statistics }: StoryNumbers,
): { readonly version: StoryVersion; readonly words: string } | null {
  for (const version of versions) {
    const stats = statistics.get(version.commit)?.stats;
    if (stats == null || stats.finite === stats.count) continue;
    const infinities = stats.positiveInfinity + stats.negativeInfinity;
    const parts = [...(stats.nan > 0 ? [`${stats.nan} NaN`] : []), ...(infinities > 0 ? [`${infinities} infinite`] : [])];
    return { version, words: parts.join(' and ') };
  }
  return null;
}

/** Extremes of all versions, for histograms over one range; `null` while nothing finite is known. */
export function commonRange(versions: readonly StoryVersion[], { statistics }: StoryNumbers): { readonly min: number; readonly max: number } | null {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { commit } of versions) {
    const stats = statistics.get(commit)?.stats;
    if (stats?.min == null || stats.max === null) continue;
    min = Math.min(min, stats.min);
    max = Math.max(max, stats.max);
  }
  return min <= max ? { min, max } : null;
}
