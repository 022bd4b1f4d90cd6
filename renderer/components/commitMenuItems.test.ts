import { expect, it } from 'vitest';
import { isCommitHash, type RefInfo } from '../../shared/model/commit';
import { commitMenuItems } from './commitMenuItems';

const [here, there] = ['a', 'b'].map((digit) => digit.repeat(40)).filter(isCommitHash);
const refs = (name: string, kind: RefInfo['kind'] = 'branch', commit = here): RefInfo[] => (commit === undefined ? [] : [{ kind, name, commit }]);

it('offers the branches at the commit to switch to, but not the current one, nor tags and remote branches', () => {
  if (here === undefined) throw new Error('no hash');
  const asked: string[] = [];
  const actions = { createBranch: (commit: string) => asked.push(commit), createTag: () => asked.push('tag'), switchTo: (name: string) => asked.push(name) };
  const facts = {
    commit: here,
    refs: [...refs('main'), ...refs('trial'), ...refs('v1', 'tag'), ...refs('origin/main', 'remote-branch'), ...refs('else', 'branch', there)],
    head: { kind: 'branch', name: 'main', commit: here },
    bare: false,
  } as const;
  const items = commitMenuItems(facts, actions);
  expect(items.map(({ label }) => label)).toEqual(['Switch to trial', 'Create branch here…', 'Create tag here…', 'Copy hash']);
  for (const item of items.slice(0, 3)) item.onSelect();
  expect(asked).toEqual(['trial', here, 'tag']);
  expect(commitMenuItems({ ...facts, bare: true }, actions).map(({ id }) => id)).toEqual(['branch', 'tag', 'copy']);
});
