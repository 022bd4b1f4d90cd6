import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { commitHash } from '../../../shared/contract/schemas';
import type { HeadInfo, RefInfo } from '../../../shared/model/commit';
import { refsInRow } from './refsInRow';

const commit = v.parse(commitHash, 'a'.repeat(40));
const refs = (kind: RefInfo['kind'], count: number): RefInfo[] => Array.from({ length: count }, (_, index) => ({ kind, name: `${kind}-${index}`, commit }));
const onBranch = (name: string): HeadInfo => ({ kind: 'branch', name, commit });
const names = (given: readonly RefInfo[]) => given.map((ref) => ref.name);

describe('refsInRow', () => {
  it('begins with the current branch, wherever git lists it', () => {
    const { shown, hidden } = refsInRow([...refs('branch', 5), ...refs('tag', 1)], onBranch('branch-4'));
    expect(names(shown)).toEqual(['branch-4', 'branch-0', 'branch-1']);
    expect(names(hidden)).toEqual(['branch-2', 'branch-3', 'tag-0']);
  });

  it('does not take a tag or a remote branch for the current branch of the same name', () => {
    const same: RefInfo[] = [...refs('branch', 3), { kind: 'tag', name: 'main', commit }, { kind: 'remote-branch', name: 'main', commit }];
    expect(names(refsInRow(same, onBranch('main')).shown)).toEqual(['branch-0', 'branch-1', 'branch-2']);
  });

  it.each([
    [0, 0, 0, 0],
    [3, 3, 0, 0],
    [4, 3, 1, 0],
    [23, 3, 20, 0],
    [24, 3, 20, 1],
    [2000, 3, 20, 1977],
  ])('of %i refs shows %i, names %i and counts %i', (count, shown, hidden, untold) => {
    const row = refsInRow(refs('tag', count), { kind: 'detached', commit });
    expect([row.shown.length, row.hidden.length, row.untold]).toEqual([shown, hidden, untold]);
  });
});
