import type { GitRepository } from '../gitRepository';
import { openRepository } from '../openRepository';
import type { TestRepository } from '../testing/testRepository';

export type Backend = GitRepository['backend'];

/** Opens the test repository (or a path in it), hands it to the test and closes it, whatever happens. */
export async function withRepository<T>(backend: Backend, place: TestRepository | string, use: (git: GitRepository) => Promise<T>): Promise<T> {
  const git = await openRepository(typeof place === 'string' ? place : place.path, { backend });
  try {
    return await use(git);
  } finally {
    await git.close();
  }
}

/** Everything that an async iterable yields, flattened. */
export async function collect<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}
