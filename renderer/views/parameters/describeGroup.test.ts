import { describe, expect, it } from 'vitest';
import type { ChangedGroup, GroupChange } from '../../../shared/model/checkpoint';
import { sumGroups } from '../../charts/treeRows';
import { changeGlyph, describeChanges, describeGroup, newBytes, summarise } from './describeGroup';

const entry = (change: GroupChange, group: Partial<ChangedGroup['group']> = {}): ChangedGroup => ({
  change,
  group: { name: 'a.w', dtype: 'float32', shape: [64, 3], bytes: 768, updateType: 'sparse', storedBytes: 100, oid: null, tiedTo: null, error: null, ...group },
});

describe('words for parameter groups', () => {
  it.each<[ChangedGroup, string]>([
    [entry('modified'), 'a.w, modified, sparse, float32, 64 × 3, 768 B'],
    [entry('unchanged', { updateType: null, shape: [] }), 'a.w, unchanged, float32, scalar, 768 B'],
    [{ ...entry('renamed'), from: 'onnx::Conv_32' }, 'a.w, renamed from onnx::Conv_32, sparse, float32, 64 × 3, 768 B'],
    [entry('added', { name: '', tiedTo: 'b' }), '(no name), added, sparse, float32, 64 × 3, 768 B, tied to b'],
    [
      entry('added', { error: { code: 'missing-object', message: 'The object is missing.' } }),
      'a.w, added, sparse, float32, 64 × 3, 768 B, error: The object is missing.',
    ],
  ])('%#', (given, text) => {
    expect(describeGroup(given)).toBe(text);
  });

  it('sum up a commit', () => {
    const groups = [entry('modified'), entry('added'), entry('removed'), entry('unchanged')];
    const totals = sumGroups(groups);
    expect(newBytes(groups)).toBe(200);
    expect(describeChanges(totals)).toBe('2 of 3 changed, 1 removed');
    expect(summarise(totals, { hasParent: true, storedBytes: 200 })).toBe('2 of 3 groups changed, 1 removed; stored 200 B of 2.30 kB');
    expect(summarise(totals, { hasParent: false, storedBytes: 300 })).toBe('First version, 3 groups; stored 300 B of 2.30 kB');
    expect(summarise(sumGroups([entry('unchanged')]), { hasParent: true, storedBytes: 0 })).toBe('None of 1 group changed; stored 0 B of 768 B');
    expect(summarise(totals, { hasParent: true, storedBytes: null })).toBe('2 of 3 groups changed, 1 removed; 2.30 kB');
  });

  it('count what has another name apart from what has another value', () => {
    const groups = [{ ...entry('renamed'), from: 'x', keepsObject: true }, { ...entry('renamed'), from: 'y', keepsObject: false }, entry('unchanged')];
    const totals = sumGroups(groups);
    expect(newBytes(groups)).toBe(100);
    expect(describeChanges(totals)).toBe('2 renamed');
    expect(summarise(totals, { hasParent: true, storedBytes: 100 })).toBe('0 of 3 groups changed, 2 renamed; stored 100 B of 2.30 kB');
  });

  it('show a modification by what did it', () => {
    expect(changeGlyph(entry('modified'))).toBe('sparse');
    expect(changeGlyph(entry('modified', { updateType: null }))).toBe('replaced');
    expect(changeGlyph(entry('added'))).toBe('added');
    expect(changeGlyph(entry('renamed'))).toBe('renamed');
  });
});
