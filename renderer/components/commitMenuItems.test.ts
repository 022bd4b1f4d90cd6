import { expect, it } from 'vitest';
import { isCommitHash, type RefInfo } from '../../shared/model/commit';
import { commitMenuItems } from './commitMenuItems';

const [here, there] = ['a', 'b'].map((digit) => digit.repeat(40)).filter(isCommitHash);
const refs = (name: string, kind: RefInfo['kind'] = 'branch', commit = here): RefInfo[] => (commit === undefined ? [] : [{ kind, name, commit }]);

const comparing = (asked: string[]) => ({
  compareWithParent: (commit: string, parent: string) => asked.push(`parent ${commit === here} ${parent === there}`),
  compareWithWorkTree: () => asked.push('worktree'),
  compareCommits: (one: string, other: string) => asked.push(`commits ${one === here} ${other === there}`),
  markToCompare: () => asked.push('mark'),
});

it('offers the branches at the commit to switch to, but not the current one, nor tags and remote branches', () => {
  if (here === undefined) throw new Error('no hash');
  const asked: string[] = [];
  const actions = {
    createBranch: (commit: string) => asked.push(commit),
    createTag: () => asked.push('tag'),
    switchTo: (name: string) => asked.push(name),
    ...comparing(asked),
  };
  const facts = {
    commit: here,
    refs: [...refs('main'), ...refs('trial'), ...refs('v1', 'tag'), ...refs('origin/main', 'remote-branch'), ...refs('else', 'branch', there)],
    head: { kind: 'branch', name: 'main', commit: here },
    bare: false,
    parent: null,
    other: null,
    canCompare: false,
  } as const;
  const items = commitMenuItems(facts, actions);
  expect(items.map(({ label }) => label)).toEqual(['Switch to trial', 'Create branch here…', 'Create tag here…', 'Copy hash']);
  for (const item of items.slice(0, 3)) item.onSelect();
  expect(asked).toEqual(['trial', here, 'tag']);
  expect(commitMenuItems({ ...facts, bare: true }, actions).map(({ id }) => id)).toEqual(['branch', 'tag', 'copy']);
});

it('offers to compare with the parent, the working tree and another commit', () => {
  if (here === undefined || there === undefined) throw new Error('no hash');
  const asked: string[] = [];
  const actions = { createBranch: () => asked.push('branch'), createTag: () => asked.push('tag'), switchTo: () => asked.push('switch'), ...comparing(asked) };
  const facts = { commit: here, refs: [], head: { kind: 'detached', commit: here }, bare: false, parent: there, other: there, canCompare: true } as const;
  const items = commitMenuItems(facts, actions).filter(({ id }) => id.startsWith('compare'));
  expect(items.map(({ label }) => label)).toEqual([
    'Compare with parent',
    'Compare with the working tree',
    `Compare with ${there.slice(0, 8)}`,
    'Mark to compare with another',
  ]);
  for (const item of items) item.onSelect();
  expect(asked).toEqual(['parent true true', 'worktree', 'commits true true', 'mark']);

  const first = commitMenuItems({ ...facts, parent: null, other: here, bare: true }, actions).filter(({ id }) => id.startsWith('compare'));
  expect(first.map(({ id, disabled }) => [id, disabled ?? false])).toEqual([
    ['compare-parent', true],
    ['compare-mark', false],
  ]);
});
