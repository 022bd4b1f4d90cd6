import { rm } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { TimelineIndex } from '../../../shared/model/timeline';
import { makeRepository, temporaryFolder } from '../../git/testing/testRepository';
import { createBlobFiles } from '../blobFiles';
import { openOne } from '../repositories/repositoryCache';
import { assembleIndex } from './assembleIndex';
import { groupHistory } from './groupHistory';
import { safetensorsBytes } from './testing/safetensorsBytes';
import { followScope } from './timelines';

const PATH = 'm.safetensors';

/** By column, whether each group is there; by title. */
function present(index: TimelineIndex, names: readonly string[]) {
  return Object.fromEntries(
    index.columns.map(({ title }, column) => [title, names.filter((name) => (groupHistory(index, name)?.contents[column] ?? 0) !== 0).join('')]),
  );
}

it('leaves out the oldest columns where there would be too many changes, and keeps what was there', async () => {
  const test = await makeRepository();
  onTestFinished(() => test.dispose());
  const file = (values: Record<string, number>) =>
    safetensorsBytes(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { shape: [1], values: [value] }])));
  await test.commit('one', { [PATH]: file({ a: 1, b: 1, c: 1 }) });
  await test.commit('two', { [PATH]: file({ a: 2, b: 1, c: 1 }) });
  await test.git(['checkout', '-q', '-b', 'side']);
  await test.commit('side', { [PATH]: file({ a: 2, b: 7, c: 1 }) });
  await test.git(['checkout', '-q', 'main']);
  await test.commit('three', { [PATH]: file({ a: 2, b: 1 }) });
  await test.commit('four', { [PATH]: file({ a: 3, b: 1 }) });
  const cache = await temporaryFolder();
  const repository = await openOne(test.path);
  onTestFinished(async () => {
    repository.dispose();
    await rm(cache, { recursive: true, force: true });
  });
  const { signal } = new AbortController();
  const followed = await followScope(repository, { path: PATH, scope: { kind: 'all' } }, { blobFiles: createBlobFiles(cache), signal });
  const names = ['a', 'b', 'c'];
  const whole = assembleIndex(followed);
  expect(whole.omitted).toBe(0);
  expect(present(whole, names)).toEqual({ one: 'abc', two: 'abc', side: 'abc', three: 'ab', four: 'ab' });
  const cut = assembleIndex({ ...followed, maxCells: 3 });
  expect(cut.omitted).toBe(2);
  expect(cut.columns.map(({ title, parents }) => [title, parents])).toEqual([
    ['side', []],
    ['three', []],
    ['four', [1]],
  ]);
  expect(present(cut, names)).toEqual({ side: 'abc', three: 'ab', four: 'ab' });
  expect(cut.changes.starts.at(-1)).toBe(cut.changes.rows.length);
  expect(assembleIndex({ ...followed, maxCells: 0 }).columns.map(({ title }) => title)).toEqual(['four']);
});
