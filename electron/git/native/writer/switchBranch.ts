import { CheckpointError } from '../../../../shared/contract/errors';
import type { CommitHash } from '../../../../shared/model/commit';
import { requireHash } from '../../objectErrors';
import { filesToSwitch, undoHalfSwitch } from './halfSwitch';
import { hashOf, headHash } from './headHash';
import { runWriter } from './runWriter';
import type { WriterContext } from './writerContext';
import { listPaths } from './writerPaths';

/**
 * Checks a branch out. Local changes that the branch does not touch are kept; where something would be lost, ignored files included, nothing
 * happens. @throws not-found, conflict, invalid-request (a hook), permission, no-space, internal (the smudge filter), cancelled
 */
export async function switchBranch(context: WriterContext, name: string, signal?: AbortSignal): Promise<void> {
  const known = !name.startsWith('-') && !name.includes('\0') && (await isBranch(context, name));
  if (!known) throw new CheckpointError('not-found', `There is no branch "${name}".`);
  await switchTo(context, { name, ref: `refs/heads/${name}`, args: ['--no-guess', name] }, signal);
}

/** Whether a branch has exactly this name. */
async function isBranch(context: WriterContext, name: string): Promise<boolean> {
  const { code } = await runWriter(context, ['show-ref', '--verify', '--quiet', `refs/heads/${name}`], { what: 'look for the branch', answers: [0, 1, 128] });
  return code === 0;
}

/** HEAD at a commit instead of a branch, with the same protection. @throws as switchBranch, missing-object */
export async function detachHead(context: WriterContext, commit: CommitHash): Promise<void> {
  const hash = requireHash(commit);
  await switchTo(context, { name: hash, ref: hash, args: ['--detach', hash] });
}

interface Target {
  readonly name: string;
  readonly ref: string;
  readonly args: readonly string[];
}

async function switchTo(context: WriterContext, { name, ref, args }: Target, signal?: AbortSignal): Promise<void> {
  const [before, after] = await Promise.all([headHash(context), hashOf(context, ref)]);
  const files = before === null || after === null ? null : await filesToSwitch(context, before, after);
  try {
    await runWriter(context, ['switch', '--quiet', '--no-overwrite-ignore', ...args], {
      what: `switch to "${name}"`,
      hooks: true,
      // It runs when the branch is checked out already.
      lateHooks: ['post-checkout'],
      explain: (stderr) => switchRefusal(stderr, name),
      signal,
    });
  } catch (error) {
    const failure = CheckpointError.from(error);
    // These are said before anything is written.
    if (files === null || failure.code === 'conflict' || failure.code === 'invalid-request') throw failure;
    if (await isCheckedOut(context, ref)) return;
    const asBefore = await undoHalfSwitch(context, files).catch(() => false);
    throw withOutcome(failure, asBefore);
  }
}

/** A cancel can come when all is done but the hook. */
async function isCheckedOut(context: WriterContext, ref: string): Promise<boolean> {
  const { output } = await runWriter(context, ['rev-parse', '--symbolic-full-name', 'HEAD'], { what: 'read HEAD', answers: [0, 128] });
  return output.toString('utf8').trim() === ref;
}

function withOutcome(failure: CheckpointError, asBefore: boolean): CheckpointError {
  if (failure.code === 'cancelled' && asBefore) return failure;
  return new CheckpointError(failure.code, failure.message, {
    place: failure.place,
    hint: asBefore ? 'The files are as they were before. The reason is in the detail.' : 'Some files could not be put back. They can be restored from HEAD.',
    cause: failure,
    ...(failure.detail === undefined ? {} : { detail: failure.detail }),
  });
}

/** Why git did not switch, when it was to protect something. */
export function switchRefusal(stderr: string, name: string): CheckpointError | null {
  const detail = stderr.trim();
  const inTheWay = [...stderr.matchAll(/^(?:error: )?[^\n\t]*would (?:be overwritten|be removed|lose untracked files)[^\n]*:\n((?:\t[^\n]+\n?)+)/gm)]
    .flatMap((match) => (match[1] ?? '').split('\n'))
    .map((line) => line.replace(/^\t/, ''))
    .filter((line) => line !== '');
  if (inTheWay.length > 0) {
    return new CheckpointError('conflict', `Switching to "${name}" would overwrite what is not committed: ${listPaths(inTheWay)}.`, {
      place: { file: inTheWay[0] },
      hint: 'Commit the changes, discard them, or move the files away; then switch.',
      detail,
    });
  }
  const busy = /cannot switch branch (?:while (\w+(?:-\w+)?)|in the middle of an (\w+) session)/.exec(stderr);
  if (busy !== null) {
    return new CheckpointError('conflict', `Something else is under way in this work tree (${busy[1] ?? busy[2]}).`, {
      hint: 'Finish it or give it up first; "git status" says how.',
      detail,
    });
  }
  const elsewhere = /is already (?:checked out|used by worktree) at '([^']*)'/.exec(stderr)?.[1];
  if (elsewhere === undefined) return null;
  return new CheckpointError('conflict', `The branch "${name}" is checked out in another work tree: ${elsewhere}`, { hint: 'Open that folder.', detail });
}
