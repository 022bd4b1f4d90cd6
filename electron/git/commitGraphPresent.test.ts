import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeSyntheticHistory } from '../../e2e/fixtures/makeSyntheticHistory';
import { hasCommitGraph } from './commitGraphPresent';
import { TestRepository, temporaryFolder } from './testing/testRepository';

it.each([[['--reachable']], [['--reachable', '--split']]])('sees what git commit-graph write %j makes', async (args) => {
  const test = new TestRepository(await temporaryFolder());
  onTestFinished(() => test.dispose());
  await makeSyntheticHistory(test.path, { commits: 60, mergeEvery: 10, thetaFile: true });
  const place = { commonDir: join(test.path, '.git') };
  expect(await hasCommitGraph(place)).toBe(false);
  await test.git(['commit-graph', 'write', ...args]);
  expect(await hasCommitGraph(place)).toBe(true);
  // The history is what its maker promises.
  expect(await test.git(['rev-list', '--count', 'main'])).toBe('60');
  expect(await test.git(['rev-list', '--count', '--merges', 'main'])).toBe('6');
  expect((await test.git(['for-each-ref', '--format=%(refname)'])).split('\n')).toEqual(['refs/heads/main']);
  expect((await test.git(['log', '--format=%h', '--', 'model.pt'])).split('\n').length).toBeGreaterThan(8);
});
