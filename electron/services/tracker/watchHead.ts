import { CheckpointError } from '../../../shared/contract/errors';
import { type HeadInfo, headCommit } from '../../../shared/model/commit';
import type { OpenedRepository } from '../repositories/openedRepository';

/** Looks at HEAD now; the returned function throws `conflict` when it stands at another commit or names another branch. */
export async function watchHead({ git }: Pick<OpenedRepository, 'git'>): Promise<() => Promise<void>> {
  const before = await git.head();
  return async () => {
    const now = await git.head();
    if (nameOf(now) === nameOf(before) && headCommit(now) === headCommit(before)) return;
    throw new CheckpointError('conflict', `Another program moved HEAD meanwhile, from ${inWords(before)} to ${inWords(now)}.`, {
      hint: 'Look at the new state, then try again.',
    });
  };
}

function nameOf(head: HeadInfo): string | null {
  return head.kind === 'detached' ? null : head.name;
}

function inWords(head: HeadInfo): string {
  const commit = headCommit(head)?.slice(0, 10);
  return [nameOf(head), commit ?? 'no commit'].filter((part) => part !== null).join(' at ');
}
