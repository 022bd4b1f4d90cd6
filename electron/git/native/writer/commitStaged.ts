import { join } from 'node:path';
import { CheckpointError, isCheckpointError } from '../../../../shared/contract/errors';
import type { CommitHash } from '../../../../shared/model/commit';
import { pathExists } from '../../../bytes/pathExists';
import type { CommitRequest, Identity } from '../../gitWriter';
import { headHash } from './headHash';
import { indexLockPath, lockedError, lockTime } from './indexLock';
import { withPartialIndex } from './partialIndex';
import { readIdentity } from './readIdentity';
import { runWriter } from './runWriter';
import { type StagedChange, stagedChanges } from './stagedChanges';
import type { WriterContext } from './writerContext';
import { listPaths, requirePaths } from './writerPaths';

/**
 * Commits the staged content of the paths with the user's hooks and signing; whatever else is staged stays staged. A merge or cherry-pick that
 * is under way is concluded, which git can do only with everything that is staged.
 * @returns hash of the new commit, after hooks that may have amended it
 * @throws invalid-request (no message, nothing to commit, no identity, a hook or signing refused), conflict (unmerged files, other staged
 *   changes during a merge, a foreign lock, the branch moved), permission, no-space, cancelled
 */
export async function commitStaged(context: WriterContext, request: CommitRequest): Promise<CommitHash> {
  const { paths, message, author, signal } = request;
  requirePaths(paths);
  if (message.trim() === '' || message.includes('\0')) {
    throw new CheckpointError('invalid-request', 'The message of the commit is empty.', { hint: 'Write at least one line that says what changed.' });
  }
  const authorArguments = author === null ? [] : [`--author=${authorText(author)}`];
  const before = await headHash(context);
  const changes = await stagedChanges(context, before, signal);
  const others = await otherChanges(context, changes, paths);
  const lock = indexLockPath(context.place.gitDir);
  // A copy of the index has a lock of its own, and would not notice.
  if (others.length > 0 && (await lockTime(lock)) !== null) throw await lockedError(lock);
  const committer = author === null || (await readIdentity(context)) !== null ? {} : { GIT_COMMITTER_NAME: author.name, GIT_COMMITTER_EMAIL: author.email };
  const run = async (index: Readonly<Record<string, string>>) => {
    // Where git knows no name at all, the one that was given for this commit is all there is.
    const environment = { ...index, ...committer };
    await runWriter(context, ['commit', '--quiet', '--cleanup=whitespace', ...authorArguments, '-F', '-'], {
      what: 'commit',
      input: message,
      environment,
      hooks: true,
      signal,
    });
  };
  try {
    await (others.length === 0 ? run({}) : withPartialIndex(context, others, run));
  } catch (error) {
    if (!isCheckpointError(error, 'cancelled')) throw error;
    return await committedAllTheSame(context, before, error);
  }
  const hash = await headHash(context);
  if (hash === null) throw new CheckpointError('internal', 'git has committed, but HEAD names no commit.');
  return hash;
}

/** Staged changes that are not to be committed. @throws invalid-request, conflict */
async function otherChanges(context: WriterContext, changes: readonly StagedChange[], paths: readonly string[]): Promise<readonly StagedChange[]> {
  const wanted = new Set(paths);
  const unmerged = changes.filter((change) => change.unmerged).map((change) => change.path);
  if (unmerged.length > 0) {
    throw new CheckpointError('conflict', `Files are in conflict: ${listPaths(unmerged)}.`, {
      place: { file: unmerged[0] },
      hint: 'Resolve and stage them first.',
    });
  }
  const others = changes.filter(({ path }) => !wanted.has(path));
  const underWay = await operationUnderWay(context);
  if (underWay === null && others.length === changes.length) {
    throw new CheckpointError('invalid-request', 'There is nothing to commit: what is staged for these files is what HEAD has.', {
      hint: 'Stage a change first.',
    });
  }
  if (underWay !== null && others.length > 0) {
    throw new CheckpointError('conflict', `A ${underWay} is under way, and other files are staged: ${listPaths(others.map(({ path }) => path))}.`, {
      hint: `git commits a ${underWay} only as a whole. Commit these files too, or unstage them first.`,
    });
  }
  return others;
}

async function operationUnderWay(context: WriterContext): Promise<string | null> {
  for (const [file, name] of [
    ['MERGE_HEAD', 'merge'],
    ['CHERRY_PICK_HEAD', 'cherry-pick'],
    ['REVERT_HEAD', 'revert'],
  ] as const) {
    if (await pathExists(join(context.place.gitDir, file))) return name;
  }
  return null;
}

/** Cancelling can come too late, while hooks run after the commit was made: then it stands. @throws `cancelled` otherwise */
async function committedAllTheSame(context: WriterContext, before: CommitHash | null, cancelled: CheckpointError): Promise<CommitHash> {
  const now = await headHash(context);
  if (now === null || now === before) throw cancelled;
  const { output } = await runWriter(context, ['rev-parse', '--verify', '--quiet', `${now}^1`], { what: 'read the new commit', answers: [0, 1] });
  const parent = output.toString('latin1').trim();
  if (parent !== (before ?? '')) throw cancelled;
  return now;
}

/** @throws invalid-request for what would end the header of a commit early */
function authorText({ name, email }: Identity): string {
  if (name.trim() === '' || email.trim() === '' || /[<>\n\r\0]/.test(name + email)) {
    throw new CheckpointError('invalid-request', 'An author needs a name and an email address on one line, without "<" and ">".');
  }
  return `${name.trim()} <${email.trim()}>`;
}
