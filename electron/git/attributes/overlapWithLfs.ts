import type { GitRepository } from '../gitRepository';
import { type AttributeLine, explainFilter } from './explainFilter';

/** Which of these paths Git LFS keeps (`filter=lfs` is in force), and the line that says so. The others are left out. */
export async function overlapWithLfs(git: GitRepository, paths: readonly string[]): Promise<ReadonlyMap<string, AttributeLine>> {
  const decisions = await explainFilter(git, paths);
  return new Map([...decisions].flatMap(([path, { filter, file, line }]) => (filter === 'lfs' ? [[path, { file, line }] as const] : [])));
}
