import { describe, expect, it } from 'vitest';
import type { CommitHash, RefInfo } from '../../../shared/model/commit';
import { refRows, rowsInView } from './refRows';
import { splitPath } from './splitPath';

const a = 'a'.repeat(40) as CommitHash;
const b = 'b'.repeat(40) as CommitHash;
const ref = (name: string, kind: RefInfo['kind'] = 'branch', commit = a): RefInfo => ({ kind, name, commit });
const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);

describe('refRows', () => {
  it('puts the branch of HEAD first and counts numbers as numbers', () => {
    const refs = [ref('v10'), ref('v2'), ref('main'), ref('v1', 'tag')];
    const rows = refRows({ refs, head: { kind: 'branch', name: 'main', commit: a } }, 'branch');
    expect(names(rows)).toEqual(['main', 'v2', 'v10']);
    expect(rows.map(({ isHead }) => isHead)).toEqual([true, false, false]);
  });

  it('does not take a tag or remote branch of the same name for HEAD', () => {
    const refs = [ref('main', 'tag'), ref('main', 'remote-branch')];
    const head = { kind: 'branch', name: 'main', commit: a } as const;
    expect(refRows({ refs, head }, 'tag')[0]?.isHead).toBe(false);
    expect(refRows({ refs, head }, 'remote-branch')[0]?.isHead).toBe(false);
  });

  it('shows a detached HEAD as a row of its own', () => {
    const rows = refRows({ refs: [ref('main')], head: { kind: 'detached', commit: b } }, 'branch');
    expect(rows[0]).toEqual({ kind: 'detached', name: 'bbbbbbbbbb', commit: b, isHead: true });
    expect(rows[1]?.isHead).toBe(false);
  });

  it('shows a branch that has no commits yet', () => {
    expect(refRows({ refs: [], head: { kind: 'unborn', name: 'main' } }, 'branch')).toEqual([{ kind: 'branch', name: 'main', commit: null, isHead: true }]);
  });
});

describe('rowsInView', () => {
  const rows = refRows({ refs: Array.from({ length: 250 }, (_, index) => ref(`Run-${index}`, 'tag')), head: { kind: 'unborn', name: 'main' } }, 'tag');

  it('shows a hundred and says how many more there are', () => {
    const view = rowsInView(rows, '');
    expect([view.rows.length, view.hidden]).toEqual([100, 150]);
  });

  it('filters by name, whatever the case', () => {
    expect(names(rowsInView(rows, ' rUN-24 ').rows)).toEqual(['Run-24', ...Array.from({ length: 10 }, (_, index) => `Run-24${index}`)]);
    expect(rowsInView(rows, 'none')).toEqual({ rows: [], hidden: 0 });
  });
});

describe('splitPath', () => {
  it.each([
    ['model.pt', '', 'model.pt'],
    ['a/b/model.pt', 'a/b/', 'model.pt'],
  ])('%s', (path, folder, name) => {
    expect(splitPath(path)).toEqual({ folder, name });
  });
});
