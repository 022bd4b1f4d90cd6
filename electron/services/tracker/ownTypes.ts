import { CheckpointError } from '../../../shared/contract/errors';
import type { GitRepository } from '../../git/gitRepository';

/**
 * Whether update types of our own may be written: the setting `theta.updates`, `all`, or `git-theta` (the default) for a repository that git-theta
 * reads as well.
 * @throws CheckpointError invalid-request for another value
 */
export async function allowsOwnTypes(git: Pick<GitRepository, 'config'>): Promise<boolean> {
  const value = (await git.config('theta.updates')) ?? 'git-theta';
  if (value === 'git-theta' || value === 'all') return value === 'all';
  throw new CheckpointError('invalid-request', `The setting theta.updates is ${JSON.stringify(value.slice(0, 80))}; it may be "git-theta" or "all".`, {
    hint: '"git config theta.updates git-theta" writes only what git-theta reads too, "git config theta.updates all" our own update types as well.',
  });
}
