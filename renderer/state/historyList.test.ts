import { describe, expect, it } from 'vitest';
import type { RefInfo } from '../../shared/model/commit';
import { lineColour } from '../charts/commitLanes';
import { HistoryList, seedsOf } from './historyList';
import { hashOf, lineOfCommits } from './testing/samples';

const head = { kind: 'branch', name: 'work', commit: hashOf(1) } as const;
const ref = (kind: RefInfo['kind'], name: string, index: number): RefInfo => ({ kind, name, commit: hashOf(index) });

describe('seedsOf', () => {
  it('names a line after HEAD, then the trunk, then branches, then remotes; never after a tag', () => {
    const seedOf = seedsOf({
      head,
      refs: [
        ref('tag', 'v1', 1),
        ref('branch', 'other', 1),
        ref('branch', 'work', 1),
        ref('remote-branch', 'origin/main', 2),
        ref('branch', 'topic', 2),
        ref('tag', 'v2', 3),
        ref('branch', 'main', 4),
        ref('branch', 'a', 4),
      ],
    });
    expect(seedOf(hashOf(1))?.name).toBe('work');
    expect(seedOf(hashOf(2))?.name).toBe('main');
    expect(seedOf(hashOf(3))).toBeUndefined();
    expect(seedOf(hashOf(4))?.name).toBe('main');
  });

  it('gives the first branches colours of their own, the one of HEAD by its name alone', () => {
    const refs = [ref('branch', 'work', 1), ...Array.from({ length: 7 }, (_, index) => ref('branch', `b${index}`, index + 2))];
    const seedOf = seedsOf({ head, refs });
    const colours = refs.map((entry) => seedOf(entry.commit)?.colour);
    expect(new Set(colours).size).toBe(8);
    expect(colours[0]).toBe(lineColour('work'));
  });

  it('gives a branch and its remote the same colour', () => {
    const seedOf = seedsOf({ head, refs: [ref('branch', 'x', 5), ref('remote-branch', 'origin/x', 6)] });
    expect(seedOf(hashOf(5))?.colour).toBe(seedOf(hashOf(6))?.colour);
  });
});

describe('HistoryList', () => {
  it('is complete at its total, or when nothing more comes', () => {
    const list = new HistoryList(1, { head, refs: [] });
    list.append(lineOfCommits(5), null);
    expect([list.loaded, list.total, list.isComplete]).toEqual([5, null, false]);
    list.append([], null);
    expect([list.loaded, list.total, list.isComplete]).toEqual([5, 5, true]);
    const known = new HistoryList(1, { head, refs: [] });
    known.append(lineOfCommits(5), 5);
    expect(known.isComplete).toBe(true);
  });

  it('renames its lines without moving them', () => {
    const list = new HistoryList(1, { head, refs: [] });
    list.append(lineOfCommits(5), 5);
    const before = list.lanes.rows(0, 5).map((row) => row.edges.map((edge) => [edge.from, edge.to]));
    list.renameLines({ head, refs: [ref('branch', 'work', 0)] });
    expect(list.lanes.rows(0, 5).map((row) => row.edges.map((edge) => [edge.from, edge.to]))).toEqual(before);
    expect(list.lanes.rows(4, 5)[0]?.name).toBe('work');
  });
});
