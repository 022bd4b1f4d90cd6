import { describe, expect, it } from 'vitest';
import type { CommitHash } from '../../shared/model/commit';
import { TIMELINE_KINDS, type TimelineColumn, type TimelineIndex, type TimelineKind } from '../../shared/model/timeline';
import { storyLinks, storyPoints } from './storyPoints';
import { TimelineStates } from './timelineStates';

/** A timeline of one group: each commit with its parents, and what it did to the group (`null`: nothing). */
function history(commits: readonly { readonly parents: readonly number[]; readonly kind: TimelineKind | null; readonly bytes?: number }[]): TimelineStates {
  const columns: TimelineColumn[] = commits.map(({ parents, kind }, at) => ({
    commit: at.toString(16).padStart(40, '0') as CommitHash,
    parents,
    title: `commit ${at}`,
    author: 'A',
    time: at,
    storage: 'theta',
    touched: kind !== null,
    error: null,
  }));
  const changed = commits.flatMap(({ kind, bytes = 100 }, column) => (kind === null ? [] : [{ column, kind, bytes }]));
  const index: TimelineIndex = {
    columns,
    rows: [{ name: 'w', dtype: 'float32', shape: [2], bytes: 8 }],
    changes: {
      starts: Uint32Array.from({ length: commits.length + 1 }, (_, at) => changed.filter(({ column }) => column < at).length),
      rows: new Uint32Array(changed.length),
      kinds: Uint8Array.from(changed, ({ kind }) => TIMELINE_KINDS.indexOf(kind)),
      contents: Uint32Array.from(changed, (_, at) => at + 1),
      storedBytes: Float64Array.from(changed, ({ bytes }) => bytes),
    },
    renames: [],
    omitted: 0,
  };
  return new TimelineStates(index);
}

describe('storyPoints', () => {
  it('has a point for each change, and the parents that its commit had then', () => {
    const points = storyPoints(
      history([
        { parents: [], kind: 'added', bytes: 1000 },
        { parents: [0], kind: null },
        { parents: [1], kind: 'sparse', bytes: 10 },
        { parents: [2], kind: 'dense', bytes: 900 },
      ]),
      0,
    );
    expect(points.map(({ column, parents, line }) => ({ column, parents, line }))).toEqual([
      { column: 0, parents: [], line: 0 },
      { column: 2, parents: [0], line: 0 },
      { column: 3, parents: [1], line: 0 },
    ]);
  });

  it('counts what has to be read back to the last full copy', () => {
    const points = storyPoints(
      history([
        { parents: [], kind: 'added', bytes: 1000 },
        { parents: [0], kind: 'sparse', bytes: 10 },
        { parents: [1], kind: 'low-rank', bytes: 20 },
        { parents: [2], kind: 'dense', bytes: 900 },
        { parents: [3], kind: 'ia3', bytes: 5 },
      ]),
      0,
    );
    expect(points.map(({ cost }) => [cost.updates, cost.bytes])).toEqual([
      [1, 1000],
      [2, 1010],
      [3, 1030],
      [1, 900],
      [2, 905],
    ]);
  });

  it('puts branches on lines of their own, and joins them at the merge', () => {
    const points = storyPoints(
      history([
        { parents: [], kind: 'added' },
        { parents: [0], kind: 'dense' },
        { parents: [0], kind: 'dense' },
        { parents: [1, 2], kind: 'dense' },
      ]),
      0,
    );
    expect(points.map(({ line }) => line)).toEqual([0, 0, 1, 0]);
    expect(storyLinks(points)).toEqual([
      { from: 0, to: 1, line: 0, isMerge: false },
      { from: 0, to: 2, line: 1, isMerge: false },
      { from: 1, to: 3, line: 0, isMerge: false },
      { from: 2, to: 3, line: 1, isMerge: true },
    ]);
  });

  it('begins anew after a removal', () => {
    const points = storyPoints(
      history([
        { parents: [], kind: 'added' },
        { parents: [0], kind: 'removed' },
        { parents: [1], kind: 'added' },
      ]),
      0,
    );
    expect(points.map(({ kind, parents }) => [kind, parents])).toEqual([
      ['added', []],
      ['removed', [0]],
      ['added', []],
    ]);
  });
});
