import { TIMELINE_KINDS, type TimelineKind } from '../../shared/model/timeline';
import type { TimelineStates } from './timelineStates';

/** A version at which a group got another value, was added or removed. */
export interface StoryPoint {
  /** Column of the timeline. */
  readonly column: number;
  readonly kind: TimelineKind;
  readonly storedBytes: number;
  /** Places in the story of the values that this commit's parents have, the first parent's first. */
  readonly parents: readonly number[];
  /** Number of the line of development that it stands on; 0 is the newest one's. */
  readonly line: number;
  /** What has to be read to reconstruct the value: the updates back to the last full copy, this one included. */
  readonly cost: { readonly updates: number; readonly bytes: number };
}

const INCREMENTAL: ReadonlySet<TimelineKind> = new Set<TimelineKind>(['sparse', 'sparse-values', 'low-rank', 'ia3']);

/** The versions of one group, parents before children, with what each builds on. */
export function storyPoints(states: TimelineStates, row: number): readonly StoryPoint[] {
  const { changes, columns } = states.index;
  const entries = [...states.rowEntries.subarray(states.rowStarts[row], states.rowStarts[row + 1])];
  const placeOf = new Map(entries.map((entry, place) => [entry, place]));
  const entryAt = states.statesOf(row);
  const points: Omit<StoryPoint, 'line'>[] = [];
  for (const entry of entries) {
    const column = states.columnOfEntry[entry] ?? 0;
    const parents = new Set<number>();
    for (const parent of columns[column]?.parents ?? []) {
      const place = placeOf.get(entryAt[parent] ?? -1);
      if (place !== undefined && points[place]?.kind !== 'removed') parents.add(place);
    }
    const kind = TIMELINE_KINDS[changes.kinds[entry] ?? 0] ?? 'other';
    const storedBytes = changes.storedBytes[entry] ?? 0;
    const base = INCREMENTAL.has(kind) ? points[[...parents][0] ?? -1]?.cost : undefined;
    const cost = { updates: (base?.updates ?? 0) + 1, bytes: (base?.bytes ?? 0) + storedBytes };
    points.push({ column, kind, storedBytes, parents: [...parents], cost });
  }
  const lines = linesOf(points);
  return points.map((point, place) => ({ ...point, line: lines[place] ?? 0 }));
}

/** A line follows first parents from its newest version down to one that another line has already. */
function linesOf(points: readonly { readonly parents: readonly number[] }[]): Int32Array {
  const lines = new Int32Array(points.length).fill(-1);
  let next = 0;
  for (let newest = points.length - 1; newest >= 0; newest--) {
    if (lines[newest] !== -1) continue;
    for (let place: number | undefined = newest; place !== undefined && lines[place] === -1; place = points[place]?.parents[0]) lines[place] = next;
    next++;
  }
  return lines;
}

/** A stroke between two versions: along a line of development, or from a branch into the merge. */
export interface StoryLink {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly isMerge: boolean;
}

export function storyLinks(points: readonly StoryPoint[]): readonly StoryLink[] {
  return points.flatMap((point, to) =>
    point.parents.map((from, place) => ({ from, to, line: place === 0 ? point.line : (points[from]?.line ?? 0), isMerge: place > 0 })),
  );
}
