import type { GitRepository } from '../../git/gitRepository';
import { maxLinks } from './maxLinks';
import { allowsOwnTypes } from './ownTypes';

/** What the settings of a repository allow to be stored. */
export interface Limits {
  readonly maxLinks: number;
  readonly ownTypes: boolean;
}

export async function readLimits(git: Pick<GitRepository, 'config'>): Promise<Limits> {
  const [links, ownTypes] = await Promise.all([maxLinks(git), allowsOwnTypes(git)]);
  return { maxLinks: links, ownTypes };
}
