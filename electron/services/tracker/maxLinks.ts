import type { GitRepository } from '../../git/gitRepository';

/** git-theta itself reads about 485 links; every link costs a reader one more object, and the window more patience. */
const DEFAULT_MAX_LINKS = 100;

/** Longest chain of updates that is written, the dense base included: the setting `theta.maxChain`, or the default. */
export async function maxLinks(git: Pick<GitRepository, 'config'>): Promise<number> {
  const text = await git.config('theta.maxChain');
  const number = text === null ? Number.NaN : Number(text);
  return Number.isSafeInteger(number) && number >= 1 ? number : DEFAULT_MAX_LINKS;
}
