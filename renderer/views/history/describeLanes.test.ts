import { expect, it } from 'vitest';
import { CommitLanes } from '../../charts/commitLanes';
import { describeLanes } from './describeLanes';

it('tells merges, forks, branches, first commits and parents that stand above', () => {
  const commits = [
    { hash: 'm', parents: ['b', 'f'] },
    { hash: 'f', parents: ['a'] },
    { hash: 'b', parents: ['a'] },
    { hash: 'a', parents: [] },
    { hash: 'late', parents: ['a'] },
  ];
  const lanes = new CommitLanes((hash) => (hash === 'm' ? { name: 'main', rank: 0 } : undefined));
  lanes.append(commits);
  expect(lanes.rows(0, 5).map((row) => describeLanes(row, commits[row.row]?.parents.length ?? 0))).toEqual([
    'Merge of 2 parents, on branch main, lane 1',
    'Lane 2',
    'On branch main, lane 1',
    'First commit, fork into 2 lines, on branch main, lane 1',
    'Lane 1, a parent stands above',
  ]);
});
