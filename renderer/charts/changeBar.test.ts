import { describe, expect, it } from 'vitest';
import type { CommitChange } from '../../shared/model/checkpoint';
import { isCommitHash } from '../../shared/model/commit';
import { describeChange, layoutChangeBar } from './changeBar';

const commit = 'a'.repeat(40);
if (!isCommitHash(commit)) throw new Error('not a hash');
const change = (tallies: CommitChange['tallies'], rest: Partial<CommitChange> = {}): CommitChange => ({
  commit,
  present: true,
  storage: 'theta',
  unchanged: 0,
  tallies,
  error: null,
  ...rest,
});

describe('layoutChangeBar', () => {
  const size = { width: 100, reference: 1_000_000 };

  it('is empty when nothing changed', () => {
    expect(layoutChangeBar(change({}), size)).toEqual([]);
  });

  it('shows a file that became empty', () => {
    expect(layoutChangeBar(change({ replaced: { groups: 0, bytes: 0 } }), size)).toMatchObject([{ kind: 'replaced', start: 0, width: 3 }]);
  });

  it('fills the width when all is stored anew', () => {
    expect(layoutChangeBar(change({ dense: { groups: 9, bytes: 1_000_000 } }), size)).toEqual([
      { kind: 'dense', groups: 9, bytes: 1_000_000, start: 0, width: 100 },
    ]);
  });

  it('never leaves the width, whatever is stored', () => {
    const segments = layoutChangeBar(change({ dense: { groups: 1, bytes: 5e12 }, added: { groups: 1, bytes: 1 } }), size);
    const last = segments.at(-1);
    expect((last?.start ?? 0) + (last?.width ?? 0)).toBeCloseTo(100);
  });

  it('keeps a byte visible beside a gigabyte, in the order of kinds, without overlaps', () => {
    const segments = layoutChangeBar(change({ sparse: { groups: 1, bytes: 1 }, dense: { groups: 1, bytes: 1e9 }, removed: { groups: 2, bytes: 0 } }), {
      width: 100,
      reference: 1e9,
    });
    expect(segments.map((segment) => segment.kind)).toEqual(['removed', 'dense', 'sparse']);
    for (const segment of segments) expect(segment.width).toBeGreaterThanOrEqual(3);
    for (const [index, segment] of segments.slice(1).entries()) {
      const before = segments[index];
      expect(segment.start).toBeGreaterThan((before?.start ?? 0) + (before?.width ?? 0));
    }
  });

  it('grows with what is stored', () => {
    const lengths = [0, 1e2, 1e3, 1e4, 1e5, 1e6].map((bytes) => layoutChangeBar(change({ dense: { groups: 1, bytes } }), size)[0]?.width ?? 0);
    expect([...lengths].sort((a, b) => a - b)).toEqual(lengths);
  });
});

describe('describeChange', () => {
  it.each<[CommitChange, string]>([
    [change({ sparse: { groups: 3, bytes: 12_300 } }, { unchanged: 15 }), '3 groups sparse, 12.3 kB; 15 unchanged'],
    [change({ added: { groups: 1, bytes: 10 }, dense: { groups: 2, bytes: 4_000 } }), '1 group added, 10 B; 2 groups dense, 4.00 kB'],
    [change({}, { unchanged: 18 }), '18 unchanged'],
    [change({ renamed: { groups: 2, bytes: 0 } }, { unchanged: 1 }), '2 groups renamed; 1 unchanged'],
    [change({ renamed: { groups: 1, bytes: 20 } }), '1 group renamed, 20 B'],
    [change({}), 'Unchanged'],
    [change({}, { present: false, storage: null }), 'Not in this commit'],
    [change({ removed: { groups: 2, bytes: 8 } }, { present: false }), '2 groups removed, 8 B'],
    [change({ removed: { groups: 0, bytes: 8 } }, { present: false }), 'File removed, 8 B'],
    [change({ added: { groups: 0, bytes: 8 } }), 'File added, 8 B'],
    [change({ replaced: { groups: 0, bytes: 0 } }, { storage: 'blob' }), 'File replaced, 0 B'],
    [change({ replaced: { groups: 0, bytes: 2_000_000 } }, { storage: 'lfs' }), 'File replaced, 2.00 MB'],
    [change({}, { error: { code: 'malformed', message: 'The metadata holds conflict markers.' } }), 'The metadata holds conflict markers.'],
  ])('%#', (given, text) => {
    expect(describeChange(given)).toBe(text);
  });
});
