import { join } from 'node:path';
import { type CommitHash, headCommit, isCommitHash } from '../../../shared/model/commit';
import { readSmallFile } from '../../bytes/readSmallFile';
import type { GitRepository } from '../../git/gitRepository';

/** Files of the git directory that name the other side of a merge, cherry-pick, revert or rebase, once git has stopped. */
const STOPPED = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD', 'rebase-merge/stopped-sha', 'rebase-apply/original-commit'];
/** Lists of what git is about to do; a driver runs before the files above are written. */
const DONE = 'rebase-merge/done';
const TODO = 'sequencer/todo';
/** `git merge` tells its drivers the commits it merges by variables of this name. */
const GITHEAD = /^GITHEAD_([0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * Commits that may hold one of the versions being merged, HEAD first. They are only candidates: whoever uses one looks for the version in it.
 * A single cherry-pick names its commit nowhere while the driver runs.
 */
export async function mergedCommits(git: GitRepository, environment: NodeJS.ProcessEnv): Promise<readonly CommitHash[]> {
  const { gitDir } = git.place;
  const read = (name: string) => readSmallFile(join(gitDir, ...name.split('/'))).then(String, () => '');
  const found: string[] = [headCommit(await git.head()) ?? ''];
  for (const name of Object.keys(environment)) found.push(GITHEAD.exec(name)?.[1] ?? '');
  for (const name of STOPPED) found.push(...(await read(name)).split('\n'));
  found.push(commitOfTask((await read(DONE)).trimEnd().split('\n').at(-1)), commitOfTask((await read(TODO)).split('\n').at(0)));
  found.push(await git.resolve('refs/stash').catch(() => ''));
  return [...new Set(found.filter(isCommitHash))];
}

/** `pick 1234abcd… title`, with a full id as git keeps it. */
function commitOfTask(line: string | undefined): string {
  return line?.split(' ')[1] ?? '';
}
