import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryPlace } from './gitRepository';

/**
 * Whether git has written a commit-graph: then a strict walk streams as fast as a loose one
 * (git-commit-graph(1); without it 100,000 commits are read before the first is shown).
 */
export async function hasCommitGraph(place: Pick<RepositoryPlace, 'commonDir'>): Promise<boolean> {
  const info = join(place.commonDir, 'objects', 'info');
  const sizes = await Promise.all([join(info, 'commit-graph'), join(info, 'commit-graphs', 'commit-graph-chain')].map(sizeOf));
  return sizes.some((size) => size > 0);
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (found) => (found.isFile() ? found.size : 0),
    () => 0,
  );
}
