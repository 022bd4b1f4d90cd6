import type { CommitHash } from '../../../shared/model/commit';
import type { TimelineColumn, TimelineRename, TimelineRow } from '../../../shared/model/timeline';
import { type StoryLink, type StoryPoint, storyLinks, storyPoints } from '../../charts/storyPoints';
import type { TimelineStates } from '../../charts/timelineStates';

/** A version of the group with its commit. */
export interface StoryVersion extends StoryPoint {
  readonly commit: CommitHash;
  readonly info: TimelineColumn;
}

/** Everything about a group that the index tells. */
export interface StoryFacts {
  readonly row: TimelineRow;
  /** Oldest first. */
  readonly versions: readonly StoryVersion[];
  readonly links: readonly StoryLink[];
  readonly commits: readonly CommitHash[];
  /** Names that the group had before it was renamed to this one, and that it was renamed to: their stories go on there. */
  readonly renamedFrom: readonly string[];
  readonly renamedTo: readonly string[];
  /** Place of the version that a commit holds; `null` where the group is not there, or the commit is not in the timeline. */
  placeAt(commit: CommitHash | null): number | null;
}

/** `null`: no version has such a group. */
export function storyFacts(states: TimelineStates, name: string): StoryFacts | null {
  const rowIndex = states.index.rows.findIndex((row) => row.name === name);
  const row = states.index.rows[rowIndex];
  if (row === undefined) return null;
  const points = storyPoints(states, rowIndex);
  const versions = points.flatMap((point) => {
    const info = states.index.columns[point.column];
    return info === undefined ? [] : [{ ...point, commit: info.commit, info }];
  });
  const entryAt = states.statesOf(rowIndex);
  const firstEntry = states.rowStarts[rowIndex] ?? 0;
  const placeOf = new Map<number, number>();
  states.rowEntries.subarray(firstEntry, states.rowStarts[rowIndex + 1]).forEach((entry, place) => {
    placeOf.set(entry, place);
  });
  const columnOf = new Map(states.index.columns.map((column, index) => [column.commit, index]));
  return {
    row,
    versions,
    links: storyLinks(points),
    renamedFrom: namesOf(states, ({ from, to }) => (to === rowIndex ? from : null)),
    renamedTo: namesOf(states, ({ from, to }) => (from === rowIndex ? to : null)),
    commits: versions.filter(({ kind }) => kind !== 'removed').map(({ commit }) => commit),
    placeAt(commit) {
      const column = commit === null ? undefined : columnOf.get(commit);
      return column === undefined ? null : (placeOf.get(entryAt[column] ?? -1) ?? null);
    },
  };
}

function namesOf({ index }: TimelineStates, other: (rename: TimelineRename) => number | null): readonly string[] {
  const rows = new Set(index.renames.flatMap((rename) => other(rename) ?? []));
  return [...rows].flatMap((row) => index.rows[row]?.name ?? []);
}
